// What a change of each profile field can need on an existing node.
import { everyCni } from '../cni/index.ts'
import type { Need } from '../model/need.ts'
import { isWithin, parsePath, type Path } from '../model/path.ts'

/** Fields, or groups for all their fields without an entry; the longest match counts. */
const fieldNeeds: Readonly<Record<string, Need>> = {
  name: 'install',
  // Their effects are in other fields.
  summary: 'nothing',
  extends: 'nothing',
  facts: 'nothing',
  ignore: 'nothing',
  // Outputs for pipelines are rendered again; the bundle stays the same.
  targets: 'nothing',
  smoke: 'nothing',
  // Another Windows build needs another image: the node scripts refuse to install on it.
  'windows.release': 'machine',
  // A Windows update needs a restart.
  'windows.revision': 'restart',
  kubernetes: 'install',
  // Read by checks and by the next join.
  'kubernetes.apiServer': 'install',
  containerd: 'install',
  // Images and layers stay in the old folder.
  'containerd.root': 'join',
  sandboxImage: 'install',
  // Existing pods and HNS networks use the old values; only Reset removes them.
  network: 'join',
  'network.blockWireserver': 'install',
  'network.clusterDNS': 'install',
  'network.clusterDomain': 'install',
  'network.nodeCIDRMaskSize': 'install',
  'network.nodeCIDRs': 'install',
  'network.untranslated': 'install',
  'network.routes': 'nothing',
  'network.dsr': 'install',
  'network.adapter': 'install',
  'network.nodeIP': 'install',
  'network.cniPlugins': 'install',
  ...Object.fromEntries(everyCni.flatMap(({ needs = {} }) => Object.entries(needs))),
  kubelet: 'install',
  // A kubelet sets them only when it registers its node.
  'kubelet.nodeName': 'join',
  'kubelet.labels': 'join',
  'kubelet.taints': 'join',
  'kubelet.providerID': 'join',
  'kubelet.cloudProvider': 'join',
  kubeProxy: 'install',
  reserve: 'install',
  machine: 'install',
  join: 'join',
  // Only a node that has not joined yet reads them.
  'join.caCertHashes': 'install',
  services: 'install',
  host: 'install',
  'host.features': 'restart',
  'host.pageFileMiB': 'restart',
  'host.registry': 'restart',
  'host.tls': 'restart',
  registry: 'install',
  artifacts: 'install',
  isolation: 'install',
  cluster: 'apply',
  // It also opens a port in the firewall.
  'cluster.windowsExporter.enabled': 'install',
  // A health check of the nodes asks for the domain.
  'cluster.gmsa.credentialSpecs': 'install',
  // The kubelet then requests its serving certificate from the cluster.
  'cluster.csrApprover.enabled': 'install',
}

const rows = Object.entries(fieldNeeds)
  .map(([name, need]) => ({ path: parsePath(name) ?? [], need }))
  .sort((a, b) => b.path.length - a.path.length)

/** `undefined` if the path is not a profile field. */
export function fieldNeed(path: Path): Need | undefined {
  return rows.find((row) => isWithin(path, row.path))?.need
}
