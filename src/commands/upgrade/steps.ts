// Steps of an upgrade: what each hop changes in the profile, in the bundle and on a node.
import { cniOf } from '../../cni/index.ts'
import { diffBundle, diffText } from '../../io/bundle-diff.ts'
import type { FileChange } from '../../io/bundle/plan-changes.ts'
import { editProfile } from '../../io/source/edit-profile.ts'
import type { Compiled } from '../../compile.ts'
import { type Finding, findingKey } from '../../model/finding.ts'
import { isObject, type JsonObject } from '../../model/json.ts'
import type { Need } from '../../model/need.ts'
import type { RenderedFile } from '../../model/plan.ts'
import type { ReadStatic } from '../../render/render-file.ts'
import { renderFiles } from '../../render/render.ts'
import type { Hop, UpgradePlan } from '../../upgrade/plan-upgrade.ts'
import { requiredFields } from '../check-profile.ts'
import { changeNeed } from '../drift/bundle.ts'

export interface UpgradeStep extends Hop {
  readonly versions: readonly VersionChange[]
  /** The changed profile, if it is a file. */
  readonly profile: { readonly text: string; readonly diff: string } | undefined
  /** Changed files of the bundle; absent if the profile is refused before the step. */
  readonly bundle: BundleChange | undefined
  /** Fields that only the user knows, and that the profile still lacks. */
  readonly missing: readonly string[]
  /** Findings that the profile did not have before. */
  readonly added: readonly Finding[]
}

export interface VersionChange {
  readonly subject: string
  readonly before: string
  readonly after: string
  readonly reason: string
}

export interface BundleChange {
  readonly changes: readonly FileChange[]
  readonly diffs: readonly string[]
  readonly need: Need
}

interface ProfileText {
  readonly name: string
  readonly text: string
  readonly patch: JsonObject
}

export async function stepsOf(
  { before, hops }: UpgradePlan,
  profile: ProfileText | undefined,
  readStatic: ReadStatic,
): Promise<readonly UpgradeStep[]> {
  const steps: UpgradeStep[] = []
  let [from, file] = [before, profile]
  for (const hop of hops) {
    const next = file && amended(file, hop.change)
    steps.push({
      ...hop,
      versions: versionChanges(from, hop.after),
      profile: file &&
        next && {
          text: next.text,
          diff: await diffText(file.name, file.text, next.text),
        },
      bundle: await bundleChange(from, hop.after, readStatic),
      missing: requiredFields(hop.after.findings),
      added: addedFindings(from, hop.after),
    })
    from = hop.after
    file = next
  }
  return steps
}

function amended({ name, text, patch }: ProfileText, change: JsonObject): ProfileText {
  const after = patched(patch, change)
  return { name, text: editProfile(text, { before: patch, after }, []), patch: after }
}

/** A key that only a parent sets stays as `null`, which removes it. */
function patched(document: JsonObject, change: JsonObject): JsonObject {
  const merged = new Map(Object.entries(document))
  for (const [key, value] of Object.entries(change)) {
    const before = merged.get(key)
    if (value === null && before !== undefined) merged.delete(key)
    else merged.set(key, isObject(before) && isObject(value) ? patched(before, value) : value)
  }
  return Object.fromEntries(merged)
}

function versionChanges(before: Compiled, after: Compiled): readonly VersionChange[] {
  const earlier = new Map(before.decisions.map(({ subject, value }) => [subject, value]))
  return after.decisions.flatMap(({ subject, value, reason }) => {
    const was = earlier.get(subject)
    return was === undefined || was === value
      ? []
      : [{ subject, before: was, after: value, reason }]
  })
}

async function bundleChange(
  before: Compiled,
  after: Compiled,
  readStatic: ReadStatic,
): Promise<BundleChange | undefined> {
  if (!before.plan || !after.plan) return undefined
  const old = await renderFiles(before.plan, readStatic)
  const files = await renderFiles(after.plan, readStatic)
  const held = new Map(old.map(({ path, content }) => [path, content]))
  const changes = changedFiles(held, files)
  const diffs = await diffBundle(files, changes, held, { created: true })
  return {
    changes,
    diffs: diffs.map(({ text }) => text),
    // A provider's image contains the programs, and runs its user data at the first start only.
    need: cniOf(after.facts.spec.network.cni).image
      ? 'machine'
      : await changeNeed(held, files, after.plan),
  }
}

function changedFiles(
  held: ReadonlyMap<string, Uint8Array>,
  files: readonly RenderedFile[],
): readonly FileChange[] {
  const kept = new Set(files.map(({ path }) => path))
  const gone = [...held.keys()].filter((path) => !kept.has(path))
  return [
    ...files.flatMap(({ path, content }): readonly FileChange[] => {
      const old = held.get(path)
      if (!old) return [{ path, change: 'create' }]
      return Buffer.compare(old, content) === 0 ? [] : [{ path, change: 'replace' }]
    }),
    ...gone.map((path): FileChange => ({ path, change: 'remove' })),
  ]
}

function addedFindings(before: Compiled, after: Compiled): readonly Finding[] {
  const known = new Set(before.findings.map(findingKey))
  return after.findings.filter((finding) => !known.has(findingKey(finding)))
}
