// Groups findings that have the same remedy or subject, to show each group as one finding.
import { compareFindings, type Finding, type Group } from '../model/finding.ts'
import { groupBy } from '../model/group-by.ts'

/** A finding, or a group of findings. */
export type FindingOrGroup = Finding & {
  /** Ids of the findings of a group. */
  readonly ids?: readonly string[]
}

/** Each group as one finding, with the severity of its worst member, at a value that the profile sets if there is one. */
export function groupFindings(findings: readonly Finding[]): readonly FindingOrGroup[] {
  const members = groupBy(findings.toSorted(compareFindings), groupKey)
  return findings.flatMap((finding) => {
    const { group } = finding
    const all = members.get(groupKey(finding)) ?? []
    if (!group || all.length < 2) return [finding]
    return finding === all[0] ? [mergeGroup(finding, group, all)] : []
  })
}

/** Findings with separate remedies are one group only if they have the same severity. */
function groupKey({ severity, group }: Finding): string {
  return JSON.stringify([group?.title, group?.remedy === undefined && severity])
}

function mergeGroup(
  worst: Finding,
  { id, title, remedy }: Group,
  all: readonly Finding[],
): FindingOrGroup {
  const lead = leadingError(all)
  const { harm } = lead ?? worst
  const { path, at, place, valueFrom } = lead ?? all.find(isSet) ?? worst
  const others = countParts(all.filter((one) => one !== lead))
  return {
    id,
    severity: worst.severity,
    ...(harm && { harm }),
    path,
    ...(at && { at }),
    ...(place && { place }),
    ...(valueFrom !== undefined && { valueFrom }),
    message: lead ? `${lead.message}; ${title} this and ${others}` : `${title}: ${others}`,
    ...(remedy !== undefined && { remedy }),
    ids: [...new Set(all.map((one) => one.id))],
  }
}

/** The error that represents a group: if possible, one about a value that the profile sets. */
function leadingError(all: readonly Finding[]): Finding | undefined {
  const errors = all.filter(({ severity, group }) => severity === 'error' && !group?.countedAs)
  const [first] = errors
  return errors.find(isSet) ?? first
}

const isSet = ({ valueFrom }: Finding) => valueFrom === undefined

const other = 'other finding'

/** Parts that are nouns for one of several. */
const countable: readonly string[] = ['CVE', 'defect', other]

/** `end of life, 3 CVEs, 1 defect, 1 other finding`; a separate row has the ids. */
function countParts(all: readonly Finding[]): string {
  return [...groupBy(all, ({ group }) => group?.countedAs ?? other)]
    .toSorted(([a], [b]) => Number(a === other) - Number(b === other))
    .map(([part, { length }]) => {
      if (length === 1) return countable.includes(part) ? `1 ${part}` : part
      return `${length} ${part}s`
    })
    .join(', ')
}
