// Folders of the node and their access lists; created before the steps that write into them.
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import type { Facts } from '../model/facts.ts'
import { layout, podsList, protectedList } from '../model/layout.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

/**
 * By default, folders below C:\ let Users read and create files. Write access to programs, CNI configurations or
 * scripts means running code as SYSTEM (CVE-2023-32197), and read access to `pki` gives the node's credentials.
 */
const onEveryNode: Readonly<Record<string, string>> = {
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

/** Log folders that winnode protects unless this kubelet sets their access list itself, at each start. */
const forLogs = [
  { id: 'pod-logs', path: layout.podLogs, unless: 'kubelet-protects-pod-logs' },
  { id: 'container-logs', path: layout.containerLogs, unless: 'kubelet-protects-container-logs' },
] as const

const forKubeProxy: Readonly<Record<string, string>> = {
  'kube-proxy': layout.kubeProxy,
  'kube-proxy-log': `${layout.logs}\\kube-proxy`,
}

/** Folders with image layers. Only containerd deletes those: `Remove-Item` would follow their links. */
const withLayers = ['containerd-data', 'containerd-root']

export function directorySteps({ spec, has }: Facts): readonly DraftStep[] {
  const { root } = spec.containerd
  const folders = {
    ...onEveryNode,
    ...Object.fromEntries(
      forLogs.filter(({ unless }) => !has(unless)).map(({ id, path }) => [id, path]),
    ),
    ...(kubeProxyRuns(spec) === 'service' ? forKubeProxy : {}),
    // containerd sets an access list only if it creates the folder itself, and a new volume lets Users write.
    // https://github.com/containerd/containerd/blob/main/pkg/sys/filesys_windows.go
    ...(root === layout.containerdRoot ? {} : { 'containerd-root': root }),
    ...(spec.kubelet.dropInDirectory === undefined
      ? {}
      : { 'drop-ins': spec.kubelet.dropInDirectory }),
    ...(spec.host.processDumps === undefined ? {} : { 'process-dumps': spec.host.processDumps }),
  }
  return inPhase('image', [
    ...Object.entries(folders).map(([id, path]) => ({
      kind: 'directory' as const,
      id: `directory-${id}`,
      path,
      sddl: protectedList,
      ...(withLayers.includes(id) ? { layers: true as const } : {}),
    })),
    // ContainerUser needs access: containers read service account tokens and write volumes below this folder.
    {
      kind: 'directory',
      id: 'directory-pods',
      after: ['directory-kubelet'],
      path: layout.pods,
      sddl: podsList,
    },
  ])
}
