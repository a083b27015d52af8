// What a change of each part of a bundle needs on a node.
import { everyCni } from '../cni/index.ts'
import { type Json, textAt } from '../model/json.ts'
import { largestNeed, type Need } from '../model/need.ts'
import type { Step, StepKind } from '../model/step.ts'

/** By kind of step, unless it can require a restart. */
const kindNeeds: Readonly<Record<StepKind, Need>> = {
  windowsFeature: 'install',
  directory: 'install',
  file: 'install',
  derivedFile: 'install',
  download: 'install',
  archive: 'install',
  registryValue: 'install',
  pathEntry: 'install',
  service: 'install',
  serviceRunning: 'install',
  serviceStart: 'install',
  firewallRule: 'install',
  defenderExclusion: 'install',
  pageFile: 'install',
  route: 'install',
  dynamicPorts: 'install',
  excludedPorts: 'install',
  vmwareTools: 'install',
  systemVolume: 'install',
  powerPlan: 'install',
  timeService: 'install',
  bootSetting: 'install',
  bootTask: 'install',
  logRotation: 'install',
  // Only Reset removes the old network and its endpoints.
  hnsNetwork: 'join',
  externalNetwork: 'join',
  remoteAccess: 'install',
  pluginFile: 'install',
  pluginNetwork: 'install',
  openVSwitch: 'install',
  addressReservation: 'join',
  hostEndpoint: 'join',
  imagePull: 'install',
  kubeadmJoin: 'join',
  bootstrapJoin: 'join',
}

type Row = readonly [file: RegExp, key: RegExp, need: Need]

const any = /^/

/** By file of a bundle and field in it; the first row counts. */
const rows: readonly Row[] = [
  [/\.md$|^bom\.json$/, any, 'nothing'],
  [/^cluster\//, any, 'apply'],
  // Taints and labels are set only at first registration: kubelet_node_status.go, tryRegisterWithAPIServer.
  [/^files\/kubelet\/config\.json$/, /^(registerWithTaints|providerID)\b/, 'join'],
  [/^files\/containerd\/config\.toml$/, /^(root|state)$/, 'join'],
  ...everyCni.flatMap(({ fileNeeds = [] }) =>
    fileNeeds.map(([file, need]): Row => [file, any, need]),
  ),
  // Only a node that has not joined yet reads them.
  [/^files\/kubeadm\//, /\bcaCertHashes\b|^apiVersion$/, 'install'],
  [/^files\/kubeadm\//, any, 'join'],
  [/^node\.json$/, /^(preflight|health)\b/, 'nothing'],
  [/^node\.json$/, /^facts\.(nodeName|providerID)\b/, 'join'],
  [/^node\.json$/, /^name$/, 'install'],
]

export function fileNeed(file: string, key: string): Need {
  return rows.find(([of, within]) => of.test(file) && within.test(key))?.[2] ?? 'install'
}

/** Flags of the kubelet that apply only at first registration. */
const registering = /^--(node-labels|hostname-override|register-with-taints|provider-id)$/

/** `path` is that in node.json: `steps`, the id, and the field. */
export function stepNeed(
  { kind, restart }: Pick<Step, 'kind' | 'restart'>,
  path: readonly (string | number)[] = [],
): Need {
  const flag = path[3]
  if (path[2] === 'command' && typeof flag === 'string' && registering.test(flag)) return 'join'
  return largestNeed([kindNeeds[kind], restart === 'maybe' ? 'restart' : 'nothing'])
}

export function isStep(value: Json | undefined): value is Json & Pick<Step, 'kind' | 'restart'> {
  return Object.hasOwn(kindNeeds, textAt(value, ['kind']))
}

/** What fixes a machine that fails a check. */
const checks: readonly (readonly [id: RegExp, need: Need])[] = [
  [/^windows-(build|server)$/, 'machine'],
  // The Windows update requires it.
  [/^revision-/, 'restart'],
]

export function checkNeed(id: string): Need {
  return checks.find(([of]) => of.test(id))?.[1] ?? 'nothing'
}
