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
  whole,
} from '../../model/field.ts'
import { credentialsField } from '../../model/credentials-field.ts'

const gates = v.record(gateName, v.boolean())

export const kubelet = group(
  {
    nodeName: open(
      v.union(
        [v.pipe(v.string(), v.minLength(1)), v.strictObject({ file: nodePath })],
        'a DNS name such as win-1, or {file: PATH}',
      ),
      {
        what: 'The node’s name, or a file of one line on the node that holds it, such as cloud-init or a metadata script writes.',
        why: 'A value makes the bundle serve a single machine: two of one name take each other’s place. Cloud controllers look for a machine by the name that the cloud knows, which the host name need not be.',
        derived: 'on the node: the lower-cased DNS host name',
        example: { file: 'C:\\ProgramData\\cloud\\node-name' },
      },
    ),
    labels: field(
      v.record(labelKey, labelValue),
      {},
      {
        what: 'Labels that the node registers with.',
        why: 'A kubelet may not give itself every label of kubernetes.io and k8s.io: with one it may not, it ends at its start.',
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
        why: 'Linux pods without a node selector must not land on a Windows node. They count at the first registration only.',
        example: [{ key: 'os', value: 'windows', effect: 'NoSchedule' }],
      },
    ),
    maxPods: field(whole(1, 65_535), 110, {
      what: 'How many pods the node takes.',
      why: 'Each needs an address of the node’s share of the pod network, and the default reservation grows by 11 MiB for each.',
      example: 60,
    }),
    priorityClass: field(v.picklist(priorityClasses), 'ABOVE_NORMAL_PRIORITY_CLASS', {
      what: 'The kubelet’s process priority.',
      why: 'At normal priority busy pods starve the kubelet, and the node turns NotReady.',
      example: 'HIGH_PRIORITY_CLASS',
    }),
    verbosity: field(whole(0, 10), 2, {
      what: 'The kubelet’s log level.',
      why: '2 is the recommended one, 4 is for debugging; from 9 on requests with their tokens stand in the log, so winnode refuses that.',
      example: 4,
    }),
    shutdownGracePeriod: open(duration, {
      what: 'How long a shutdown of the machine waits for pods.',
      why: 'Without it pods are cut off when Windows shuts down.',
      when: 'from Kubernetes 1.34 on, or from 1.32 with the gate WindowsGracefulNodeShutdown',
      example: '60s',
    }),
    shutdownGracePeriodCriticalPods: open(duration, {
      what: 'The part of shutdownGracePeriod that is kept for critical pods.',
      why: 'They stop last. It cannot be longer than the whole.',
      when: 'where shutdownGracePeriod is',
      example: '20s',
    }),
    featureGates: field(
      gates,
      {},
      {
        what: 'Feature gates of the kubelet, each on or off.',
        why: 'A kubelet ends at its start on a gate that its minor does not know, or that is locked; winnode knows them by minor.',
        example: { WindowsGracefulNodeShutdown: true },
      },
    ),
    servingCertificateApprover: open(
      v.pipe(v.string(), v.minLength(1, 'the name of an approver')),
      {
        what: 'Who approves the kubelet’s serving certificates; turns serverTLSBootstrap on.',
        why: 'Nothing in Kubernetes approves them, so nobody named means self-signed ones; named but not running means that logs, exec and metrics fail.',
        example: 'kubelet-csr-approver',
      },
    ),
    cloudProvider: open(v.picklist(['external']), {
      what: 'Set where a cloud controller manager initialises nodes.',
      why: 'The node stays tainted until that controller has seen it: without one no pod lands on it.',
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
        what: 'The cloud’s id of the machine, or a file of one line on the node that holds it.',
        why: 'A value makes the bundle serve a single machine; a file is read when the node joins. Cloud controllers find the machine of a node by it, and cannot change it later.',
        example: { file: 'C:\\ProgramData\\cloud\\provider-id' },
      },
    ),
    dropInDirectory: open(nodePath, {
      what: 'A folder on the node whose *.conf files the kubelet merges over its configuration.',
      when: 'from Kubernetes 1.30 on',
      why: 'For settings of single machines; lists are replaced, maps are merged, and null deletes nothing.',
      example: 'C:\\etc\\kubernetes\\kubelet.conf.d',
    }),
    config: field(
      passThrough,
      {},
      {
        what: 'Any further field of KubeletConfiguration; its maps are merged into what winnode writes, everything else wins over it.',
        why: 'winnode refuses fields that the kubelet’s minor lacks or that stop it on Windows, and warns of those that only Linux knows.',
        example: { containerLogMaxSize: '50Mi' },
      },
    ),
  },
  'The kubelet.',
)

export const kubeProxy = group(
  {
    verbosity: field(whole(0, 10), 2, {
      what: 'The log level of kube-proxy.',
      why: 'As with kubelet.verbosity: 4 is for debugging, 9 and more is refused.',
      example: 4,
    }),
    metricsBindAddress: field(v.string(), '127.0.0.1:10249', {
      what: 'Where kube-proxy serves metrics: address and port.',
      why: 'They are served without authentication, so on the loopback address only.',
      example: '127.0.0.1:10249',
    }),
    featureGates: field(
      gates,
      {},
      {
        what: 'Feature gates of kube-proxy, each on or off.',
        why: 'winnode adds WinDSR where the minor needs it. From 1.34 on, WinDSR and WinOverlay are locked.',
        example: { WinDSR: true },
      },
    ),
    credentials: credentialsField('kube-proxy', 'C:\\etc\\kubernetes\\kube-proxy.conf'),
    config: field(
      passThrough,
      {},
      {
        what: 'Any further field of KubeProxyConfiguration; its maps are merged into what winnode writes, everything else wins over it.',
        why: 'Most of its fields speak to Linux: winnode warns of those, and refuses fields that the minor lacks.',
        example: { configSyncPeriod: '15m0s' },
      },
    ),
  },
  'kube-proxy.',
)
