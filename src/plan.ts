// Plans a bundle from facts: its files, its steps in order, and the facts that the node detects.
import { clusterReadme } from './artifacts/cluster-readme.ts'
import { addOns, artifacts } from './artifacts/index.ts'
import { kustomization } from './artifacts/kustomization.ts'
import { prepareScript } from './artifacts/prepare-script.ts'
import { readme } from './artifacts/readme.ts'
import { cniOf } from './cni/index.ts'
import { networkPods } from './cni/kube-proxy.ts'
import { fileOf } from './components/config-table.ts'
import { kubelet as kubeletProgram } from './components/kubelet.ts'
import { billOf } from './downloads/bill.ts'
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
  const { image } = cni
  if (image) {
    const manifests = addOns.flatMap((artifact) => artifact(facts) ?? [])
    const applied = manifests.length > 0 ? [...manifests, kustomization(manifests)] : []
    return {
      name: facts.spec.name,
      decisions,
      files: image.files(facts, decisions, applied),
      facts: [],
      preflight: [],
      health: [],
      steps: [],
      publishStatus: false,
      podLogs: [],
      bill: billOf(facts),
    }
  }
  const planned = [...artifacts, ...(cni.artifacts ?? [])].flatMap(
    (artifact) => artifact(facts) ?? [],
  )
  const steps = orderedSteps([
    ...beforeFiles.flatMap((group) => group(facts)),
    ...planned.flatMap(fileStep),
    ...afterFiles.flatMap((group) => group(facts)),
  ])
  const files = [
    ...planned,
    kustomization(planned),
    clusterReadme(facts, planned),
    prepareScript(facts),
  ]
  const about = {
    spec: facts.spec,
    first: mirrorFiles(facts),
    required: requiredFiles(facts),
  }
  return {
    name: facts.spec.name,
    decisions,
    files: [readme({ ...about, decisions, steps, files }), ...files],
    facts: factsOf(facts, cni.facts?.(facts) ?? []),
    preflight: preflightOf(facts),
    health: healthOf(facts),
    steps,
    publishStatus: facts.spec.host.publishStatus,
    podLogs: podLogsOf(facts),
    bill: billOf(facts),
  }
}

/** https://github.com/kubernetes/kubernetes/blob/v1.36.0/pkg/kubelet/kuberuntime/helpers.go (BuildPodLogsDirectory) */
function podLogsOf(facts: Facts): readonly string[] {
  const { podLogsDir } = fileOf(kubeletProgram, facts)
  const folder = typeof podLogsDir === 'string' ? podLogsDir : 'C:\\var\\log\\pods'
  return networkPods(facts.spec).map(({ namespace, name }) => `${folder}\\${namespace}_${name}-*`)
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

/** By phase; within a phase as declared, but after the steps in `after`. */
function orderedSteps(steps: readonly DraftStep[]): readonly DraftStep[] {
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

/** The facts that the node detects; a value in the profile overrides the detection. */
function factsOf(
  { spec: { kubelet, network } }: Facts,
  plugin: readonly PlannedFact[],
): readonly PlannedFact[] {
  const overrides: Partial<Record<NodeFact, string | undefined>> = {
    nodeName: typeof kubelet.nodeName === 'string' ? kubelet.nodeName : undefined,
    adapter: network.adapter,
    nodeIP: network.nodeIP,
    sourceVip: network.sourceVip,
  }
  const machine: readonly PlannedFact[] = [
    fromFile('nodeName', kubelet.nodeName),
    // Without it, nodeIP is taken from the adapter of the default route.
    ...(network.adapter === undefined ? [] : [adapterOf(network)]),
    { name: 'nodeIP' },
    ...(typeof kubelet.providerID === 'object' ? [fromFile('providerID', kubelet.providerID)] : []),
  ]
  return [...machine, ...plugin].map((fact) => {
    const override = overrides[fact.name]
    return override === undefined ? fact : { ...fact, override }
  })
}

/** The address of the adapter may move to a bridge. */
function adapterOf({ cni, mode }: Facts['spec']['network']): PlannedFact {
  const bridge = cniOf(cni).modes[mode]?.agent?.bridge
  return { name: 'adapter', ...(bridge === undefined ? {} : { with: { bridge } }) }
}

function fromFile(
  name: NodeFact,
  value: string | { readonly file: string } | undefined,
): PlannedFact {
  return typeof value === 'object' ? { name, with: value } : { name }
}
