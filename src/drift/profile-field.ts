// Profile-field: which field of a profile decides a value of a bundle.
import { type Path, parsePath } from '../model/path.ts'

type Row = readonly [key: RegExp, field: string]

/** `$1` stands for what the key has in brackets. */
export const fieldsByFile: readonly (readonly [file: RegExp, rows: readonly Row[]])[] = [
  [
    /^files\/kubelet\/config\.json$/,
    [
      [/^clusterDNS\b/, 'network.clusterDNS'],
      [/^clusterDomain$/, 'network.clusterDomain'],
      [/^evictionHard\b/, 'reserve.evictionHard'],
      [/^kubeReserved\.(cpu|memory)$/, 'reserve.kube.$1'],
      [/^kubeReserved\b/, 'reserve.kube.ephemeralStorage'],
      [/^systemReserved\.(cpu|memory)$/, 'reserve.system.$1'],
      [/^systemReserved\b/, 'reserve.system.ephemeralStorage'],
      [/^maxPods$/, 'kubelet.maxPods'],
      [/^registerWithTaints\b/, 'kubelet.taints'],
      [/^(shutdownGracePeriod\w*)$/, 'kubelet.$1'],
      [/^featureGates\.(\w+)$/, 'kubelet.featureGates.$1'],
      [/^serverTLSBootstrap$/, 'kubelet.servingCertificateApprover'],
      [/^providerID$/, 'kubelet.providerID'],
      [/^(\w+)\b/, 'kubelet.config.$1'],
    ],
  ],
  [
    /^files\/kube-proxy\/config\.json$/,
    [
      [/^clusterCIDR$/, 'network.podCIDRs'],
      [/^featureGates\.(\w+)$/, 'kubeProxy.featureGates.$1'],
      [/^metricsBindAddress$/, 'kubeProxy.metricsBindAddress'],
      [/^winkernel\.enableDSR$/, 'network.dsr'],
      [/^winkernel\.sourceVip$/, 'network.sourceVip'],
      [/^(\w+)\b/, 'kubeProxy.config.$1'],
    ],
  ],
  [
    /^files\/containerd\/config\.toml$/,
    [
      [/\bsandbox(_image)?$/, 'sandboxImage'],
      [/^root$/, 'containerd.root'],
      [/^version$/, 'containerd.configVersion'],
      [/runhcs-wcow-hypervisor/, 'isolation.hyperV'],
    ],
  ],
  [
    /^files\/kubeadm\/join\.json$/,
    [
      [/apiServerEndpoint$/, 'join.endpoint'],
      [/caCertHashes\b/, 'join.caCertHashes'],
      [/kubeConfigPath$/, 'join.discoveryFile'],
    ],
  ],
  [
    /^files\/flannel\/net-conf\.json$|flannel-net-conf\.json$/,
    [
      [/^Network$/, 'network.podCIDRs'],
      [/^Backend\.VNI$/, 'network.flannel.vni'],
      [/^Backend\.Port$/, 'network.flannel.port'],
      [/^Backend\.MacPrefix$/, 'network.flannel.macPrefix'],
      [/^Backend\b/, 'network.mode'],
    ],
  ],
  [
    /runtime-class/,
    [
      [/tolerations/, 'kubelet.taints'],
      [/windows-build/, 'windows.release'],
    ],
  ],
  [
    /^node\.json$/,
    [
      [/^name$/, 'name'],
      [/^steps\.(?:download-kubelet|download-kube-log-runner)\b/, 'kubernetes.version'],
      [/^steps\.download-kube-proxy\b/, 'kubernetes.kubeProxy'],
      [/^steps\.download-kubeadm\b/, 'kubernetes.kubeadm'],
      [/^steps\.archive-containerd\b/, 'containerd.version'],
      [/^steps\.archive-crictl\b/, 'containerd.crictl'],
      [/^steps\.download-flanneld\b/, 'network.flannel.version'],
      [/^steps\.archive-flannel-cni\b/, 'network.flannel.cniPlugin'],
      [/^steps\.archive-cni-plugins\b/, 'network.cniPlugins'],
      [/^steps\.image-sandbox\b/, 'sandboxImage'],
      [/^steps\.page-file\b/, 'host.pageFileMiB'],
      [/^steps\.power-plan\b/, 'host.powerPlan'],
      [/^steps\.time-service\b/, 'host.timeServers'],
      [/^steps\.feature-/, 'host.features'],
      [/^steps\.firewall-kubelet\b.*\.from\b/, 'host.firewall.kubeletFrom'],
      [/^steps\.firewall-proxy-health\b.*\.from\b/, 'host.firewall.healthFrom'],
      [/^steps\.firewall-node-ports-\w+\.ports\b/, 'host.firewall.nodePortRange'],
      [/^steps\.firewall-node-ports-\w+\.from\b/, 'host.firewall.nodePortsFrom'],
      [/^steps\.service-kubelet\.command\.--node-labels/, 'kubelet.labels'],
      [/^steps\.service-kubelet\.command\.-v$|\.--v$/, 'kubelet.verbosity'],
      [/^steps\.hns-network\b/, 'network.mode'],
      [/^preflight\.windows-build\b/, 'windows.release'],
      [/^preflight\.revision-/, 'windows.revision'],
    ],
  ],
]

export function profileFieldOf(file: string, path: Path): Path | undefined {
  const key = path.join('.')
  for (const [of, rows] of fieldsByFile) {
    if (!of.test(file)) continue
    for (const [pattern, field] of rows) {
      const match = pattern.exec(key)
      if (match) return parsePath(field.replace('$1', match[1] ?? ''))
    }
  }
  return undefined
}
