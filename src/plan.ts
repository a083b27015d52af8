// Facts to plan: which files, which steps in which order, and what the node must find out.
import { clusterReadme } from './artifacts/cluster-readme.ts'
import { artifacts } from './artifacts/index.ts'
import { readme } from './artifacts/readme.ts'
import { cniOf } from './cni/index.ts'
import { componentsOf } from './downloads/components.ts'
import type { Facts } from './model/facts.ts'
import type { Decision, DraftStep, Plan, PlannedFact, PlannedFile } from './model/plan.ts'
import { phases } from './model/phase.ts'
import type { NodeFact } from './model/node-fact.ts'
import { healthOf } from './steps/health.ts'
import { afterFiles, beforeFiles } from './steps/index.ts'
import { requiredFiles } from './steps/join.ts'
import { mirrorFiles, preflightOf } from './steps/preflight.ts'

export function planOf(facts: Facts, decisions: readonly Decision[]): Plan {
  const cni = cniOf(facts.spec.network.cni)
  const made = [...artifacts, ...cni.artifacts].flatMap((artifact) => artifact.plan(facts))
  const steps = inOrder([
    ...beforeFiles.flatMap((group) => group(facts)),
    ...made.flatMap(fileStep),
    ...afterFiles.flatMap((group) => group(facts)),
  ])
  const files = [...made, clusterReadme(facts, made)]
  const told = {
    spec: facts.spec,
    first: mirrorFiles(facts),
    required: requiredFiles(facts),
  }
  return {
    name: facts.spec.name,
    decisions,
    files: [readme({ ...told, decisions, steps, files }), ...files],
    facts: factsOf(facts, cni.facts(facts)),
    preflight: preflightOf(facts),
    health: healthOf(facts),
    steps,
    components: componentsOf(facts),
  }
}

function fileStep({ id, path, install }: PlannedFile): readonly DraftStep[] {
  if (!install) return []
  const step = {
    id: `file-${id}`,
    phase: install.phase,
    after: install.after ?? [],
    restart: 'never',
    path: install.path,
    source: path,
  } as const
  if (!install.derive) return [{ ...step, kind: 'file' }]
  return [{ ...step, kind: 'derivedFile', derive: install.derive }]
}

/** By phase; within one, as declared, but never before what a step comes after. */
function inOrder(steps: readonly DraftStep[]): readonly DraftStep[] {
  const waiting = phases.flatMap((phase) => steps.filter((step) => step.phase === phase))
  const placed = new Set<string>()
  const ordered: DraftStep[] = []
  while (waiting.length > 0) {
    const next = waiting.findIndex((step) => step.after.every((id) => placed.has(id)))
    const [step] = waiting.splice(next, 1)
    if (next === -1 || !step) throw new Error(`no order for ${waiting.map(({ id }) => id).join()}`)
    placed.add(step.id)
    ordered.push(step)
  }
  return ordered
}

/** What the node finds out, unless the profile says it. */
function factsOf(
  { spec: { kubelet, network } }: Facts,
  plugin: readonly PlannedFact[],
): readonly PlannedFact[] {
  const said: Partial<Record<NodeFact, string | undefined>> = {
    nodeName: typeof kubelet.nodeName === 'string' ? kubelet.nodeName : undefined,
    adapter: network.adapter,
    nodeIP: network.nodeIP,
    sourceVip: network.sourceVip,
  }
  const machine: readonly PlannedFact[] = [
    fromFile('nodeName', kubelet.nodeName),
    // The address is that of the default route's adapter, unless one is named.
    ...(network.adapter === undefined ? [] : [{ name: 'adapter' } as const]),
    { name: 'nodeIP' },
    ...(typeof kubelet.providerID === 'object' ? [fromFile('providerID', kubelet.providerID)] : []),
  ]
  return [...machine, ...plugin].map((fact) => {
    const override = said[fact.name]
    return override === undefined ? fact : { ...fact, override }
  })
}

function fromFile(
  name: NodeFact,
  written: string | { readonly file: string } | undefined,
): PlannedFact {
  return typeof written === 'object' ? { name, with: written } : { name }
}
