// Signs that need more than a pattern: memory, excluded ports, name servers, CNI files, command output, timeouts.
import { isList, isObject, type JsonObject } from '../model/json.ts'
import type { Sign } from '../report/diagnosis.ts'
import { itemsOf, type Report, textAt } from '../report/report.ts'

/** Win32_OperatingSystem reports memory in KiB. */
const kibiPerMebi = 1024

/** The kubelet's default eviction threshold on Windows, in KiB. */
const evictionThreshold = 500 * kibiPerMebi

/** Little free physical memory, or little of the commit limit left. */
export const memoryLow: Sign = {
  needs: ['memory'],
  evidenceIn: (report) =>
    itemsOf(report, 'memory').flatMap((item) => [...physicalLow(item), ...commitLow(item)]),
}

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
  const text = textAt(item, name)
  return text === '' ? NaN : Number(text)
}

function mebiOf(kibi: number): number {
  return Math.floor(kibi / kibiPerMebi)
}

/** Queries that Windows did not answer in time. */
export function timedOut(what: RegExp): Sign {
  return {
    needs: ['unread'],
    evidenceIn: (report) =>
      itemsOf(report, 'unread')
        .filter(
          (item) => what.test(textAt(item, 'what')) && textAt(item, 'why').startsWith('no answer'),
        )
        .map((item) => `${textAt(item, 'what')}: ${textAt(item, 'why')}`),
  }
}

/** Parts that the node could not read for its report. */
export const unreadParts: Sign = {
  needs: ['unread'],
  evidenceIn: (report) =>
    itemsOf(report, 'unread').map(
      (item) => `not in the report: ${textAt(item, 'what')} (${textAt(item, 'why')})`,
    ),
}

/** A line of the output of a Windows command, or of the error that it failed with. */
export function commandOutput(name: string, words: RegExp): Sign {
  return {
    needs: ['talk'],
    evidenceIn: (report) =>
      linesOf(report, name)
        .filter((line) => words.test(line))
        .map((line) => `${name}: ${line.trim()}`),
  }
}

function linesOf({ document: { talk: said } }: Report, name: string): readonly string[] {
  const text = isObject(said) ? said[name] : undefined
  const told = isObject(text) ? text['error'] : text
  return typeof told === 'string' ? told.split('\n') : []
}

/** Excluded TCP port ranges that hold a port. Skips ranges marked with `*`, which an administrator added. */
export function excludedPorts(ports: readonly number[]): Sign {
  return {
    needs: ['talk'],
    evidenceIn: (report) =>
      linesOf(report, 'excludedTcpPorts').flatMap((line) => {
        const [, from, to] = /^\s*(\d+)\s+(\d+)\s*$/.exec(line) ?? []
        const within = ports.filter((port) => Number(from) <= port && port <= Number(to))
        return within.map((port) => `excluded TCP ports ${from} to ${to}: ${port}`)
      }),
  }
}

/** Site-local addresses, which Windows lists if an interface has no IPv6 name server. https://www.rfc-editor.org/rfc/rfc3879 */
const siteLocalOnly = /^(fec0:0:0:ffff::[123](%\d+)?(, )?)*$/

export const noNameServer: Sign = {
  needs: ['nameServers'],
  evidenceIn: (report) => {
    const all = itemsOf(report, 'nameServers')
    const hasServer = all.some((item) => !siteLocalOnly.test(textAt(item, 'ServerAddresses')))
    return hasServer ? [] : all.map((item) => `no name server: ${textAt(item, 'InterfaceAlias')}`)
  },
}

/** CNI files that sort before the bundle's: containerd uses the first one by name. */
export const foreignCniConfig: Sign = {
  needs: ['cni'],
  evidenceIn: (report) => {
    const { configuration } = report.document
    const ours = Object.keys(isObject(configuration) ? configuration : {})
    const paths = itemsOf(report, 'cni')
      .map((item) => textAt(item, 'path'))
      .filter((path) => /\.(conf|conflist|json)$/.test(path))
      .toSorted()
    const before = paths.slice(
      0,
      paths.findIndex((path) => ours.includes(path)),
    )
    return paths.some((path) => ours.includes(path)) ? before : []
  },
}

/** Disk space of images and snapshots, which shows whether containerd fills a drive. */
export const storageUse: Sign = {
  needs: ['containers'],
  evidenceIn: ({ document: { containers } }) => {
    const all: JsonObject = isObject(containers) ? containers : {}
    return ['images', 'snapshots'].flatMap((name) => {
      const list = all[name]
      if (!isList(list)) return []
      const bytes = list.filter(isObject).map((item) => Number(textAt(item, 'size')))
      const sum = bytes.reduce((one, other) => one + other, 0)
      return [`${name} of containerd: ${list.length}, ${(sum / 2 ** 30).toFixed(1)} GiB`]
    })
  },
}

/** Adds the evidence of `details` if `sign` has any. */
export function withDetails(sign: Sign, details: Sign): Sign {
  return {
    needs: sign.needs,
    evidenceIn: (report) => {
      const found = sign.evidenceIn(report)
      return found.length > 0 ? [...found, ...details.evidenceIn(report)] : []
    },
  }
}
