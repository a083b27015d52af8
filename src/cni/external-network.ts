// The HNS network External: no pods are in it, but it makes HNS create its virtual switch before the plugin starts.
import { toolRelease } from '../matrix/tools.ts'
import { layout } from '../model/layout.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'
import type { Program } from '../model/program.ts'
import type { NetworkMode, NodeSpec } from '../model/spec.ts'

/** Microsoft’s module creates networks; the one of Windows cannot. */
export const hnsProgram = (neededBy: string): Program & { readonly path: string } => ({
  kind: 'file',
  source: 'hns-module',
  version: toolRelease('hns-module').version,
  neededBy,
  path: `${layout.programs}\\hns.psm1`,
})

/**
 * As in Microsoft’s scripts, in RKE2, and in the former images of flannel of sig-windows-tools.
 * https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/helper.v2.psm1
 * https://github.com/rancher/rke2/blob/6ce1a8019e9d0b81eb7a715edbc2b8ac12d26da0/pkg/windows/utils.go
 * https://github.com/kubernetes-sigs/sig-windows-tools/blob/12a6e44a45e7a96a6fbcc271bf5b77f17c83abb2/kubeadm/flannel/setup.go
 */
export const externalNetwork = {
  name: 'External',
  subnet: '192.168.255.0/30',
  gateway: '192.168.255.1',
  /** Of an overlay: the VXLAN network identifier. */
  vsid: 9999,
} as const

/** HNS networks of one adapter have one type; HNS shares a virtual switch with no transparent network of Antrea. */
const types: Readonly<Partial<Record<NetworkMode, 'Overlay' | 'L2Bridge'>>> = {
  overlay: 'Overlay',
  l2bridge: 'L2Bridge',
}

/** What makes the network External. */
export const externalPrograms = (network: NodeSpec['network']): readonly Program[] =>
  externalType(network) === undefined ? [] : [hnsProgram('external-network')]

/** The type of the network External; undefined without it, and where it cannot work. */
export const externalType = ({ external, mode }: NodeSpec['network']) =>
  external ? types[mode] : undefined

export function externalSteps(network: NodeSpec['network']): readonly DraftStep[] {
  const type = externalType(network)
  if (type === undefined) return []
  const { name, subnet, gateway, vsid } = externalNetwork
  return inPhase('boot', [
    {
      kind: 'externalNetwork',
      id: 'external-network',
      name,
      type,
      subnet,
      gateway,
      ...(type === 'Overlay' ? { vsid } : {}),
      module: hnsProgram('external-network').path,
    },
  ])
}
