// What a person does in a step of an upgrade, in order.
import { joinsWithKubeadm } from '../../cni/index.ts'
import type { Need } from '../../model/need.ts'
import { renderCommand, type UpgradeWords } from '../next-commands.ts'
import type { UpgradeStep } from './steps.ts'

interface Subject {
  readonly profile: string
  readonly isFile: boolean
  /** Writes the step to a version to the files of the profile. */
  readonly command: (to: string) => string
  readonly words: UpgradeWords
  readonly folder: string
}

/** On each node, after `kubectl drain`. */
const onNodes: Readonly<Record<Need, readonly string[]>> = {
  nothing: [],
  apply: [],
  install: ['on each node, drained: Install-WinNode.ps1, Join-WinNode.ps1, Test-WinNode.ps1'],
  restart: [
    'on each node, drained: Install-WinNode.ps1, a restart, Install again, Join-WinNode.ps1, Test-WinNode.ps1',
  ],
  join: [
    'on each node, drained: Reset-WinNode.ps1, kubectl delete node, Install-WinNode.ps1, Join-WinNode.ps1 with a token, Test-WinNode.ps1',
  ],
  machine: ['replace the machines'],
}

/** `profile` as a person typed it; `folder` of its bundle. */
export function todoOf(
  { to, controlPlane, bundle: changed, after, profile: edits }: UpgradeStep,
  { profile, isFile, folder, words, command }: Subject,
): readonly string[] {
  const files = changed?.changes ?? []
  return [
    ...controlPlaneLine(controlPlane, joinsWithKubeadm(after.facts.spec)),
    ...(edits?.diff === '' ? [] : [isFile ? command(to) : 'set these fields in your profile']),
    ...(isFile ? [renderCommand(profile, folder, words)] : []),
    ...(files.some(({ path }) => path.startsWith('cluster/'))
      ? [`sh ${folder}/cluster/prepare.sh apply`]
      : []),
    ...onNodes[changed?.need ?? 'install'],
  ]
}

function controlPlaneLine(versions: readonly string[], kubeadm: boolean): readonly string[] {
  if (versions.length === 0) return []
  const how = versions.length > 1 ? ', one minor at a time' : ''
  const each = versions.map((version) => (kubeadm ? `v${version}` : version)).join(', then ')
  return [`the control plane${how}: ${kubeadm ? 'kubeadm upgrade apply ' : ''}${each}`]
}
