// Words of other programs and of Windows, and the names that winnode has for their subject.
import { cniNames } from '../../cni/index.ts'
import { windowsReleases } from '../../matrix/windows.ts'
import { fields } from '../../profile/catalogue.ts'
import { rules } from '../../rules/index.ts'

interface Row {
  readonly words: readonly string[]
  readonly names: readonly string[]
}

const rows: readonly Row[] = [
  {
    words: ['cni', 'plugins', 'network plugin', 'cni plugin'],
    names: [
      ...['network.cni', 'network.mode', 'network.backend', 'network.cniPlugins'],
      'cni-configuration-foreign',
    ],
  },
  ...cniNames.map(pluginRow),
  { words: ['aws'], names: ['network.eks', 'network.cni', 'kubelet.cloudProvider'] },
  {
    words: windowsReleases.map(({ id }) => id),
    names: [
      'windows.release',
      ...rules.map(({ id }) => id).filter((id) => id.startsWith('windows-')),
    ],
  },
  {
    words: ['upgrade', 'version'],
    names: [
      ...['kubernetes.version', 'containerd.version', 'version-has-advisory'],
      ...rules.filter((rule) => rule.untested).map(({ id }) => id),
    ],
  },
  {
    words: ['azure'],
    names: ['kubelet.cloudProvider', 'kubelet.providerID', 'network.blockWireserver'],
  },
  {
    words: ['cloud', 'cloud provider', 'ccm'],
    names: ['kubelet.cloudProvider', 'kubelet.providerID', 'kubelet.nodeName'],
  },
  { words: ['cluster api', 'capi', 'capz'], names: ['targets.capi', 'targets.capi.provider'] },
  {
    words: ['cloud-init', 'user data'],
    names: ['targets.userdata', 'targets.packer.cloudbaseInit'],
  },
  {
    words: ['runtime', 'container runtime', 'cri'],
    names: [
      ...['containerd.version', 'containerd.root', 'containerRuntimeEndpoint'],
      ...['runtime-endpoint-wrong', 'runtime-is-losing-support'],
    ],
  },
  {
    words: ['vxlan', 'overlay', 'vni', '4789'],
    names: [
      ...['network.mode', 'network.backend', 'network.flannel.vni', 'network.flannel.port'],
      ...['network.calico.vni', 'host.firewall.networkFrom', 'overlay-needs-patch-level'],
      'flannel-port-not-4789',
    ],
  },
  { words: ['bgp'], names: ['network.mode', 'calico-bgp-needs-routing', 'firewall-bgp'] },
  {
    words: ['l2bridge'],
    names: ['network.mode', 'network.routes', 'network.untranslated', 'l2bridge-in-cloud'],
  },
  {
    words: ['hns', 'hns network'],
    names: [
      ...['network.name', 'network.external', 'hns-network-missing', 'hns-network-wrong'],
      'hns-silent',
    ],
  },
  {
    words: ['dsr', 'direct server return'],
    names: ['network.dsr', 'winkernel.enableDSR', 'WinDSR', 'dsr-off', 'dsr-needs-patch-level'],
  },
  {
    words: ['nat', 'snat', 'outbound nat'],
    names: ['network.untranslated', 'network.calico.natOutgoing', 'untranslated-needs-routes'],
  },
  {
    words: ['nic', 'adapter', 'network adapter', 'interface', 'network interface'],
    names: ['network.adapter', 'network.external', 'host.vmwareExcludeNics', 'adapter-missing'],
  },
  { words: ['route', 'routing'], names: ['network.routes', 'win-bridge-needs-routes'] },
  { words: ['vip'], names: ['network.sourceVip', 'source-vip', 'source-vip-empty'] },
  {
    words: ['dual stack', 'ipv6'],
    names: ['network.podCIDRs', 'network.serviceCIDRs', 'overlay-single-stack', 'ipv6-disabled'],
  },
  {
    words: ['dns', 'coredns', 'name resolution'],
    names: [
      ...['network.clusterDNS', 'network.clusterDomain', 'cluster-dns-outside-services'],
      ...['name-server-missing', 'name-unresolved', 'dns-searches'],
    ],
  },
  {
    words: ['sandbox', 'pause', 'pause image', 'infra container'],
    names: [
      ...['sandboxImage', 'pause-image-lacks-os', 'pause-image-boots-older-windows'],
      'sandbox-image-gone',
    ],
  },
  { words: ['cgroup'], names: ['cgroupsPerQOS', 'cgroupDriver', 'enforceNodeAllocatable'] },
  {
    words: ['taint', 'toleration'],
    names: ['kubelet.taints', 'registerWithTaints', 'taint-not-tolerated', 'labels-changed'],
  },
  {
    words: ['label'],
    names: ['kubelet.labels', 'kubelet-may-not-set-label', 'labels-changed'],
  },
  { words: ['hostname'], names: ['kubelet.nodeName', 'hostname-override', 'node-name-malformed'] },
  {
    words: ['npipe', 'named pipe'],
    names: [
      ...['containerRuntimeEndpoint', 'containerd-pipe-absent', 'runtime-endpoint-wrong'],
      'containerd-shim-pipe',
    ],
  },
  {
    words: ['gmsa', 'active directory'],
    names: ['cluster.gmsa', 'cluster.gmsa.credentialSpecs', 'gmsa-of-init-container'],
  },
  {
    words: ['hostprocess', 'privileged'],
    names: [
      ...['kubeProxy.runsAs', 'cluster.policies.hostProcessNamespaces', 'host-process-in-part'],
      ...['host-process-without-host-network', 'WindowsHostProcessContainers'],
    ],
  },
  {
    words: ['csr', 'serving certificate'],
    names: [
      ...['kubelet.servingCertificateApprover', 'cluster.csrApprover', 'serverTLSBootstrap'],
      ...['kubelet-serves-self-signed', 'request-waits'],
    ],
  },
  {
    words: ['certificate', 'certificate rotation'],
    names: [
      ...['rotateCertificates', 'serverTLSBootstrap', 'kubelet.servingCertificateApprover'],
      ...['join.ca', 'certificate-late', 'kubelet-certificate-not-rotated'],
    ],
  },
  {
    words: ['ca', 'ca certificate', 'certificate authority'],
    names: [
      ...['join.ca', 'join.caCertHashes', 'registry.mirrors', 'registry-ca-replaces-roots'],
      'ca-file-gone',
    ],
  },
  {
    words: ['token', 'bootstrap', 'bootstrap token', 'tls bootstrap'],
    names: ['join.method', 'join.tokenFile', 'join.discoveryFile', 'token-file-in-use'],
  },
  { words: ['kubeadm'], names: ['join.method', 'kubernetes.kubeadm', 'kubelet-with-kubeadm'] },
  { words: ['max pods'], names: ['kubelet.maxPods', 'pods-exceed-addresses'] },
  {
    words: ['reserved', 'reservation', 'allocatable'],
    names: [
      ...['reserve.model', 'reserve.kube', 'reserve.system', 'machine.memory'],
      ...['enforceNodeAllocatable', 'reservation-starves-windows'],
    ],
  },
  {
    words: ['eviction'],
    names: [
      ...['reserve.evictionHard', 'memory-eviction-off', 'memory-eviction-late'],
      'eviction-signal-dead-on-windows',
    ],
  },
  { words: ['swap'], names: ['host.pageFileMiB', 'failSwapOn', 'page-file'] },
  {
    words: ['image gc', 'garbage collection'],
    names: [
      ...['imageGCHighThresholdPercent', 'imageGCLowThresholdPercent', 'imageMinimumGCAge'],
      'eviction-before-image-collection',
    ],
  },
  { words: ['static pod'], names: ['staticPodPath', 'staticPodURL'] },
  {
    words: ['shutdown', 'graceful shutdown'],
    names: ['kubelet.shutdownGracePeriod', 'shutdownGracePeriod', 'WindowsGracefulNodeShutdown'],
  },
  {
    words: ['proxy mode', 'kernelspace', 'iptables', 'ipvs'],
    names: ['kubeProxy.config', 'mode', 'kube-proxy-mode-not-kernelspace'],
  },
  { words: ['feature gate'], names: ['kubelet.featureGates', 'kubeProxy.featureGates'] },
  {
    words: ['log', 'log rotation'],
    names: [
      ...['kubelet.verbosity', 'containerLogMaxSize', 'containerLogMaxFiles'],
      ...['services.logMaxSizeMiB', 'services.logMaxFiles', 'cluster.fluentBit'],
    ],
  },
  {
    words: ['metrics', 'prometheus'],
    names: [
      ...['cluster.windowsExporter', 'kubeProxy.metricsBindAddress', 'host.firewall.metricsFrom'],
      'host.publishStatus',
    ],
  },
  {
    words: ['10250', 'port 10250', 'kubelet port'],
    names: ['host.firewall.kubeletFrom', 'kubelet-port-open-to-all', 'kubelet-port-closed', 'port'],
  },
  { words: ['10256'], names: ['host.firewall.healthFrom'] },
  { words: ['9182'], names: ['host.firewall.metricsFrom', 'metrics-port-open-to-all'] },
  {
    words: ['node port', 'dynamic port', 'ephemeral port', 'port exhaustion'],
    names: [
      ...['host.firewall.nodePortRange', 'host.firewall.nodePortsFrom', 'host.dynamicPorts'],
      ...['host.excludedPorts', 'node-ports-are-dynamic', 'ports-exhausted'],
    ],
  },
  {
    words: ['firewall'],
    names: [
      ...['host.firewall', 'host.firewall.kubeletFrom', 'host.firewall.networkFrom'],
      'host.firewall.nodePortsFrom',
    ],
  },
  {
    words: ['mirror', 'registry mirror'],
    names: ['registry.mirrors', 'artifacts.from', 'mirror-over-http'],
  },
  {
    words: ['credential', 'credential provider', 'image pull secret'],
    names: [
      'registry.credentialProvider',
      'credential-provider-refused',
      'cluster.imagePull.secrets',
    ],
  },
  {
    words: ['download', 'air gap', 'checksum'],
    names: ['artifacts.from', 'artifacts.baseURLs', 'artifacts.sha256', 'host.offline'],
  },
  { words: ['proxy', 'http proxy', 'no proxy'], names: ['host.proxy'] },
  {
    words: ['hyper-v', 'runtime class'],
    names: ['isolation.hyperV', 'hyper-v-feature-missing', 'hyper-v-needs-larger-machine'],
  },
  {
    words: ['defender', 'antivirus'],
    names: [...['host.defenderExclusions', 'defender-does-not-scan-programs', 'defender-scans']],
  },
  { words: ['windows update', 'update'], names: ['host.windowsUpdate', 'windows.revision'] },
  { words: ['clock', 'ntp', 'time'], names: ['host.timeServers', 'clock-off', 'clock-alone'] },
  { words: ['cipher', 'tls'], names: ['host.tls', 'tlsCipherSuites', 'tlsMinVersion'] },
  { words: ['bitlocker'], names: ['host.encryption'] },
  { words: ['smb', 'csi'], names: ['cluster.smbCsi', 'cluster.smbCsi.sources'] },
  {
    words: ['skew', 'version skew'],
    names: [
      ...['kubelet-with-api-server', 'kubelet-with-kubeadm', 'kube-proxy-with-api-server'],
      'kubernetes.apiServer',
    ],
  },
  {
    words: ['end of life', 'eol', 'support'],
    names: [
      ...['kubernetes-end-of-life', 'containerd-end-of-life', 'windows-end-of-life'],
      'windows-release-unsupported',
    ],
  },
  { words: ['cve', 'advisory', 'vulnerability'], names: ['version-has-advisory'] },
  // Groups of findings.
  { words: ['exposure'], names: rules.filter(({ exposure }) => exposure).map(({ id }) => id) },
  {
    words: ['defects', 'defect'],
    names: rules.filter(({ part }) => part === 'defect').map(({ id }) => id),
  },
  { words: ['exit', 'exit code', 'error code'], names: ['exit-codes'] },
  { words: ['3010', 'reboot', 'restart'], names: ['node-waits', 'step-waits', 'restart-waits'] },
]

/** With the rules of a network plugin, whose names begin with its own. */
function pluginRow(cni: string): Row {
  const own = rules.map(({ id }) => id).filter((id) => id.startsWith(`${cni}-`))
  const group = fields.some(({ path }) => path.join('.') === `network.${cni}`)
  return { words: [cni], names: [...(group ? [`network.${cni}`] : []), 'network.cni', ...own] }
}

/** Each word with its names. */
export const wordRows: readonly (readonly [word: string, names: readonly string[]])[] =
  rows.flatMap(({ words, names }) => words.map((word) => [word, names] as const))
