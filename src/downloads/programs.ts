// The programs of a node, their versions and their paths.
import { externalPrograms } from '../cni/external-network.ts'
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import type { Facts } from '../model/facts.ts'
import { layout } from '../model/layout.ts'
import type { Program } from '../model/program.ts'

const executable = (source: string, version: string, neededBy: string): Program => ({
  kind: 'file',
  source,
  version,
  neededBy,
  path: `${layout.programs}\\${source}.exe`,
})

export function programsOf(facts: Facts): readonly Program[] {
  const { spec } = facts
  const cni = cniOf(spec.network.cni)
  if (cni.image) return []
  const { kubernetes } = spec
  const programs: readonly Program[] = [
    {
      kind: 'archive',
      source: 'containerd',
      version: spec.containerd.version,
      neededBy: 'service-containerd',
      format: 'tar.gz',
      members: ['containerd.exe', 'containerd-shim-runhcs-v1.exe', 'ctr.exe'].map((name) => ({
        member: `bin/${name}`,
        path: `${layout.containerd}\\bin\\${name}`,
      })),
    },
    {
      kind: 'archive',
      source: 'crictl',
      version: spec.containerd.crictl,
      neededBy: 'image-sandbox',
      format: 'tar.gz',
      members: [{ member: 'crictl.exe', path: `${layout.programs}\\crictl.exe` }],
    },
    executable('kubelet', kubernetes.version, 'service-kubelet'),
    executable('kube-log-runner', kubernetes.version, 'service-kubelet'),
    executable('kubectl', kubernetes.version, 'join-cluster'),
    ...(spec.join.method === 'kubeadm'
      ? [executable('kubeadm', kubernetes.kubeadm, 'join-cluster')]
      : []),
    ...(kubeProxyRuns(spec) !== false
      ? [
          executable(
            'kube-proxy',
            kubernetes.kubeProxy,
            kubeProxyRuns(spec) === 'service' ? 'service-kube-proxy' : 'join-cluster',
          ),
        ]
      : []),
    ...(cni.programs?.(facts) ?? []),
    ...externalPrograms(spec.network),
  ]
  const isFirst = ({ source }: Program, at: number) =>
    programs.findIndex((one) => one.source === source) === at
  return programs.filter(isFirst)
}
