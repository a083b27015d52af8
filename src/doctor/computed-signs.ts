// Signs that need more than a pattern, such as numbers, or two parts of a report.
import { everyCni } from '../cni/index.ts'
import { kubeletHealthPort, kubeletPort, proxyHealthPort } from '../matrix/ports.ts'
import { isList, isObject, type JsonObject } from '../model/json.ts'
import type { ComputedSign } from '../model/tables.ts'
import { itemsOf, type Part, type Report, textOf, textsOf } from '../report/report.ts'
import type { Sign } from './sign.ts'

const search = (part: Part, evidenceIn: Sign['evidenceIn']): Sign => ({ needs: [part], evidenceIn })

/** Lines about each item of a part. */
const ofItems = (part: Part, linesOf: (item: JsonObject) => readonly string[]) =>
  search(part, (report) => itemsOf(report, part).flatMap(linesOf))

/** Parts that the node could not read for its report. */
export const unreadParts = ofItems('unread', (item) => [
  `not in the report: ${textOf(item, 'what')} (${textOf(item, 'why')})`,
])

/** Win32_OperatingSystem reports memory in KiB. */
const kibiPerMebi = 1024

/** The kubelet's default eviction threshold on Windows, in KiB. */
const evictionThreshold = 500 * kibiPerMebi

function physicalLow(item: JsonObject): readonly string[] {
  const free = kibiAt(item, 'FreePhysicalMemory')
  return free < evictionThreshold ? [`memory: ${mebiOf(free)} MiB free`] : []
}

function commitLow(item: JsonObject): readonly string[] {
  const left = kibiAt(item, 'FreeVirtualMemory')
  const all = kibiAt(item, 'TotalVirtualMemorySize')
  return left < all * 0.05
    ? [`memory: ${mebiOf(left)} of ${mebiOf(all)} MiB of the commit limit left`]
    : []
}

/** NaN if the report lacks it, which makes every comparison false. */
function kibiAt(item: JsonObject, name: string): number {
  const text = textOf(item, name)
  return text === '' ? NaN : Number(text)
}

function mebiOf(kibi: number): number {
  return Math.floor(kibi / kibiPerMebi)
}

/** With less than a tenth free. */
function driveNearlyFull(item: JsonObject): readonly string[] {
  const [free, size] = [Number(textOf(item, 'FreeSpace')), Number(textOf(item, 'Size'))]
  const drive = textOf(item, 'DeviceID')
  return free < size * 0.1 ? [`drive ${drive} ${gibiOf(free)} of ${gibiOf(size)} GiB free`] : []
}

function gibiOf(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1)
}

const services = [
  'kubelet',
  'containerd',
  'kube-proxy',
  ...everyCni.flatMap(({ flags = {} }) => Object.keys(flags)),
]
const ofService = new RegExp(`\\b(${services.join('|')})\\b`, 'i')

/** Stopped with an error, or terminated unexpectedly; 7031 names the recovery action. */
const endings = ['7023', '7024', '7031', '7034']

/** From the Windows event log; messages are in the language of Windows, and contain the name of the service. */
function serviceEnds(item: JsonObject): readonly string[] {
  const [id, message] = [textOf(item, 'Id'), textOf(item, 'Message')]
  const isEnding =
    textOf(item, 'ProviderName') === 'Service Control Manager' &&
    endings.includes(id) &&
    ofService.test(message)
  return isEnding ? [`event ${id}, ${textOf(item, 'TimeCreated')}: ${message}`] : []
}

/** The lines that a Windows command printed, or of the error that it failed with. */
function outputOf({ document }: Report, command: string): readonly string[] {
  const outputs = document['commandOutput']
  const text = isObject(outputs) ? outputs[command] : undefined
  const output = isObject(text) ? text['error'] : text
  return typeof output === 'string' ? output.split('\n') : []
}

function clockAlone(report: Report): readonly string[] {
  return outputOf(report, 'clock')
    .filter((line) => /0x4C4F434C|Local CMOS Clock|Free-running System Clock/.test(line))
    .map((line) => `clock: ${line.trim()}`)
}

/** Ports of the kubelet and kube-proxy, by the keys of their files that set another one. */
const ownPorts: readonly (readonly [port: number, kind: string, key: RegExp])[] = [
  [kubeletHealthPort, 'KubeletConfiguration', /"healthzPort":\s*([1-9]\d*)/],
  [kubeletPort, 'KubeletConfiguration', /"port":\s*([1-9]\d*)/],
  [proxyHealthPort, 'KubeProxyConfiguration', /"healthzBindAddress":\s*"[^"]*:([1-9]\d*)"/],
]

function portsOf(report: Report): readonly number[] {
  const files = textsOf(report, 'configuration').map(({ lines }) => lines.join('\n'))
  return ownPorts.map(([port, kind, key]) => {
    const own = files.filter((text) => text.includes(`"${kind}"`))
    const [, set = port] = key.exec(own.join('\n')) ?? []
    return Number(set)
  })
}

