// Signs in what lies around a node: memory, ports, name servers, the clock, other networks, and what gave no answer.
import { isList, isObject, type JsonObject } from '../model/json.ts'
import type { Sign } from '../report/diagnosis.ts'
import { itemsOf, type Report, textAt } from '../report/report.ts'

/** Windows counts memory in KiB. */
const kibiPerMebi = 1024

/** Below so many KiB the kubelet evicts pods where the profile says nothing else. */
const least = 500 * kibiPerMebi

/** Little memory that is free, or that Windows can still promise. */
export const scarce: Sign = {
  needs: ['memory'],
  look: (report) =>
    itemsOf(report, 'memory').flatMap((item) => [...short(item), ...promised(item)]),
}

function short(item: JsonObject): readonly string[] {
  const free = kibiAt(item, 'FreePhysicalMemory')
  return free < least ? [`memory: ${mebiOf(free)} MiB free`] : []
}

function promised(item: JsonObject): readonly string[] {
  const left = kibiAt(item, 'FreeVirtualMemory')
  const all = kibiAt(item, 'TotalVirtualMemorySize')
  return left < all * 0.05 ? [`memory: ${mebiOf(left)} of ${mebiOf(all)} MiB left to promise`] : []
}

/** What a report lacks is not a number, which is less than no other. */
function kibiAt(item: JsonObject, name: string): number {
  const text = textAt(item, name)
  return text === '' ? NaN : Number(text)
}

function mebiOf(kibi: number): number {
  return Math.floor(kibi / kibiPerMebi)
}

/** Questions of the report that Windows did not answer in time. */
export function silent(what: RegExp): Sign {
  return {
    needs: ['unread'],
    look: (report) =>
      itemsOf(report, 'unread')
        .filter(
          (item) => what.test(textAt(item, 'what')) && textAt(item, 'why').startsWith('no answer'),
        )
        .map((item) => `${textAt(item, 'what')}: ${textAt(item, 'why')}`),
  }
}

/** What the node could not read for its report. */
export const unread: Sign = {
  needs: ['unread'],
  look: (report) =>
    itemsOf(report, 'unread').map(
      (item) => `not in the report: ${textAt(item, 'what')} (${textAt(item, 'why')})`,
    ),
}

/** A line of what a program of Windows says, or of why it failed. */
export function talk(name: string, words: RegExp): Sign {
  return {
    needs: ['talk'],
    look: (report) =>
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

/** Ranges that Windows keeps from programs and in which a port lies; a star marks those that a person keeps free. */
export function reserved(ports: readonly number[]): Sign {
  return {
    needs: ['talk'],
    look: (report) =>
      linesOf(report, 'excludedTcpPorts').flatMap((line) => {
        const [, from, to] = /^\s*(\d+)\s+(\d+)\s*$/.exec(line) ?? []
        const within = ports.filter((port) => Number(from) <= port && port <= Number(to))
        return within.map((port) => `excluded TCP ports ${from} to ${to}: ${port}`)
      }),
  }
}

/** Windows shows these where IPv6 has no name server. https://www.rfc-editor.org/rfc/rfc3879 */
const unset = /^(fec0:0:0:ffff::[123](%\d+)?(, )?)*$/

/** No interface of the machine has a name server. */
export const nameless: Sign = {
  needs: ['nameServers'],
  look: (report) => {
    const all = itemsOf(report, 'nameServers')
    const has = all.some((item) => !unset.test(textAt(item, 'ServerAddresses')))
    return has ? [] : all.map((item) => `no name server: ${textAt(item, 'InterfaceAlias')}`)
  },
}

/** A file that containerd takes before the one of this bundle: the first by name. */
export const foreignNetwork: Sign = {
  needs: ['cni'],
  look: (report) => {
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

/** How much containerd keeps: a full drive is of its images, or it is not. */
export const kept: Sign = {
  needs: ['containers'],
  look: ({ document: { containers } }) => {
    const all: JsonObject = isObject(containers) ? containers : {}
    return ['images', 'snapshots'].flatMap((name) => {
      const list = all[name]
      if (!isList(list)) return []
      const bytes = list.filter(isObject).map((item) => Number(textAt(item, 'size')))
      const sum = bytes.reduce((one, other) => one + other, 0)
      return [`containerd keeps ${name}: ${list.length}, ${(sum / 2 ** 30).toFixed(1)} GiB`]
    })
  },
}

/** A sign, and with it what says more of it. */
export function beside(sign: Sign, more: Sign): Sign {
  return {
    needs: sign.needs,
    look: (report) => {
      const found = sign.look(report)
      return found.length > 0 ? [...found, ...more.look(report)] : []
    },
  }
}
