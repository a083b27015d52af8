// Signs in what lies around a node: its memory, what containerd keeps, and what could not be read.
import { isList, isObject, type JsonObject } from '../model/json.ts'
import type { Sign } from './diagnosis.ts'
import { itemsOf, textAt } from './report.ts'

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

/** What the node could not read for its report. */
export const unread: Sign = {
  needs: ['unread'],
  look: (report) =>
    itemsOf(report, 'unread').map(
      (item) => `not in the report: ${textAt(item, 'what')} (${textAt(item, 'why')})`,
    ),
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
