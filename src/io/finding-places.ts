// Adds to findings the file and line in which the user can edit their field, without secrets.
import type { Finding, Place } from '../model/finding.ts'
import { compareFindings } from '../model/finding.ts'
import { isObject, valueAt, type Json } from '../model/json.ts'
import type { Layer } from '../model/layer.ts'
import type { Path } from '../model/path.ts'
import { createRedactor, redactSecrets } from '../text/secrets.ts'
import { truncateMiddle } from '../text/shortened.ts'

/** The layers of a profile, also built-in ones. */
interface Sources {
  /** Later layers override earlier ones. */
  readonly layers: readonly Layer[]
  /** The profile file of the command line, to which missing fields are added; absent for a built-in profile. */
  readonly own?: Layer | undefined
  /** The layer that sets the path. */
  readonly origin: (path: Path) => Layer | undefined
}

/** Sorted by location. */
export function withPlaces(findings: readonly Finding[], sources: Sources): readonly Finding[] {
  return findings.map((finding) => withPlace(finding, sources)).sort(compareFindings)
}

/** Redacts secrets, as findings end up in logs and any wrong line may contain one; truncates long values. */
export function concealed(findings: readonly Finding[]): readonly Finding[] {
  const conceal = createRedactor()
  const clean = (text: string) => truncateMiddle(redactSecrets(text))
  return findings.map((finding) => {
    const { path, message, remedy, place } = finding
    return {
      ...finding,
      path: path.map((step) => (typeof step === 'string' ? clean(step) : step)),
      message: clean(message),
      ...(remedy !== undefined && { remedy: clean(remedy) }),
      ...(place && { place: concealedPlace(place, conceal) }),
    }
  })
}

/** PATH_MAX of Linux. */
const longestPath = 4096

function concealedPlace(place: Place, conceal: (line: string) => string): Place {
  const { file, excerpt } = place
  return {
    ...place,
    file: truncateMiddle(file, longestPath),
    ...(excerpt !== undefined && { excerpt: conceal(excerpt) }),
  }
}

/** A finding that has a place keeps it. */
export function withPlace(finding: Finding, sources: Sources): Finding {
  if (finding.place) return finding
  const { path, at } = finding
  const writer = sources.origin(path)
  const exact = writer?.place(path, at)
  if (exact && !writer?.builtIn) return { ...finding, place: exact }
  const around = exact || !writer ? undefined : placeOfMap(path, sources)
  if (around) return { ...finding, place: around }
  const valueFrom = exact ? `${exact.file}:${exact.line}` : 'not set'
  const place = nearestPlace(path, sources)
  return { ...finding, ...(place && { place }), ...(path.length > 0 && { valueFrom }) }
}

/** The place of a map: its key in the last layer with a key for it, else its first entry; none if a built-in profile sets it. */
function placeOfMap(path: Path, { layers }: Sources): Place | undefined {
  const writers = layers.filter(({ patch }) => isObject(valueAt(patch, path)))
  if (writers.some(({ builtIn }) => builtIn)) return undefined
  const writer = writers.findLast((layer) => layer.place(path, 'key')) ?? writers.at(-1)
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
function nearestPlace(path: Path, { layers, own }: Sources): Place | undefined {
  const places = layers
    .filter(({ builtIn }) => !builtIn)
    .map((layer) => ({ depth: depthOf(path, layer.patch), place: layer.place(path, 'key') }))
    .filter(({ depth, place }) => depth > 0 && place !== undefined)
  const deepest = Math.max(...places.map(({ depth }) => depth))
  return places.findLast(({ depth }) => depth === deepest)?.place ?? own?.place(path, 'key')
}

/** How many leading steps of the path exist in the patch. */
function depthOf(path: Path, patch: Json): number {
  let at: Json | undefined = patch
  for (const [depth, step] of path.entries()) {
    if (!isObject(at) || !Object.hasOwn(at, String(step))) return depth
    at = at[String(step)]
  }
  return path.length
}
