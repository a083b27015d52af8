// The join step (kubeadm or TLS bootstrap), the steps after it, and the files that users must provide before it.
import { apiClientsOf } from '../cni/api-clients.ts'
import { cniOf } from '../cni/index.ts'
import { credentialFiles } from '../cni/kubeconfig.ts'
import { derivationsOf } from '../components/config-table.ts'
import { joinRows } from '../components/kubeadm.ts'
import type { Facts } from '../model/facts.ts'
import { layout } from '../model/layout.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

export function joinSteps(facts: Facts): readonly DraftStep[] {
  const { spec } = facts
  return inPhase('join', [
    spec.join.method === 'kubeadm'
      ? {
          kind: 'kubeadmJoin',
          id: 'join-cluster',
          after: [
            'download-kubeadm',
            'service-kubelet',
            'running-containerd',
            'file-kubelet-config',
          ],
          kubeadm: `${layout.programs}\\kubeadm.exe`,
          source: 'files/kubeadm/join.json',
          derive: derivationsOf(joinRows, facts),
          tokenPointer:
            spec.join.endpoint === undefined
              ? '/discovery/tlsBootstrapToken'
              : '/discovery/bootstrapToken/token',
          path: layout.joinConfiguration,
          ...membership,
          ...(spec.join.tokenFile === undefined ? {} : { tokenFile: spec.join.tokenFile }),
          ...(spec.join.discoveryFile === undefined
            ? {}
            : { discoveryFile: spec.join.discoveryFile }),
        }
      : {
          kind: 'bootstrapJoin',
          id: 'join-cluster',
          after: [
            'service-kubelet',
            'running-containerd',
            'file-kubelet-config',
            'file-cluster-ca',
          ],
          ...membership,
          ca: layout.ca,
        },
  ])
}

/** Windows starts services before the boot task runs, so a kubelet that must wait for steps of it starts on demand. */
export function afterJoinSteps(facts: Facts): readonly DraftStep[] {
  const before = cniOf(facts.spec.network.cni).steps?.beforeKubelet?.(facts) ?? []
  return inPhase('afterJoin', [
    {
      kind: 'serviceStart',
      id: 'start-kubelet',
      after: ['join-cluster'],
      name: 'kubelet',
      start: before.length === 0 ? 'auto' : 'demand',
    },
    bootTask,
  ])
}

const bootTask = {
  kind: 'bootTask',
  id: 'boot-task',
  after: ['join-cluster'],
  name: 'winnode-boot',
  description: 'Reconcile loop: keeps services, pod network and logs as node.json describes.',
  path: `${layout.winnode}\\bundle`,
} as const

const membership = {
  kubeconfig: layout.kubeletKubeconfig,
  bootstrapKubeconfig: layout.bootstrapKubeconfig,
  certificates: layout.kubeletPki,
}

/** Files that users put on the node before it joins; Join-WinNode.ps1 fails without them. */
export function requiredFiles({ spec }: Facts): readonly string[] {
  const { kubelet, join, registry } = spec
  const provider = registry.credentialProvider
  return [
    ...new Set([
      ...apiClientsOf(spec).flatMap(({ credentials }) => credentialFiles(credentials)),
      ...[kubelet.nodeName, kubelet.providerID].flatMap((given) =>
        typeof given === 'object' ? [given.file] : [],
      ),
      ...(provider === undefined ? [] : [provider.config ?? [], provider.binDirectory].flat()),
      ...(join.discoveryFile === undefined ? [] : [join.discoveryFile]),
      ...(join.tokenFile === undefined ? [] : [join.tokenFile]),
      ...(join.method === 'bootstrapKubeconfig' ? [layout.bootstrapKubeconfig] : []),
    ]),
  ]
}
