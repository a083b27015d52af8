// Fields of the kubelet and kube-proxy.
import * as v from 'valibot'
import { priorityClasses } from '../../matrix/priority-classes.ts'
import {
  duration,
  field,
  gateName,
  group,
  labelKey,
  labelValue,
  nodePath,
  open,
  passThrough,
  text,
  whole,
} from '../../model/field.ts'
import { credentialsField } from '../../model/credentials-field.ts'

const gates = v.record(gateName, v.boolean())
const approverWords = 'the name of a CSR approver'
/** Any other text is the name of an approver. */
const withoutApprover = new Map(
  ['none', 'no', 'false', 'off', 'disabled', 'null', '~', 'true', 'yes', 'on', 'enabled'].map(
    (word) => [
      word,
      {
        reason: 'is not a name',
        instead:
          'Set cluster.csrApprover.enabled, or the name of another approver; without an approver, remove the field or write null.',
        see: 'https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/#kubelet-serving-certs',
      },
    ],
  ),
)

export const kubelet = group(
  {
    nodeName: open(
      v.union(
        [v.pipe(v.string(), v.minLength(1)), v.strictObject({ file: nodePath })],
        'a DNS name such as win-1, or {file: PATH}',
      ),
      {
        what: 'Node name, or a one-line file on the node that contains it, such as one written by cloudbase-init or a metadata script.',
        why: 'A fixed name makes the bundle usable for one machine only. Cloud controllers find an instance by its name in the cloud, which can differ from the host name.',
        derived: 'on the node: the DNS host name in lower case',
        example: { file: 'C:\\ProgramData\\cloud\\node-name' },
      },
    ),
    labels: field(
      v.record(labelKey, labelValue),
      {},
      {
        what: 'Labels that the node registers with.',
        why: 'A kubelet may set only some labels of kubernetes.io and k8s.io itself; with any other it does not start.',
        example: { 'example.com/pool': 'windows' },
      },
    ),
    taints: field(
      v.array(
        v.strictObject({
          key: labelKey,
          value: v.optional(labelValue, ''),
          effect: v.picklist(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
        }),
      ),
      [{ key: 'os', value: 'windows', effect: 'NoSchedule' }],
      {
        what: 'Taints that the node registers with.',
        why: 'They keep Linux pods without a node selector off Windows nodes. The kubelet sets them only at first registration.',
        example: [{ key: 'os', value: 'windows', effect: 'NoSchedule' }],
      },
    ),
    maxPods: field(whole(1, 65_535), 110, {
      what: 'Maximum number of pods on the node.',
      why: 'Each pod needs an address of the node’s pod CIDR, and adds 11 MiB to the default reservation.',
      example: 60,
    }),
    priorityClass: field(v.picklist(priorityClasses), 'ABOVE_NORMAL_PRIORITY_CLASS', {
      what: 'Process priority class of the kubelet.',
      why: 'At normal priority, busy pods can starve the kubelet, and the node becomes NotReady.',
      example: 'HIGH_PRIORITY_CLASS',
    }),
    verbosity: field(whole(0, 10), 2, {
      what: 'Log verbosity of the kubelet.',
      why: '2 is recommended, 4 is for debugging. From 8 on, the answers of the API server are logged, with Secrets and tokens, so winnode rejects it.',
      example: 4,
    }),
    shutdownGracePeriod: open(duration, {
      what: 'How long a Windows shutdown waits for pods to terminate.',
      why: 'Without it, pods are killed when Windows shuts down.',
      when: 'from Kubernetes 1.34 on, or from 1.32 with the feature gate WindowsGracefulNodeShutdown',
      example: '60s',
    }),
    shutdownGracePeriodCriticalPods: open(duration, {
      what: 'The part of shutdownGracePeriod reserved for critical pods.',
      why: 'Critical pods stop last. It cannot be longer than shutdownGracePeriod.',
      when: 'with shutdownGracePeriod',
      example: '20s',
    }),
    featureGates: field(
      gates,
      {},
      {
        what: 'Feature gates of the kubelet, each true or false.',
        why: 'A kubelet does not start with an unknown or locked gate; winnode knows the gates of each minor.',
        example: { WindowsGracefulNodeShutdown: true },
      },
    ),
    servingCertificateApprover: open(
      v.pipe(
        text(/\S/, approverWords),
        v.check((name) => !withoutApprover.has(name.toLowerCase()), approverWords),
      ),
      {
        what: 'The CSR approver for kubelet serving certificates; enables serverTLSBootstrap.',
        why: 'Kubernetes does not approve these CSRs itself. Without an approver, certificates are self-signed; if the approver is set but not running, logs, exec and metrics fail.',
        derived: 'winnode-csr-approver with cluster.csrApprover.enabled',
        example: 'kubelet-csr-approver',
        refused: withoutApprover,
      },
    ),
    cloudProvider: open(v.picklist(['external']), {
      what: 'Set it if a cloud controller manager initializes nodes.',
      why: 'The node stays tainted until that controller has initialized it; without one, no pod is scheduled on it.',
      example: 'external',
    }),
    providerID: open(
      v.union(
        [
          v.pipe(v.string(), v.regex(/^[a-z][a-z0-9.+-]*:\/\/\S+$/)),
          v.strictObject({ file: nodePath }),
        ],
        'an id such as aws:///eu-west-1a/i-0123456789abcdef0, or {file: PATH}',
      ),
      {
        what: 'Provider ID of the instance, or a one-line file on the node that contains it.',
        why: 'A fixed ID makes the bundle usable for one machine only; a file is read when the node joins. Cloud controllers find the instance of a node by it, and it cannot be changed later.',
        example: { file: 'C:\\ProgramData\\cloud\\provider-id' },
      },
    ),
    dropInDirectory: open(nodePath, {
      what: 'Folder on the node with *.conf files that the kubelet merges over its configuration.',
      when: 'from Kubernetes 1.30 on',
      why: 'For settings of single machines. Lists are replaced, maps are merged, and null deletes nothing.',
      example: 'C:\\etc\\kubernetes\\kubelet.conf.d',
    }),
    config: field(
      passThrough,
      {},
      {
        what: 'Any other field of KubeletConfiguration. Maps are merged with the values that winnode writes; other values replace them.',
        why: 'winnode rejects fields that the kubelet version does not have or that stop it on Windows, and warns about fields that only apply to Linux.',
        example: { containerLogMaxSize: '50Mi' },
      },
    ),
  },
  'The kubelet.',
)

export const kubeProxy = group(
  {
    runsAs: open(v.picklist(['service', 'hostProcess']), {
      what: 'How kube-proxy runs: `service` as a service of the node, `hostProcess` as HostProcess pods of a DaemonSet.',
      why: 'A service needs credentials on the node, so with Cluster API they are in the user data of each machine. Pods get a token of the API server that expires, and start after the join. Such a DaemonSet runs on all nodes of the Windows build, so their profiles must agree.',
      when: 'with a network plugin whose kube-proxy is a service, and with network.cni none, where the bundle has no kube-proxy without it',
      derived: 'service; with network.cni none, no kube-proxy',
      example: 'hostProcess',
    }),
    verbosity: field(whole(0, 10), 2, {
      what: 'Log verbosity of kube-proxy.',
      why: '2 is recommended, 4 is for debugging; 9 and above is rejected.',
      example: 4,
    }),
    metricsBindAddress: field(v.string(), '127.0.0.1:10249', {
      what: 'Address and port on which kube-proxy serves metrics.',
      why: 'Metrics are served without authentication, so the default is the loopback address.',
      example: '127.0.0.1:10249',
    }),
    featureGates: field(
      gates,
      {},
      {
        what: 'Feature gates of kube-proxy, each true or false.',
        why: 'winnode adds WinDSR if the version needs it. From 1.34 on, WinDSR and WinOverlay are locked.',
        example: { ComponentFlagz: false },
      },
    ),
    credentials: credentialsField('kube-proxy', 'kube-proxy'),
    config: field(
      passThrough,
      {},
      {
        what: 'Any other field of KubeProxyConfiguration. Maps are merged with the values that winnode writes; other values replace them.',
        why: 'Most of its fields only apply to Linux: winnode warns about them, and rejects fields that the version does not have.',
        example: { configSyncPeriod: '15m0s' },
      },
    ),
  },
  'kube-proxy.',
)
