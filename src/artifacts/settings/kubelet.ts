// Why each setting of the kubelet stands in its configuration or on its command line.
import { explain } from '../../model/setting.ts'

const reserving = 'https://kubernetes.io/docs/tasks/administer-cluster/reserve-compute-resources/'
const eviction = 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/'
const onWindows = 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/'
const validation = 'https://github.com/kubernetes/kubernetes/pull/123137'
const shutdown = 'https://kubernetes.io/docs/concepts/cluster-administration/node-shutdown/'

export const kubeletSettings = explain(
  'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/',
  {
    apiVersion: 'The format of the file; every minor since 1.10 reads it.',
    kind: 'What the file is.',
    'authentication.anonymous.enabled':
      'Who brings no proof is refused. The default; written out, so that one can see it.',
    'authentication.webhook.enabled':
      'Bearer tokens are checked by the API server; metrics are scraped with them.',
    'authentication.x509.clientCAFile':
      'The CA whose client certificates count: by it the kubelet knows the API server.',
    'authorization.mode':
      'The API server is asked what a caller may do; AlwaysAllow would let all.',
    cgroupsPerQOS: [
      'Windows has no cgroups. Up to 1.30 true, or nothing, stops the kubelet; later it warns.',
      validation,
    ],
    enforceNodeAllocatable: [
      'Nothing can be enforced, and a missing list means pods. Empty up to 1.30, where any entry stops the kubelet.',
      validation,
    ],
    'enforceNodeAllocatable[]': [
      'none, from 1.31 on: the merge with drop-in files would lose an empty list.',
      'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/validation/validation.go',
    ],
    'clusterDNS[]': 'What pods ask for names. Windows has no resolv.conf: it travels through CNI.',
    clusterDomain: 'Short names of services are looked up below it.',
    containerRuntimeEndpoint:
      'containerd’s pipe. The default is a Unix socket; before 1.27 it is a flag.',
    'evictionHard.*': [
      'Pods are evicted below it. Two signals work on Windows; naming one turns all unnamed ones off, so both are written.',
      eviction,
    ],
    'featureGates.*': [
      'Gates that the profile turns on or off.',
      'https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/',
    ],
    'kubeReserved.cpu': [
      'Kept for the kubelet and containerd; allocatable is less by it.',
      reserving,
    ],
    'kubeReserved.memory': [
      'Kept for the kubelet, containerd and a shim for each pod. It lowers allocatable and caps nothing.',
      reserving,
    ],
    'kubeReserved.ephemeral-storage': [
      'Kept for logs and for what the kubelet keeps itself.',
      reserving,
    ],
    'systemReserved.cpu': ['Kept for Windows and its services.', onWindows],
    'systemReserved.memory': [
      'Kept for Windows, which needs 2 GiB at least. There is no OOM killer: without it allocations fail everywhere.',
      onWindows,
    ],
    'systemReserved.ephemeral-storage': ['Kept for Windows and its updates.', reserving],
    maxPods:
      'How many pods the scheduler may place here; each takes an address of the node’s share.',
    providerID: 'The cloud’s id of the machine, where the profile gives one.',
    readOnlyPort: 'The port that asks nobody who they are stays closed.',
    'registerWithTaints[].key':
      'Keeps pods that do not ask for Windows away; it counts when the node registers first.',
    'registerWithTaints[].value': 'The value that a toleration has to name.',
    'registerWithTaints[].effect': 'NoSchedule: no pod lands here that does not tolerate it.',
    resolvConf:
      'Empty. The default, /etc/resolv.conf, is not there on Windows, and a path that is not there breaks the DNS of pods.',
    healthzBindAddress: 'The machine itself; kubeadm waits for an answer there.',
    healthzPort: [
      'The default, for which kubeadm waits after it has started the kubelet.',
      'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/',
    ],
    rotateCertificates:
      'The client certificate is renewed before it ends; else the node drops out.',
    serverTLSBootstrap:
      'Whether the cluster signs the serving certificate. False until somebody is named who approves it: nothing in Kubernetes does.',
    shutdownGracePeriod: ['How long a shutdown of Windows waits for pods.', shutdown],
    shutdownGracePeriodCriticalPods: [
      'The part of it that critical pods get, at the end.',
      shutdown,
    ],
    staticPodPath:
      'Empty: a worker takes pods from the API server only, and no file may bring others in.',
    tlsMinVersion: 'Nobody talks to the kubelet with TLS older than 1.2.',
  },
)

const dropIns = 'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-config-file/'

export const kubeletFlags = explain(
  'https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/',
  {
    '--config':
      'Our whole file, whoever joins the node. kubeadm’s config.yaml is made once, with Linux in mind, and nobody reads it.',
    '--bootstrap-kubeconfig':
      'Read only while there is no kubeconfig: with it the kubelet asks for its first certificate.',
    '--kubeconfig': 'Its own credentials, which it writes after the first certificate is signed.',
    '--cert-dir': 'Where its certificates and keys lie, protected from everybody else.',
    '--root-dir': 'Where volumes and states of pods lie. The default has no drive letter.',
    '--hostname-override':
      'The node’s name, found on the node: lower case, never cut to 15 characters.',
    '--node-ip': 'Its address, found on the node: of the adapter that carries pod traffic.',
    '--node-labels': 'Labels of the profile, at the first registration.',
    '--container-runtime-endpoint': 'containerd’s pipe, where the minor has no field for it.',
    '--cloud-provider': 'external: a controller in the cluster initialises the node.',
    '--image-credential-provider-config': [
      'Which program gives passwords for which images.',
      'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/',
    ],
    '--image-credential-provider-bin-dir': [
      'Where these programs lie.',
      'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/',
    ],
    '--config-dir': ['Files of single machines, merged over the configuration.', dropIns],
    '--windows-service': 'It answers the service manager itself; graceful shutdown needs that.',
    '--windows-priorityclass': [
      'Above normal, so that busy pods cannot starve it until the node turns NotReady.',
      onWindows,
    ],
    '--v': 'How much it logs.',
  },
)

export const credentialProviderSettings = explain(
  'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/',
  {
    apiVersion: 'v1 from 1.26 on, v1beta1 before.',
    kind: 'What the file is.',
    'providers[].name': 'A program in the folder of --image-credential-provider-bin-dir.',
    'providers[].apiVersion': 'The format in which the kubelet asks it.',
    'providers[].matchImages[]': 'For which images it is asked.',
    'providers[].defaultCacheDuration': 'How long an answer counts that names no time.',
    'providers[].args[]': 'Its arguments, as the profile gives them.',
    'providers[].env[].name': 'A variable of its environment.',
    'providers[].env[].value': 'And its value; never a secret.',
  },
)
