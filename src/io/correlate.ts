// Adds to findings the file and line in which the user can edit their field, without secrets.
import type { Finding, Place } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import { isObject, valueAt, type Json } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { openConceal, withoutSecrets } from '../text/secrets.ts'
import { shortened } from '../text/shortened.ts'

/** The layers that the user wrote. */
export interface Written {
  /** From weak to strong. */
  readonly layers: readonly Layer[]
  /** The file that a person named, where fields are added that stand nowhere; absent for a built-in profile. */
  readonly own?: Layer | undefined
  readonly origin: (path: Path) => Layer | undefined
}

/** Sorted by location; a finding that has one keeps it. */
export function correlate(findings: readonly Finding[], written: Written): readonly Finding[] {
  return findings.map((finding) => located(finding, written)).sort(compareFindings)
}

export function located(finding: Finding, written: Written): Finding {
  return finding.place ? finding : withPlace(finding, written)
}

/** Redacts secrets, as findings end up in logs and any wrong line may contain one; truncates long values. */
export function concealed(findings: readonly Finding[]): readonly Finding[] {
  const conceal = openConceal()
  const tell = (text: string) => shortened(withoutSecrets(text))
  return findings.map((finding) => {
    const { path, message, remedy, place } = finding
    return {
      ...finding,
      path: path.map((step) => (typeof step === 'string' ? tell(step) : step)),
      message: tell(message),
      ...(remedy !== undefined && { remedy: tell(remedy) }),
      ...(place && { place: toldPlace(place, conceal) }),
    }
  })
}

/** The longest path of an existing file: PATH_MAX. */
const longestPath = 4096

function toldPlace(place: Place, conceal: (line: string) => string): Place {
  const { file, excerpt } = place
  return {
    ...place,
    file: shortened(file, longestPath),
    ...(excerpt !== undefined && { excerpt: conceal(excerpt) }),
  }
}

function withPlace(finding: Finding, written: Written): Finding {
  const { path, at } = finding
  const writer = written.origin(path)
  const exact = writer?.place(path, at)
  if (exact && !writer?.fixed) return { ...finding, place: exact }
  const around = exact || !writer ? undefined : ofMap(path, written)
  if (around) return { ...finding, place: around }
  const valueFrom = exact ? `${exact.file}:${exact.line}` : 'not set'
  const place = editable(path, written)
  return { ...finding, ...(place && { place }), ...(path.length > 0 && { valueFrom }) }
}

/** A flag that sets `a.b.c` has no text for the map `a.b`, even if nothing else sets it. */
function ofMap(path: Path, { layers }: Written): Place | undefined {
  const writers = layers.filter(({ patch }) => isObject(valueAt(patch, path)))
  if (writers.some(({ fixed }) => fixed)) return undefined
  const ownText = writers.findLast((layer) => layer.place(path, 'key'))
  const writer = ownText ?? writers.at(-1)
  return writer && placeWithin(path, writer)
}

function placeWithin(path: Path, layer: Layer): Place | undefined {
  const place = layer.place(path, 'key')
  if (place) return place
  const map = valueAt(layer.patch, path)
  const [key] = isObject(map) ? Object.keys(map) : []
  return key === undefined ? undefined : placeWithin([...path, key], layer)
}

/** The nearest map around the path that the user wrote, in the strongest such layer; otherwise the file. */
function editable(path: Path, { layers, own }: Written): Place | undefined {
  const theirs = layers
    .filter(({ fixed }) => !fixed)
    .map((layer) => ({ depth: depthOf(path, layer.patch), place: layer.place(path, 'key') }))
    .filter(({ depth, place }) => depth > 0 && place !== undefined)
  const deepest = Math.max(...theirs.map(({ depth }) => depth))
  return theirs.findLast(({ depth }) => depth === deepest)?.place ?? own?.place(path, 'key')
}

/** How many steps of the path the patch has. */
function depthOf(path: Path, patch: Json): number {
  let at: Json | undefined = patch
  for (const [depth, step] of path.entries()) {
    if (!isObject(at) || !Object.hasOwn(at, String(step))) return depth
    at = at[String(step)]
  }
  return path.length
}
