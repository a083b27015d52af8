// Edits: which lines of a text have others in their place.
import type * as diff from 'diff'

/** `count` lines from `at` on, on each side. */
export interface Edit {
  readonly old: Span
  readonly fresh: Span
}

interface Span {
  readonly at: number
  readonly count: number
}

type Lines = readonly string[]
type Lib = Pick<typeof diff, 'diffArrays'>

/** Where more differs, to look for the least of it takes long. */
const most = { whole: 1000, part: 200 }

/** Finds them in order, with lines between them. */
export async function editor(): Promise<(old: Lines, fresh: Lines) => readonly Edit[]> {
  const lib = await import('diff')
  return (old, fresh) => editsOf(lib, old, fresh)
}

function editsOf(lib: Lib, old: Lines, fresh: Lines): readonly Edit[] {
  const whole = least(lib, old, fresh, most.whole)
  if (whole) return whole
  const anchors = [...anchorsOf(old, fresh), { old: old.length, fresh: fresh.length }]
  let at = { old: 0, fresh: 0 }
  const edits = anchors.flatMap((anchor) => {
    const part = { old: old.slice(at.old, anchor.old), fresh: fresh.slice(at.fresh, anchor.fresh) }
    const found = least(lib, part.old, part.fresh, most.part) ?? [all(part.old, part.fresh)]
    const moved = found.map((edit) => ({
      old: { at: edit.old.at + at.old, count: edit.old.count },
      fresh: { at: edit.fresh.at + at.fresh, count: edit.fresh.count },
    }))
    at = { old: anchor.old + 1, fresh: anchor.fresh + 1 }
    return moved
  })
  return edits
}

/** All that is not the same at both ends. */
function all(old: Lines, fresh: Lines): Edit {
  const shorter = Math.min(old.length, fresh.length)
  let at = 0
  while (at < shorter && old[at] === fresh[at]) at++
  let left = 0
  while (left < shorter - at && old.at(-1 - left) === fresh.at(-1 - left)) left++
  return {
    old: { at, count: old.length - at - left },
    fresh: { at, count: fresh.length - at - left },
  }
}

function least(lib: Lib, old: Lines, fresh: Lines, mostEdits: number): readonly Edit[] | undefined {
  const changes = lib.diffArrays([...old], [...fresh], { maxEditLength: mostEdits })
  if (!changes) return undefined
  const edits: Edit[] = []
  const at = { old: 0, fresh: 0 }
  let open = { ...at }
  const close = () => {
    const [gone, come] = [at.old - open.old, at.fresh - open.fresh]
    if (gone + come > 0)
      edits.push({ old: { at: open.old, count: gone }, fresh: { at: open.fresh, count: come } })
  }
  for (const { added, removed, count } of changes) {
    const same = !added && !removed
    if (same) close()
    if (!added) at.old += count
    if (!removed) at.fresh += count
    if (same) open = { ...at }
  }
  close()
  return edits
}

/**
 * Lines that each text has once, as many as stand in the same order: what is between them is small.
 * https://bramcohen.livejournal.com/73318.html
 */
function anchorsOf(old: Lines, fresh: Lines): readonly { old: number; fresh: number }[] {
  const [once, there] = [placesOf(old), placesOf(fresh)]
  const pairs = old.flatMap((line, at) => {
    const place = once.get(line) === at ? (there.get(line) ?? -1) : -1
    return place < 0 ? [] : [{ old: at, fresh: place }]
  })
  return rising(pairs)
}

/** -1 for lines that stand there several times. */
function placesOf(lines: Lines): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  for (const [at, line] of lines.entries()) places.set(line, places.has(line) ? -1 : at)
  return places
}

/** The longest row of pairs whose second numbers rise, as the first ones do. */
function rising(pairs: readonly { old: number; fresh: number }[]) {
  interface Link {
    readonly pair: (typeof pairs)[number]
    readonly before: Link | undefined
  }
  /** By length, the row of that length that ends lowest. */
  const ends: Link[] = []
  for (const pair of pairs) {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((ends[middle]?.pair.fresh ?? 0) < pair.fresh) low = middle + 1
      else high = middle
    }
    ends[low] = { pair, before: ends[low - 1] }
  }
  const row: (typeof pairs)[number][] = []
  for (let link = ends.at(-1); link; link = link.before) row.push(link.pair)
  return row.toReversed()
}
