// History: in which Kubernetes minors something exists, and how it changed.
import { isSameJson } from '../model/json.ts'
import { minorsWithTables } from './minors.ts'

/** Minors that follow each other and have the same row. */
interface Span<Row> {
  readonly from: string
  readonly to: string
  readonly row: Row
}

/** Oldest first; minors without a row are in no span. `minors`: those that are known to have it or not. */
export function historyOf<Row>(
  rowIn: (minor: string) => Row | undefined,
  minors = minorsWithTables,
): readonly Span<Row>[] {
  const spans: Span<Row>[] = []
  let before: string | undefined
  for (const minor of minors) {
    const row = rowIn(minor)
    const last = spans.at(-1)
    if (row !== undefined && last?.to === before && isSameJson(last?.row, row))
      spans.splice(-1, 1, { from: last?.from ?? minor, to: minor, row })
    else if (row !== undefined) spans.push({ from: minor, to: minor, row })
    before = minor
  }
  return spans
}

/** The minor after the last one that has it; `undefined` if the newest one has it. */
export function removedIn(spans: readonly Span<unknown>[]): string | undefined {
  const last = spans.at(-1)
  return last && minorsWithTables[minorsWithTables.indexOf(last.to) + 1]
}

/** `to 1.27`, `1.28 to 1.30`, `1.31`, `from 1.32`, or `1.25 to 1.37` for all that are known. */
export function spanText({ from, to }: Pick<Span<unknown>, 'from' | 'to'>): string {
  const [oldest] = minorsWithTables
  const newest = minorsWithTables.at(-1)
  if (from === to) return from
  if (from === oldest && to !== newest) return `to ${to}`
  if (from !== oldest && to === newest) return `from ${from}`
  return `${from} to ${to}`
}
