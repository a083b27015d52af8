// The kubelet's configuration: each key with its value, the field that decides it, and the reason.
import { kubeletHealthPort } from '../matrix/ports.ts'
import type { Amounts, Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { layout, pipe } from '../model/layout.ts'
import { rowsOf, type ConfigTable } from './config-table.ts'

const reserving = 'https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/'
const eviction = 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/'
const onWindows = 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/'
const shutdown = 'https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/'
const validation =
  'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/validation/validation.go'

export const kubelet: ConfigTable = {
  name: 'kubelet',
  home: 'kubelet',
  version: ({ kubernetes }) => kubernetes.version,
  see: 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/',
  rows: rowsOf({
    apiVersion: {
      value: 'kubelet.config.k8s.io/v1beta1',
      fixed: 'the format is the one that winnode writes',
      why: 'The format of the file; every minor since 1.10 reads it.',
    },
    kind: {
      value: 'KubeletConfiguration',
      fixed: 'the file is of the kind that winnode writes',
      why: 'What the file is.',
    },
    'authentication.anonymous.enabled': {
      value: false,
      why: 'Requests without credentials are refused. The default, written out so that it can be seen.',
    },
    'authentication.webhook.enabled': {
      value: true,
      why: 'Bearer tokens are checked by the API server; metrics are scraped with them.',
    },
    'authentication.x509.clientCAFile': {
      value: layout.ca,
      why: 'The CA whose client certificates count: by it the kubelet knows the API server.',
    },
    'authorization.mode': {
      value: 'Webhook',
      why: 'The API server is asked what a caller may do; AlwaysAllow would let all.',
    },
    cgroupsPerQOS: {
      value: false,
      why: 'Windows has no cgroups. Up to 1.30 true, or nothing, stops the kubelet; later it warns.',
      see: 'https://github.com/kubernetes/kubernetes/pull/123137',
    },
    'enforceNodeAllocatable[]': {
      value: (facts) => (facts.has('kubelet-cgroups-error') ? [] : ['none']),
      why: 'Nothing can be enforced, and a missing list means pods. none from 1.31 on, because the merge with drop-in files would lose an empty list; empty before, where any entry stops the kubelet.',
      see: validation,
    },
    'clusterDNS[]': {
      value: ({ spec }) => spec.network.clusterDNS,
      field: 'network.clusterDNS',
      why: 'What pods ask for names. Windows has no resolv.conf: it travels through CNI.',
    },
    clusterDomain: {
      value: ({ spec }) => spec.network.clusterDomain,
      field: 'network.clusterDomain',
      why: 'Short names of services are looked up below it.',
    },
    containerRuntimeEndpoint: {
      value: (facts) => (facts.has('kubelet-endpoint-in-config') ? pipe.endpoint : undefined),
      fixed: 'winnode sets the pipe on which containerd listens',
      why: 'containerd’s pipe. The default is a Unix socket; before 1.27 it is a flag.',
    },
    imageServiceEndpoint: {
      fixed: 'containerd serves images where it serves containers',
      why: 'Not written: images come from the pipe above.',
    },
    'evictionHard.*': {
      value: ({ spec }) => spec.reserve.evictionHard,
      field: 'reserve.evictionHard',
      why: 'Pods are evicted below it. Two signals work on Windows; naming one turns all unnamed ones off, so both are written.',
      see: eviction,
    },
    'featureGates.*': {
      value: featureGates,
      field: 'kubelet.featureGates',
      why: 'Gates that the profile turns on or off.',
      see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/',
    },
    kubeReserved: {
      value: ({ reservations }) => quantities(reservations.kube),
      field: 'reserve.kube',
      why: 'Reserved for Kubernetes; allocatable is less by it.',
      see: reserving,
    },
    'kubeReserved.cpu': {
      field: 'reserve.kube.cpu',
      why: 'For the kubelet and containerd.',
      see: reserving,
    },
    'kubeReserved.memory': {
      field: 'reserve.kube.memory',
      why: 'For the kubelet, containerd and a shim for each pod. It lowers allocatable and caps nothing.',
      see: reserving,
    },
    'kubeReserved.ephemeral-storage': {
      field: 'reserve.kube.ephemeralStorage',
      why: 'For logs and the kubelet’s own files.',
      see: reserving,
    },
    'kubeReserved.pid': {
      value: ({ spec }) => spec.reserve.kube.pid,
      field: 'reserve.kube.pid',
      why: 'Process IDs for the kubelet and containerd, where the profile gives them.',
      see: reserving,
    },
    systemReserved: {
      value: ({ reservations }) => quantities(reservations.system),
      field: 'reserve.system',
      why: 'Reserved for Windows and its services; allocatable is less by it.',
      see: onWindows,
    },
    'systemReserved.cpu': {
      field: 'reserve.system.cpu',
      why: 'For Windows and its services.',
      see: onWindows,
    },
    'systemReserved.memory': {
      field: 'reserve.system.memory',
      why: 'For Windows, which needs 2 GiB at least. There is no OOM killer: without it allocations fail everywhere.',
      see: onWindows,
    },
    'systemReserved.ephemeral-storage': {
      field: 'reserve.system.ephemeralStorage',
      why: 'For Windows and its updates.',
      see: reserving,
    },
    'systemReserved.pid': {
      value: ({ spec }) => spec.reserve.system.pid,
      field: 'reserve.system.pid',
      why: 'Process IDs for Windows and its services, where the profile gives them.',
      see: reserving,
    },
    maxPods: {
      value: ({ spec }) => spec.kubelet.maxPods,
      field: 'kubelet.maxPods',
      why: 'How many pods the scheduler may place here; each takes an address of the node’s pod CIDR.',
    },
    providerID: {
      value: ({
        spec: {
          kubelet: { providerID },
        },
      }) => (typeof providerID === 'object' ? '' : providerID),
      field: 'kubelet.providerID',
      fact: 'providerID',
      why: 'The cloud’s id of the machine, where the profile gives one.',
    },
    readOnlyPort: { value: 0, why: 'The port that answers without authentication stays closed.' },
    'registerWithTaints[]': {
      value: ({ spec }) =>
        spec.kubelet.taints.map(({ key, value, effect }) => ({ key, value, effect })),
      field: 'kubelet.taints',
      why: 'Taints that the node registers with.',
    },
    'registerWithTaints[].key': {
      why: 'Keeps pods that do not ask for Windows away; it counts when the node registers first.',
    },
    'registerWithTaints[].value': { why: 'The value that a toleration has to name.' },
    'registerWithTaints[].effect': {
      why: 'NoSchedule: no pod lands here that does not tolerate it.',
    },
    resolvConf: {
      value: '',
      why: 'Empty. The default, /etc/resolv.conf, does not exist on Windows, and a path that does not exist breaks the DNS of pods.',
    },
    rotateCertificates: {
      value: true,
      why: 'The client certificate is renewed before it ends; else the node drops out.',
    },
    serverTLSBootstrap: {
      value: ({ spec }) => spec.kubelet.servingCertificateApprover !== undefined,
      field: 'kubelet.servingCertificateApprover',
      why: 'Whether the cluster signs the serving certificate. False until the profile names a CSR approver: Kubernetes has none.',
    },
    shutdownGracePeriod: {
      value: ({ spec }) => spec.kubelet.shutdownGracePeriod,
      field: 'kubelet.shutdownGracePeriod',
      why: 'How long a shutdown of Windows waits for pods.',
      see: shutdown,
    },
    shutdownGracePeriodCriticalPods: {
      value: ({ spec }) => spec.kubelet.shutdownGracePeriodCriticalPods,
      field: 'kubelet.shutdownGracePeriodCriticalPods',
      why: 'The part of it that critical pods get, at the end.',
      see: shutdown,
    },
    healthzBindAddress: {
      value: '127.0.0.1',
      why: 'The machine itself; kubeadm waits for an answer there.',
    },
    healthzPort: {
      value: kubeletHealthPort,
      why: 'The default, for which kubeadm waits after it has started the kubelet.',
      see: 'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/',
    },
    staticPodPath: {
      value: '',
      why: 'Empty: no static pods; a worker gets pods from the API server only.',
    },
    tlsMinVersion: {
      value: 'VersionTLS12',
      why: 'TLS older than 1.2 is refused.',
    },
  }),
}

/** Graceful shutdown sits behind a gate in the minors where it is new. */
function featureGates(facts: Facts): JsonObject | undefined {
  const { shutdownGracePeriod, featureGates: given } = facts.spec.kubelet
  const needed =
    shutdownGracePeriod !== undefined &&
    facts.has('kubelet-graceful-shutdown') &&
    !facts.has('kubelet-graceful-shutdown-default')
  const gates = { ...(needed && { WindowsGracefulNodeShutdown: true }), ...given }
  return Object.keys(gates).length > 0 ? gates : undefined
}

function quantities({ cpu, memory, ephemeralStorage }: Amounts): JsonObject {
  return {
    ...(cpu > 0 && { cpu: `${cpu}m` }),
    ...(memory > 0 && { memory: `${memory}Mi` }),
    ...(ephemeralStorage > 0 && { 'ephemeral-storage': `${ephemeralStorage}Mi` }),
  }
}
