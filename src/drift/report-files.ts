// Report-files: the files that a report holds, beside what the profile writes there.
import { settingsOf } from '../artifacts/settings/index.ts'
import type { Drift } from '../model/drift.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import type { Derivation } from '../model/step.ts'
import { fieldDrift } from './bundle-drift.ts'
import type { Desired, DesiredFile } from './desired.ts'
import type { Content, Doc, Found } from './evidence.ts'
import { leavesOf } from './leaves.ts'
import { remedies } from './remedies.ts'
import { whyOf } from './why.ts'

/** Reads the text of a file as its program does; `path` is where it lies in a bundle. */
export type ReadText = (text: string, path: string, shown: string) => Promise<Content>

/** What Hide-NodeSecret puts in the place of a secret. */
const hidden = '<hidden>'

/** Texts of a fleet are few: what was said of one is kept, of so many. */
const kept = 200

/** Says of each report how its files differ. */
export function openReportFiles(
  { files }: Desired,
  read: ReadText,
): (report: JsonObject) => Promise<readonly Drift[]> {
  const known = new Map<string, readonly Drift[]>()
  return async ({ configuration }) => {
    const drifts: Drift[] = []
    for (const [place, text] of isObject(configuration) ? Object.entries(configuration) : []) {
      const file = files.get(place.toLowerCase())
      if (!file || typeof text !== 'string' || isAsWritten(text, file)) continue
      const key = `${place}\n${text}`
      const found = known.get(key) ?? (await fileDrifts(text, place, file, read))
      if (known.size < kept) known.set(key, found)
      drifts.push(...found)
    }
    return drifts
  }
}

/** Without the places of its values, which take ten times as long. */
function isAsWritten(text: string, file: DesiredFile): boolean {
  if (text === file.text) return true
  const { content, plan } = file
  if (content.kind !== 'documents' || !plan.path.endsWith('.json')) return false
  try {
    const value: unknown = JSON.parse(text)
    if (!isObject(value)) return false
    return differing(file, [{ name: '', value, place: () => undefined }]).length === 0
  } catch {
    return false
  }
}

function differing({ plan, step, content }: DesiredFile, was: readonly Doc[]): readonly Found[] {
  if (content.kind !== 'documents') return []
  const derived = step.kind === 'derivedFile' ? step.derive : []
  return leavesOf(plan.path, content.docs, was).filter(
    (leaf) => !isDerived(leaf, derived) && !isHidden(leaf),
  )
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
  const settings = settingsOf(plan)
  const of = { path: plan.path, shown: place, found: '', recorded: '', rendered: '' }
  return differing(file, was.docs).map((leaf) => {
    const why = settings && whyOf(settings, leaf.steps)
    return { ...fieldDrift(of, 'theirs', { leaf, why }), remedy: remedies[step.phase] }
  })
}

/** The node sets it itself. */
function isDerived({ at }: Found, derived: readonly Derivation[]): boolean {
  return derived.some(({ pointer }) => pointer === at.map((step) => `/${step}`).join(''))
}

function isHidden({ was }: Found): boolean {
  return JSON.stringify(was ?? null).includes(hidden)
}
