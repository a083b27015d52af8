// Compares the files in a report with those that the profile renders.
import type { Drift } from '../model/drift.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import { createRedactor } from '../text/secrets.ts'
import { fileDifferences, isAsRendered } from './as-rendered.ts'
import { fieldDrift } from './bundle-drift.ts'
import type { Desired, DesiredFile } from './desired.ts'
import type { Content } from './evidence.ts'
import { readable } from './readable.ts'
import { remedyOf } from './remedies.ts'

/** Parses a file as its program does; `path` is the path in the bundle. */
export type ReadText = (text: string, path: string, shown: string) => Promise<Content>

/** A fleet has few different texts. */
const maxCached = 200

/** Returns the differences of the files in a report. */
export function openReportFiles(
  { files }: Desired,
  read: ReadText,
): (report: JsonObject) => Promise<readonly Drift[]> {
  const known = new Map<string, readonly Drift[]>()
  return async ({ configuration }) => {
    const drifts: Drift[] = []
    for (const [place, text] of isObject(configuration) ? Object.entries(configuration) : []) {
      const file = files.get(place.toLowerCase())
      if (!file || typeof text !== 'string' || isAsRendered(text, file)) continue
      const key = `${place}\n${text}`
      const found = known.get(key) ?? (await fileDrifts(text, place, file, read))
      if (known.size < maxCached) known.set(key, found)
      drifts.push(...found)
    }
    return drifts
  }
}

async function fileDrifts(
  text: string,
  place: string,
  file: DesiredFile,
  read: ReadText,
): Promise<readonly Drift[]> {
  const { plan, step } = file
  const was = await read(text, plan.path, place)
  if (was.kind !== 'documents' || was.docs.length === 0) return []
  const conceal = createRedactor()
  const bundleFile = { path: plan.path, shown: place, found: '', recorded: '', rendered: '' }
  return readable(fileDifferences(file, was.docs), was.faults).map((leaf) => {
    const drift = fieldDrift(bundleFile, 'theirs', { leaf, plan, conceal })
    return { ...drift, remedy: remedyOf(step.phase, drift.need) }
  })
}
