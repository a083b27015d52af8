// What a configuration may say that the program takes, and a Windows node does nothing with or stops at later.

/**
 * Read in files that only Linux builds have, or given to what Windows lacks: cgroups, iptables, OOM scores, sysctls.
 * https://github.com/kubernetes/kubernetes/tree/master/pkg/kubelet/cm (container_manager_windows.go)
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/kubelet_network_others.go
 */
export const kubeletLinuxOnly: readonly string[] = [
  'allowedUnsafeSysctls',
  'cgroupDriver',
  'cgroupRoot',
  'cpuCFSQuota',
  'cpuCFSQuotaPeriod',
  'defaultPodSysctls',
  'failCgroupV1',
  'hairpinMode',
  'iptablesDropBit',
  'iptablesMasqueradeBit',
  'kernelMemcgNotification',
  'kubeReservedCgroup',
  'kubeletCgroups',
  'makeIPTablesUtilChains',
  'maxOpenFiles',
  'memorySwap',
  'memoryThrottlingFactor',
  'oomScoreAdj',
  'protectKernelDefaults',
  'qosReserved',
  'seccompDefault',
  'singleProcessOOMKill',
  'systemCgroups',
  'systemReservedCgroup',
  'userNamespaces',
]

/** https://github.com/kubernetes/kubernetes/blob/master/cmd/kube-proxy/app/server_windows.go */
export const kubeProxyLinuxOnly: readonly string[] = [
  'conntrack',
  'iptables',
  'ipvs',
  'nftables',
  'oomScoreAdj',
  'portRange',
  'udpIdleTimeout',
]

/** Words that validation does not look at, and the kubelet stops at when it builds its managers; the first is the default. */
export const kubeletWords: readonly {
  readonly path: string
  readonly words: readonly string[]
}[] = [
  // pkg/kubelet/kubelet.go, NewMainKubelet
  { path: 'configMapAndSecretChangeDetectionStrategy', words: ['Watch', 'Cache', 'Get'] },
  // pkg/kubelet/cm/cpumanager/cpu_manager.go
  { path: 'cpuManagerPolicy', words: ['none', 'static'] },
  // pkg/kubelet/cm/memorymanager/memory_manager.go
  { path: 'memoryManagerPolicy', words: ['None', 'Static', 'BestEffort'] },
]
