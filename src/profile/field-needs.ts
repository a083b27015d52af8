// Field-needs: what a change of each field of a profile can ask of a node that is there already.
import { everyCni } from '../cni/index.ts'
import type { Need } from '../model/need.ts'
import { isWithin, parsePath, type Path } from '../model/path.ts'

/** A field, or a group whose fields are not named on their own; the longest name counts. */
const fieldNeeds: Readonly<Record<string, Need>> = {
  name: 'install',
  // What they decide lies in other fields.
  summary: 'nothing',
  extends: 'nothing',
  ignore: 'nothing',
  // The outputs for pipelines: they are made anew, the bundle stays.
  targets: 'nothing',
  // Another build of Windows is another image: the node refuses to install there.
  'windows.release': 'machine',
  // An update of Windows comes with a restart.
  'windows.revision': 'restart',
  kubernetes: 'install',
  // Read by checks, and by whoever joins next.
  'kubernetes.apiServer': 'install',
  containerd: 'install',
  // Images and layers stay in the old place.
  'containerd.root': 'join',
  sandboxImage: 'install',
  // Pods and their network were made with what was there; only Reset takes it away.
  network: 'join',
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
  ...Object.fromEntries(everyCni.flatMap(({ needs }) => Object.entries(needs))),
  kubelet: 'install',
  // A kubelet says them once, when its node is registered.
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
  registry: 'install',
  artifacts: 'install',
  isolation: 'install',
}

const rows = Object.entries(fieldNeeds)
  .map(([name, need]) => ({ path: parsePath(name) ?? [], need }))
  .sort((a, b) => b.path.length - a.path.length)

/** `undefined` for what is no field of a profile. */
export function fieldNeed(path: Path): Need | undefined {
  return rows.find((row) => isWithin(path, row.path))?.need
}
