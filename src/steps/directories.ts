// Folders and who may open them; created before anything is put into them.
import { cniOf } from '../cni/index.ts'
import type { Facts } from '../model/facts.ts'
import { layout, podsList, protectedList } from '../model/layout.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

/**
 * New folders of C:\ let Users read and create files. Whoever may write into a folder with programs,
 * CNI confs or scripts runs code as SYSTEM (CVE-2023-32197); whoever may read `pki` is the node.
 */
const always: Readonly<Record<string, string>> = {
  programs: layout.programs,
  containerd: layout.containerd,
  'containerd-data': 'C:\\ProgramData\\containerd',
  registries: layout.registries,
  'cni-bin': layout.cniBin,
  'cni-conf': layout.cniConf,
  'cni-data': 'C:\\var\\lib\\cni',
  kubernetes: layout.kubernetes,
  pki: layout.pki,
  kubelet: layout.kubeletRoot,
  'kubelet-pki': layout.kubeletPki,
  'containerd-log': `${layout.logs}\\containerd`,
  'kubelet-log': `${layout.logs}\\kubelet`,
}

/**
 * Folders of logs, each with what tells that the kubelet sets a list of its own there at each start: it would undo
 * ours. One that does not is no danger to ours, and protects no folder that was there before it.
 */
const forLogs = [
  { id: 'pod-logs', path: layout.podLogs, unless: 'kubelet-protects-pod-logs' },
  { id: 'container-logs', path: layout.containerLogs, unless: 'kubelet-protects-container-logs' },
] as const

const forKubeProxy: Readonly<Record<string, string>> = {
  'kube-proxy': layout.kubeProxy,
  'kube-proxy-log': `${layout.logs}\\kube-proxy`,
}

/** Folders of layers, whose links `Remove-Item` would follow: only containerd empties them. */
const layers = ['containerd-data', 'containerd-root']

export function directorySteps({ spec, has }: Facts): readonly DraftStep[] {
  const { root } = spec.containerd
  const folders = {
    ...always,
    ...Object.fromEntries(
      forLogs.filter(({ unless }) => !has(unless)).map(({ id, path }) => [id, path]),
    ),
    ...(cniOf(spec.network.cni).kubeProxy ? forKubeProxy : {}),
    // containerd protects this one only where it makes it itself, and a data disk lets Users write.
    // https://github.com/containerd/containerd/blob/main/pkg/sys/filesys_windows.go
    ...(root === layout.containerdRoot ? {} : { 'containerd-root': root }),
    ...(spec.kubelet.dropInDirectory === undefined
      ? {}
      : { 'drop-ins': spec.kubelet.dropInDirectory }),
  }
  return inPhase('image', [
    ...Object.entries(folders).map(([id, path]) => ({
      kind: 'directory' as const,
      id: `directory-${id}`,
      path,
      sddl: protectedList,
      ...(layers.includes(id) ? { layers: true as const } : {}),
    })),
    // Containers that run as ContainerUser read their tokens below this one, and write their volumes.
    {
      kind: 'directory',
      id: 'directory-pods',
      after: ['directory-kubelet'],
      path: layout.pods,
      sddl: podsList,
    },
  ])
}
