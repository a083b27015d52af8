// What host-local answers to a request, given its configuration and its store: main.go, backend/disk/backend.go.
// https://github.com/containernetworking/plugins/tree/main/plugins/ipam/host-local
import path from 'node:path'
import { ignored, refused, type Finding } from '../finding.ts'
import { addressText, parseAddress, type Address } from '../go/ip.ts'
import {
  readHostLocalConf,
  versionOf,
  versions,
  type HostLocalConf,
  type Range,
} from './host-local-conf.ts'

export interface HostLocalRequest {
  readonly command: string
  readonly containerId: string
  readonly ifName: string
  /** CNI_ARGS. */
  readonly args?: string
  /** The text on its standard input. */
  readonly conf: string
  /** Files of the network's folder by their name; files elsewhere by their whole path. */
  readonly store: Readonly<Record<string, string>>
}

export function judgeHostLocal(request: HostLocalRequest): readonly Finding[] {
  const { command, containerId, ifName, args = '', store } = request
  if (command === 'VERSION') return []
  const least = leastVersions[command]
  if (least === undefined) return [refused(`unknown CNI_COMMAND: ${command}`)]
  const ofContainer = !['GC', 'STATUS'].includes(command)
  if (ofContainer) {
    const fault = environmentFault(containerId, ifName)
    if (fault !== undefined) return [refused(fault)]
  }
  try {
    const spoken = versionOf(request.conf)
    if (versions.indexOf(spoken) < versions.indexOf(least))
      return [refused(`config version does not allow ${command}`)]
    // It does nothing for these, not even read its own part.
    if (!ofContainer) return []
    const conf = readHostLocalConf(request.conf, args)
    const files = filesOf(conf, store)
    const owner = `${containerId.trim()}\r\n${ifName}`
    const strangers = conf.unknown.map((key) => ignored(`${key} is no key of it`))
    return [...strangers, ...judgeCommand(command, conf, files, owner)]
  } catch (error) {
    return [refused(error instanceof Error ? error.message : String(error))]
  }
}

/** cni, pkg/skel/skel.go, pluginMain: which version a command came with. */
const leastVersions: Readonly<Record<string, string>> = {
  ADD: '',
  CHECK: '0.4.0',
  DEL: '',
  GC: '1.1.0',
  STATUS: '1.1.0',
}

/** cni, pkg/utils/utils.go. */
function environmentFault(containerId: string, ifName: string): string | undefined {
  if (!/^[A-Za-z0-9][\w.-]*$/.test(containerId))
    return `invalid characters in containerID ${containerId}`
  const bad = ifName === '' || Buffer.byteLength(ifName) > 15 || /[/:\s]|^\.{1,2}$/.test(ifName)
  return bad ? `interface name ${ifName} is invalid` : undefined
}

type Files = ReadonlyMap<string, string>

/** The addresses in the folder that this configuration names. */
function filesOf(conf: HostLocalConf, store: HostLocalRequest['store']): Files {
  const home = path.win32.resolve('C:\\var\\lib\\cni\\networks', conf.name)
  const folder = path.win32.resolve('C:\\', conf.dataDir, conf.name)
  const found = Object.entries(store).map(
    ([name, text]) => [path.win32.resolve(home, name), text] as const,
  )
  return new Map(
    found
      .filter(([file]) => path.win32.dirname(file).toLowerCase() === folder.toLowerCase())
      .map(([file, text]) => [path.win32.basename(file), text]),
  )
}

function judgeCommand(
  command: string,
  conf: HostLocalConf,
  files: Files,
  owner: string,
): readonly Finding[] {
  const [id = ''] = owner.split('\r\n')
  // The name alone is what an earlier version wrote.
  const own = [...files].filter(([, text]) => [owner, id].includes(text.trim()))
  if (command === 'ADD') {
    // It opens it; the files of the machine are unknown here.
    if (conf.resolvConf !== '') return [refused(`open ${conf.resolvConf}: not found`)]
    return judgeAdd(conf, files, new Set(own.map(([name]) => name)))
  }
  if (command === 'CHECK')
    return own.length > 0 ? [] : [refused(`Failed to find address added by container ${id}`)]
  const spoiled = [...files].filter(
    ([, text]) => !text.includes('\r') && text.trim().replaceAll('\n', '\r\n') === owner,
  )
  return spoiled
    .filter(([name]) => !own.some(([one]) => one === name))
    .map(([name]) => ignored(`${name} has a bare line feed, and is not seen as the container's`))
}

function isGateway({ gateway }: Range, { bits, value }: Address): boolean {
  return gateway.bits === bits && gateway.value === value
}

const fileName = (address: Address) => addressText(address).replaceAll(':', '_')

function isInside({ network, start, end }: Range, { bits, value }: Address): boolean {
  return bits === network.bits && value >= start && value <= end
}

function judgeAdd(conf: HostLocalConf, files: Files, own: ReadonlySet<string>): readonly Finding[] {
  const left = [...new Map(conf.wished.map((wish) => [addressText(wish), wish])).values()]
  const faults = conf.sets.flatMap((set, at) => {
    const chosen = left.findIndex((wish) => set.some((range) => isInside(range, wish)))
    const [wish] = chosen < 0 ? [] : left.splice(chosen, 1)
    const fault = wish ? wishFault(wish, set, files) : rangeFault(set, files, own)
    return fault === undefined ? [] : [refused(`failed to allocate for range ${at}: ${fault}`)]
  })
  return left.length === 0
    ? faults
    : [
        ...faults,
        refused(`failed to allocate all requested IPs: ${left.map(addressText).join(' ')}`),
      ]
}

function wishFault(wish: Address, set: readonly Range[], files: Files): string | undefined {
  const text = addressText(wish)
  if (set.some((range) => isInside(range, wish) && isGateway(range, wish)))
    return `requested ip ${text} is subnet's gateway`
  return files.has(fileName(wish)) ? `requested IP address ${text} is not available` : undefined
}

/** GetByID reads names of files as addresses: an IPv6 one, with underscores, is none. */
function rangeFault(
  set: readonly Range[],
  files: Files,
  own: ReadonlySet<string>,
): string | undefined {
  const taken = takenIn(set, files)
  const mine = taken.find((address) => address.bits === 32 && own.has(fileName(address)))
  if (mine) return `${addressText(mine)} has been allocated, duplicate allocation is not allowed`
  // From a start after the end it counts on past the subnet, and finds something.
  if (set.some(({ start, end }) => start > end)) return undefined
  const free = set.reduce((sum, range) => {
    const usable = range.end - range.start + 1n - (isInside(range, range.gateway) ? 1n : 0n)
    return sum + usable
  }, 0n)
  const used = taken.filter((address) => !set.some((range) => isGateway(range, address)))
  return BigInt(used.length) >= free ? 'no IP addresses available in range set' : undefined
}

function takenIn(set: readonly Range[], files: Files): readonly Address[] {
  return [...files.keys()].flatMap((name) => {
    const address = parseAddress(name.replaceAll('_', ':'))
    return address && set.some((range) => isInside(range, address)) ? [address] : []
  })
}
