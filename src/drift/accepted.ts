// Differences that are accepted by `ignore` of the profile or by a baseline.
import type { Drift, IgnoredDrift } from '../model/drift.ts'
import { compareText, type Ignore } from '../model/finding.ts'
import { groupBy } from '../model/group-by.ts'

export interface Accepted {
  readonly drifts: readonly Drift[]
  readonly ignored: readonly IgnoredDrift[]
}

/** `ignore` of a profile lists finding ids. As with rules, errors cannot be ignored. */
export function withoutIgnoredDrift(
  drifts: readonly Drift[],
  ignore: Readonly<Record<string, Ignore>>,
  today: string,
): Accepted {
  const entries = Object.entries(ignore).filter(
    ([, { until }]) => until === undefined || until >= today,
  )
  return split(drifts, (drift) => {
    if (!isAcceptable(drift)) return undefined
    return entries.find(([name]) => names(name, drift))?.[1].reason
  })
}

const isAcceptable = ({ severity, weight }: Drift) =>
  severity !== 'error' && weight !== 'incomplete'

/** Expired entries that match a difference. */
export function lapsedFor(
  drifts: readonly Drift[],
  ignore: Readonly<Record<string, Ignore>>,
  today: string,
): readonly (readonly [name: string, until: string])[] {
  return Object.entries(ignore).flatMap(([name, { until }]) =>
    until !== undefined &&
    until < today &&
    drifts.some((drift) => isAcceptable(drift) && names(name, drift))
      ? [[name, until] as const]
      : [],
  )
}

/** `files/kubelet/config.json` also matches each of its fields. */
function names(name: string, { id, subject }: Drift): boolean {
  return (
    name === id ||
    name === subject ||
    (subject.startsWith(name) && /[#./:]/.test(subject.charAt(name.length)))
  )
}

export interface Entry {
  readonly id: string
  readonly subject: string
  /** The accepted value: another value is another difference. */
  readonly messages: readonly string[]
}

export function baselineOf(drifts: readonly Drift[]): readonly Entry[] {
  return drifts
    .filter(({ weight }) => weight === 'drift')
    .map((drift) => ({ id: drift.id, subject: drift.subject, messages: messagesOf(drift) }))
    .sort((a, b) => compareText(a.subject, b.subject) || compareText(a.id, b.id))
}

function messagesOf({ message, variants }: Drift): readonly string[] {
  return variants ? variants.map((one) => one.message).sort() : [message]
}

export interface Compared extends Accepted {
  /** Entries of the baseline without a matching difference. */
  readonly gone: readonly Entry[]
}

/** A baseline also accepts errors, because it lists each one explicitly. */
export function withoutBaseline(drifts: readonly Drift[], entries: readonly Entry[]): Compared {
  const keyOf = ({ id, subject }: Entry | Drift) => `${id}\n${subject}`
  const [known, found] = [groupBy(entries, keyOf), groupBy(drifts, keyOf)]
  const accepts = (entry: Entry, drift: Drift) =>
    messagesOf(drift).every((one) => entry.messages.includes(one))
  const accepted = split(drifts, (drift) =>
    drift.weight === 'drift' && known.get(keyOf(drift))?.some((entry) => accepts(entry, drift))
      ? 'baseline'
      : undefined,
  )
  const gone = entries.filter(
    (entry) => !found.get(keyOf(entry))?.some((drift) => accepts(entry, drift)),
  )
  return { ...accepted, gone }
}

function split(drifts: readonly Drift[], reasonOf: (drift: Drift) => string | undefined): Accepted {
  const judged = drifts.map((drift) => ({ drift, reason: reasonOf(drift) }))
  return {
    drifts: judged.flatMap(({ drift, reason }) => (reason === undefined ? [drift] : [])),
    ignored: judged.flatMap(({ drift, reason }) =>
      reason === undefined ? [] : [{ drift, reason }],
    ),
  }
}
