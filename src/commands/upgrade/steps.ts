// Steps of an upgrade: what each hop changes in the profile, in the bundle and on a node.
import { cniOf } from '../../cni/index.ts'
import { diffBundle, diffText } from '../../io/bundle-diff.ts'
import type { FileChange } from '../../io/bundle/plan-changes.ts'
import type { Compiled } from '../../compile.ts'
import { type Finding, findingKey } from '../../model/finding.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Need } from '../../model/need.ts'
import type { RenderedFile } from '../../model/plan.ts'
import { repositoryPath } from '../../present/formats/reported.ts'
import type { ReadStatic } from '../../render/render-file.ts'
import { renderFiles } from '../../render/render.ts'
import type { Hop, UpgradePlan } from '../../upgrade/plan-upgrade.ts'
import { requiredFields } from '../check-profile.ts'
import { changeNeed } from '../drift/bundle.ts'
import { changesByFile, type ProfileFiles, withChange } from './profile-files.ts'

export interface UpgradeStep extends Hop {
  readonly versions: readonly VersionChange[]
  /** What changes in the files of the profile, if it is one; empty if nothing does. */
  readonly profile: { readonly diff: string } | undefined
  /** Changed files of the bundle; absent if the profile is refused before the step. */
  readonly bundle: BundleChange | undefined
  /** Fields that only the user knows, and that the profile still lacks. */
  readonly missing: readonly string[]
  /** Findings that the profile did not have before, and untested combinations. */
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

/** `changeOf` is the change of the profile in a hop. */
export async function stepsOf(
  { before, hops }: UpgradePlan,
  profile: ProfileFiles | undefined,
  changeOf: (hop: Hop) => JsonObject,
  readStatic: ReadStatic,
): Promise<readonly UpgradeStep[]> {
  const steps: UpgradeStep[] = []
  let [from, files] = [before, profile]
  for (const hop of hops) {
    const change = changeOf(hop)
    const next = files && amended(files, change)
    steps.push({
      ...hop,
      change,
      versions: versionChanges(from, hop.after),
      profile: files && next && { diff: diffOf(files, next) },
      bundle: await bundleChange(from, hop, readStatic),
      missing: requiredFields(hop.after.findings),
      added: addedFindings(from, hop),
    })
    from = hop.after
    files = next
  }
  return steps
}

function amended(files: ProfileFiles, change: JsonObject): ProfileFiles {
  const changes = changesByFile(files, change)
  const texts = [...files.texts].map(([file, before]) => {
    const own = changes.get(file)
    return [file, own ? withChange(before, own) : before] as const
  })
  return { ...files, texts: new Map(texts) }
}

function diffOf(before: ProfileFiles, after: ProfileFiles): string {
  const diffs = [...after.texts.values()].map(({ name, file, text }) =>
    // For git apply, whose names are below its folder.
    diffText(repositoryPath(name).replace(/^\/+/, ''), before.texts.get(file)?.text ?? '', text),
  )
  return diffs.join('')
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
  { after, isReached }: Hop,
  readStatic: ReadStatic,
): Promise<BundleChange | undefined> {
  if (!before.plan || !after.plan) return undefined
  const old = await renderFiles(before.plan, readStatic)
  const files = await renderFiles(after.plan, readStatic)
  const held = new Map(old.map(({ path, content }) => [path, content]))
  const changes = changedFiles(held, files)
  const diffs = diffBundle(files, changes, held, { created: true })
  return {
    changes,
    diffs: diffs.map(({ text }) => text),
    need: isReached ? 'nothing' : await needOf(after, held, files, after.plan),
  }
}

async function needOf(
  { facts }: Compiled,
  ...[held, files, plan]: Parameters<typeof changeNeed>
): Promise<Need> {
  // A provider's image contains the programs, and runs its user data at the first start only.
  return cniOf(facts.spec.network.cni).image ? 'machine' : changeNeed(held, files, plan)
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

function addedFindings(before: Compiled, { after, accepted }: Hop): readonly Finding[] {
  const known = new Set([...before.findings, ...accepted].map(findingKey))
  return [...accepted, ...after.findings.filter((finding) => !known.has(findingKey(finding)))]
}
