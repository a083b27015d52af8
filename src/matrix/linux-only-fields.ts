// Fields that the programs read on Windows too, and that only their code for Linux uses.
//
// No program says so: it is read in their source, in validation_windows.go and in what uses the field.
// https://github.com/kubernetes/kubernetes/tree/master/pkg/kubelet
// https://github.com/kubernetes/kubernetes/tree/master/pkg/proxy

export const linuxOnlyFields: Readonly<Record<'kubelet' | 'kube-proxy', readonly string[]>> = {
  kubelet: [
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
    'kubeletCgroups',
    'kubeReservedCgroup',
    'makeIPTablesUtilChains',
    'maxOpenFiles',
    'memoryReservationPolicy',
    'memorySwap.swapBehavior',
    'memoryThrottlingFactor',
    'oomScoreAdj',
    'protectKernelDefaults',
    'qosReserved',
    'seccompDefault',
    'singleProcessOOMKill',
    'systemCgroups',
    'systemReservedCgroup',
    'userNamespaces',
  ],
  'kube-proxy': [
    'conntrack',
    'iptables',
    'iptables.localhostNodePorts',
    'iptables.masqueradeAll',
    'iptables.masqueradeBit',
    'iptables.minSyncPeriod',
    'iptables.syncPeriod',
    'ipvs',
    'nftables',
    'oomScoreAdj',
    'portRange',
    'udpIdleTimeout',
  ],
}
