// What the documentation of Kubernetes lists as impossible or different on Windows, each with the rules about it.
// https://kubernetes.io/docs/concepts/windows/intro/#limitations
// https://kubernetes.io/docs/concepts/services-networking/windows-networking/#limitations

interface Stated {
  readonly limit: string
  readonly rules: readonly string[]
}

/** By what a pod sets. */
export const statedFields: Readonly<Record<string, Stated>> = {
  'huge-pages': { limit: 'containers[].resources (hugepages-*)', rules: ['huge-pages'] },
  'requests-do-not-guarantee': {
    limit: 'containers[].resources.requests.{cpu,memory}',
    rules: ['limits-missing', 'requests-below-limits'],
  },
  'allow-privilege-escalation': {
    limit: 'containers[].securityContext.allowPrivilegeEscalation',
    rules: ['linux-privilege-escalation'],
  },
  capabilities: {
    limit: 'containers[].securityContext.capabilities',
    rules: ['linux-capabilities'],
  },
  privileged: { limit: 'containers[].securityContext.privileged', rules: ['linux-privileged'] },
  'proc-mount': { limit: 'containers[].securityContext.procMount', rules: ['linux-proc-mount'] },
  'read-only-root': {
    limit: 'containers[].securityContext.readOnlyRootFilesystem',
    rules: ['linux-read-only-root'],
  },
  'run-as-group': {
    limit: 'containers[].securityContext.runAsGroup',
    rules: ['linux-run-as-group'],
  },
  'run-as-non-root': {
    limit: 'containers[].securityContext.runAsNonRoot',
    rules: ['administrator-with-run-as-non-root', 'run-as-non-root-without-user'],
  },
  'run-as-user': { limit: 'containers[].securityContext.runAsUser', rules: ['linux-run-as-user'] },
  selinux: { limit: 'containers[].securityContext.seLinuxOptions', rules: ['linux-selinux'] },
  seccomp: { limit: 'containers[].securityContext.seccompProfile', rules: ['linux-seccomp'] },
  apparmor: { limit: 'containers[].securityContext.appArmorProfile', rules: ['linux-apparmor'] },
  'host-ipc': { limit: 'hostIPC', rules: ['linux-host-namespaces'] },
  'host-pid': { limit: 'hostPID', rules: ['linux-host-namespaces'] },
  'host-users': { limit: 'hostUsers', rules: ['linux-host-users'] },
  'dns-cluster-first-with-host-net': {
    limit: 'dnsPolicy: ClusterFirstWithHostNet',
    rules: ['dns-policy-with-host-net'],
  },
  'share-process-namespace': { limit: 'shareProcessNamespace', rules: ['linux-shared-processes'] },
  'volume-devices': { limit: 'containers[].volumeDevices', rules: ['block-device'] },
  'empty-dir-memory': { limit: 'volumes[].emptyDir.medium: Memory', rules: ['volume-in-memory'] },
  'mount-propagation': {
    limit: 'containers[].volumeMounts[].mountPropagation',
    rules: ['mount-propagation'],
  },
  'read-only-volume-whole': {
    limit: 'containers[].volumeMounts[].mountPath C:\\',
    rules: ['mount-at-root'],
  },
  'host-network': {
    limit: 'hostNetwork without HostProcess',
    rules: ['host-network-without-host-process'],
  },
  'pod-security-context': {
    limit: 'securityContext but runAsNonRoot and windowsOptions',
    rules: ['linux-fs-group', 'linux-sysctls', 'linux-supplemental-groups'],
  },
  'supplemental-groups-policy': {
    limit: 'securityContext.supplementalGroupsPolicy, seLinuxChangePolicy',
    rules: ['linux-supplemental-groups-policy', 'linux-selinux-change-policy'],
  },
  'pod-resources': { limit: 'resources (of the pod)', rules: ['linux-pod-resources'] },
  'os-name-missing': {
    limit: 'os.name',
    rules: ['os-name-missing', 'restricted-block-without-os-name'],
  },
  'os-name-and-selector': {
    limit: 'os.name: windows without nodeSelector kubernetes.io/os: windows',
    rules: ['os-not-selected', 'os-contradicts-selector'],
  },
  'toleration-missing': { limit: 'tolerations', rules: ['taint-not-tolerated'] },
  'mixed-containers': {
    limit: 'containers of two systems in one pod',
    rules: ['containers-of-two-systems'],
  },
  'image-build': {
    limit: 'containers[].image',
    rules: ['image-build-mismatch', 'image-build-unknown', 'image-build-not-selected'],
  },
  'secrets-on-disk': { limit: 'volumes[].secret', rules: ['secret-on-disk'] },
}

/** By what its network cannot do. */
export const statedLimits: Readonly<Record<string, Stated>> = {
  'own-service-address': {
    limit: 'a Windows node (not its pods) does not reach Service addresses of services on it',
    rules: ['service-from-host-process'],
  },
  'own-node-port': {
    limit: 'a node does not reach a NodePort at its own address; others do',
    rules: ['node-port-of-own-node'],
  },
  icmp: {
    limit: 'pods have no outbound rule for ICMP to addresses outside: test with TCP',
    rules: ['ping-outside'],
  },
  'session-affinity': {
    limit: 'sessionAffinity timeout is ignored; ws2019 needs recent updates for affinity itself',
    rules: ['session-affinity-timeout', 'session-affinity-needs-newer-windows'],
  },
  'ipv6-only': {
    limit: 'a Service or pod with IPv6 alone does not work; two families do on l2bridge',
    rules: ['service-ipv6-only', 'dual-stack-service-on-overlay'],
  },
  'local-traffic-dsr': {
    limit: 'externalTrafficPolicy Local needs DSR',
    rules: ['local-traffic-without-dsr'],
  },
  'dns-names': {
    limit: 'names in pods: use Resolve-DNSName; nslookup differs; one DNS suffix',
    rules: ['names-by-nslookup', 'dns-searches'],
  },
  'file-mapped-dns': {
    limit: 'resolv.conf cannot be mapped into a container',
    rules: ['resolv-conf-mounted'],
  },
}
