// Evidence of several profiles: which bundle belongs to which, by its name.
import { join } from 'node:path'
import { unmatchedDrift, unreadableDrift } from '../../drift/unreadable.ts'
import { readFrom } from '../../io/drift/bundle-folder.ts'
import { below } from '../../io/native-path.ts'
import { manifestNames } from '../../model/bundle-path.ts'
import type { Drift } from '../../model/drift.ts'
import { parseObject } from '../../model/json.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { bundleDrift } from './bundle.ts'
import type { Evidence } from './evidence.ts'
import type { NodesDrift } from './nodes.ts'
import { outputDrift, type OutputOf } from './output.ts'

type Bundle = Extract<Evidence, { readonly kind: 'bundle' }>

interface Subject {
  readonly profile: string
  readonly plan: Plan
  readonly files: readonly RenderedFile[]
  readonly outputOf: OutputOf
}

/** `nodes` has the nodes of each profile, by the name of its bundle. */
export async function comparedWith(
  { profile, plan, files, outputOf }: Subject,
  evidence: readonly Evidence[],
  nodes: ReadonlyMap<string, NodesDrift>,
  several: boolean,
): Promise<NodesDrift> {
  const all = evidence.filter((one) => one.kind === 'bundle')
  const bundles = several ? all.filter((one) => nameIn(one) === plan.name) : all
  const drifts = await Promise.all(
    bundles.map((one) =>
      one.output ? outputDrift(one, outputOf, plan) : bundleDrift(one, files, plan),
    ),
  )
  const ofNodes = nodes.get(plan.name) ?? { drifts: [], nodes: [] }
  const isMissing = several && bundles.length === 0 && ofNodes.nodes.length === 0
  const missing = isMissing
    ? [unmatchedDrift(profile, `no bundle and no node named ${plan.name} in the evidence`)]
    : []
  return { drifts: [...drifts.flat(), ...ofNodes.drifts, ...missing], nodes: ofNodes.nodes }
}

/** Bundles of none of the profiles. */
export function unassigned(
  evidence: readonly Evidence[],
  names: readonly string[],
): readonly Drift[] {
  return evidence.flatMap((one) => {
    if (one.kind !== 'bundle') return []
    const { unread } = manifestIn(one)
    if (unread !== undefined) return unreadableDrift(below(one.folder, manifestOf(one)), unread)
    const name = nameIn(one)
    return names.includes(name)
      ? []
      : unmatchedDrift(one.folder, `its name is ${name}, and no profile of this run has that name`)
  })
}

function nameIn(bundle: Bundle): string {
  const name = parseObject(new TextDecoder().decode(manifestIn(bundle).content))?.['name']
  return typeof name === 'string' ? name : 'unknown'
}

function manifestIn(bundle: Bundle) {
  return readFrom(join(bundle.place, manifestOf(bundle)))
}

function manifestOf({ output }: Bundle): string {
  return output ? manifestNames.output : manifestNames.bundle
}