/** Excluded TCP port ranges that hold such a port. Skips ranges marked with `*`, which an administrator added. */
function excludedPorts(report: Report): readonly string[] {
  const own = portsOf(report)
  return outputOf(report, 'excludedTcpPorts').flatMap((line) => {
    const [, from, to] = /^\s*(\d+)\s+(\d+)\s*$/.exec(line) ?? []
    const within = own.filter((port) => Number(from) <= port && port <= Number(to))
    return within.map((port) => `excluded TCP ports ${from} to ${to}: ${port}`)
  })
}

/** Site-local addresses, which Windows lists if an interface has no IPv6 name server. https://www.rfc-editor.org/rfc/rfc3879 */
const siteLocalOnly = /^(fec0:0:0:ffff::[123](%\d+)?(, )?)*$/

function noNameServer(report: Report): readonly string[] {
  const all = itemsOf(report, 'nameServers')
  const hasServer = all.some((item) => !siteLocalOnly.test(textOf(item, 'ServerAddresses')))
  return hasServer ? [] : all.map((item) => `no name server: ${textOf(item, 'InterfaceAlias')}`)
}

/** CNI files that sort before the bundle's: containerd uses the first one by name. */
function foreignCniConfig(report: Report): readonly string[] {
  const { configuration } = report.document
  const ours = Object.keys(isObject(configuration) ? configuration : {})
  const paths = itemsOf(report, 'cni')
    .map((item) => textOf(item, 'path'))
    .filter((path) => /\.(conf|conflist|json)$/.test(path))
    .toSorted()
  const first = paths.findIndex((path) => ours.includes(path))
  return paths.slice(0, Math.max(0, first))
}

/**
 * kube-proxy treats endpoints of another node name as remote, and deletes the endpoints of the node's own pods.
 * Its flag wins over its file, and an empty value means the host name.
 */
function otherNodeName(report: Report): readonly string[] {
  const commands = itemsOf(report, 'services').map((item) => ({
    where: textOf(item, 'name'),
    text: textOf(item, 'command'),
  }))
  const files = textsOf(report, 'configuration')
    .filter(({ path }) => path.includes('kube-proxy'))
    .map(({ path, lines }) => ({ where: path, text: lines.join('\n') }))
  const names = [...commands, ...files].flatMap(({ where, text }) => {
    const [, flag, key] =
      /--hostname-override=(\S+)|"hostnameOverride":\s*"([^"]+)"/.exec(text) ?? []
    const name = flag ?? key
    return name === undefined ? [] : [{ where, name }]
  })
  const kubelet = names.find(({ where }) => where === 'kubelet')
  const proxy = names.find(({ where }) => where.includes('kube-proxy'))
  return kubelet && proxy && proxy.name.toLowerCase() !== kubelet.name.toLowerCase()
    ? [`${proxy.where}: the node name is ${proxy.name}, and that of the kubelet ${kubelet.name}`]
    : []
}

/** Of Hyper-V, vSphere and KVM, as Get-NetAdapter describes them. */
const virtualAdapter = /^(Microsoft Hyper-V Network Adapter|vmxnet3|Red Hat VirtIO)/i

/** Networks of plugins. */
const passing = everyCni.flatMap(({ modes }) =>
  Object.values(modes).flatMap(({ passesHypervisors = [] }) => passesHypervisors),
)

function transparentOnVirtual(report: Report): readonly string[] {
  const adapters = itemsOf(report, 'adapters')
    .map((item) => textOf(item, 'InterfaceDescription'))
    .filter((description) => virtualAdapter.test(description))
  if (adapters.length === 0) return []
  return itemsOf(report, 'networks')
    .filter((item) => /^transparent$/i.test(textOf(item, 'Type')))
    .map((item) => textOf(item, 'Name'))
    .filter((name) => !passing.includes(name))
    .map((name) => `HNS network ${name} is transparent, behind ${adapters.join(', ')}`)
}

/** Disk space of images and snapshots, which shows whether containerd fills a drive. */
function storageUse({ document: { containers } }: Report): readonly string[] {
  const all: JsonObject = isObject(containers) ? containers : {}
  return ['images', 'snapshots'].flatMap((name) => {
    const list = all[name]
    if (!isList(list)) return []
    const bytes = list.filter(isObject).map((item) => Number(textOf(item, 'size')))
    const sum = bytes.reduce((one, other) => one + other, 0)
    return [`${name} of containerd: ${list.length}, ${gibiOf(sum)} GiB`]
  })
}

export const computed: Readonly<Record<ComputedSign, Sign>> = {
  'clock not synchronized': search('commandOutput', clockAlone),
  'drive nearly full': ofItems('volumes', driveNearlyFull),
  'excluded ports': search('commandOutput', excludedPorts),
  'foreign CNI configuration': search('cni', foreignCniConfig),
  'kube-proxy for another node': {
    needs: ['services', 'configuration'],
    needsAll: true,
    evidenceIn: otherNodeName,
  },
  /** Little free physical memory, or little of the commit limit left. */
  'memory low': ofItems('memory', (item) => [...physicalLow(item), ...commitLow(item)]),
  'no name server': search('nameServers', noNameServer),
  'service ends': ofItems('events', serviceEnds),
  'storage use': search('containers', storageUse),
  'transparent network of a virtual machine': {
    needs: ['adapters', 'networks'],
    needsAll: true,
    evidenceIn: transparentOnVirtual,
  },
}
