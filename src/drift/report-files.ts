// Report-files: the files that a report holds, beside what the profile writes there.
import { settingsOf } from '../artifacts/settings/index.ts'
import type { Drift } from '../model/drift.ts'
import { isObject, type JsonObject } from '../model/json.ts'
import type { Derivation } from '../model/step.ts'
import { fieldDrift } from './bundle-drift.ts'
import type { Desired } from './desired.ts'
import type { Content, Found } from './evidence.ts'
import { leavesOf } from './leaves.ts'
import { whyOf } from './why.ts'

/** Reads the text of a file as its program does; `path` is where it lies in a bundle. */
export type ReadText = (text: string, path: string, shown: string) => Promise<Content>

/** What Hide-NodeSecret puts in the place of a secret. */
const hidden = '<hidden>'

export async function filesDrift(
  { configuration }: JsonObject,
  { files }: Desired,
  read: ReadText,
): Promise<readonly Drift[]> {
  const held = isObject(configuration) ? Object.entries(configuration) : []
  const drifts = await Promise.all(
    held.map(async ([place, text]) => {
      const file = files.get(place.toLowerCase())
      if (!file || typeof text !== 'string') return []
      const { plan, step, content: should } = file
      const was = await read(text, plan.path, place)
      if (was.kind !== 'documents' || should.kind !== 'documents') return []
      if (was.docs.length === 0) return []
      const derived = step.kind === 'derivedFile' ? step.derive : []
      const settings = settingsOf(plan)
      const of = { path: plan.path, shown: place, found: '', recorded: '', rendered: '' }
      return leavesOf(plan.path, should.docs, was.docs)
        .filter((leaf) => !isDerived(leaf, derived) && !isHidden(leaf))
        .map((leaf) => {
          const why = settings && whyOf(settings, leaf.steps)
          return { ...fieldDrift(of, 'theirs', { leaf, why }), remedy: install }
        })
    }),
  )
  return drifts.flat()
}

const install = 'Run Install-WinNode.ps1 on the node.'

/** The node sets it itself. */
function isDerived({ at }: Found, derived: readonly Derivation[]): boolean {
  return derived.some(({ pointer }) => pointer === at.map((step) => `/${step}`).join(''))
}

function isHidden({ was }: Found): boolean {
  return JSON.stringify(was ?? null).includes(hidden)
}
