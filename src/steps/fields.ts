// Which field of a profile decides each step and check of node.json.
import { everyCni } from '../cni/index.ts'
import { artifactSources } from '../matrix/artifact-sources.ts'
import type { StepFields } from '../model/step.ts'

/** The fields of a network plugin are in its folder. */
export const stepFields: StepFields = {
  ...Object.fromEntries(
    artifactSources.flatMap(({ id, field }) =>
      field === undefined ? [] : ['download', 'archive'].map((kind) => [`${kind}-${id}`, field]),
    ),
  ),
  'image-sandbox': 'sandboxImage',
  'feature-': 'host.features',
  'page-file': 'host.pageFileMiB',
  'registry-': 'host.registry',
  'windows-update': 'host.windowsUpdate',
  'dumps-': 'host.processDumps',
  'directory-process-dumps': 'host.processDumps',
  'tls-': 'host.tls',
  'dynamic-ports': 'host.dynamicPorts',
  'excluded-ports-': 'host.excludedPorts',
  'vmware-tools': 'host.vmwareExcludeNics',
  'system-volume': 'host.expandSystemVolume',
  'power-plan': 'host.powerPlan',
  'external-network': 'network.external',
  'time-service': 'host.timeServers',
  'firewall-kubelet': { from: 'host.firewall.kubeletFrom' },
  'firewall-proxy-health': { from: 'host.firewall.healthFrom' },
  'firewall-windows-exporter': { from: 'host.firewall.metricsFrom' },
  'firewall-node-ports-': {
    ports: 'host.firewall.nodePortRange',
    from: 'host.firewall.nodePortsFrom',
  },
  'defender-': 'host.defenderExclusions',
  ...Object.fromEntries(everyCni.flatMap((cni) => Object.entries(cni.stepFields ?? {}))),
}

/** By the id of a check. */
export const checkFields: StepFields = {
  'windows-build': 'windows.release',
  'revision-': 'windows.revision',
  encryption: 'host.encryption',
}
