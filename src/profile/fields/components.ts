// Fields of the kubelet, kube-proxy and what is kept from pods.
import * as v from 'valibot'
import { sizingModels } from '../../sizing/models.ts'
import {
  duration,
  field,
  gateName,
  group,
  labelKey,
  labelValue,
  open,
  passThrough,
  quantity,
  whole,
} from './kinds.ts'
import { credentials } from './network.ts'

const gates = v.record(gateName, v.boolean())

export const kubelet = group(
  {
    nodeName: open(v.pipe(v.string(), v.minLength(1, 'a DNS name such as win-1')), {
      what: 'The node’s name; only for a bundle that serves a single machine.',
      derived: 'on the node: the lower-cased DNS host name',
      example: 'win-1',
    }),
    labels: field(
      v.record(labelKey, labelValue),
      {},
      {
        what: 'Labels that the node registers with.',
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
        why: 'Linux pods without a node selector must not land on a Windows node.',
      },
    ),
    maxPods: field(whole(1, 1000), 110, { what: 'How many pods the node takes.' }),
    priorityClass: field(
      v.picklist([
        'IDLE_PRIORITY_CLASS',
        'BELOW_NORMAL_PRIORITY_CLASS',
        'NORMAL_PRIORITY_CLASS',
        'ABOVE_NORMAL_PRIORITY_CLASS',
        'HIGH_PRIORITY_CLASS',
        'REALTIME_PRIORITY_CLASS',
      ]),
      'ABOVE_NORMAL_PRIORITY_CLASS',
      {
        what: 'The kubelet’s process priority.',
        why: 'At normal priority busy pods starve the kubelet, and the node turns NotReady.',
      },
    ),
    verbosity: field(whole(0, 10), 2, { what: 'The kubelet’s log level.' }),
    shutdownGracePeriod: open(duration, {
      what: 'How long a shutdown of the machine waits for pods.',
      why: 'Windows kubelets honour it from 1.32 on, and only as a native service.',
      example: '60s',
    }),
    shutdownGracePeriodCriticalPods: open(duration, {
      what: 'The part of shutdownGracePeriod that is kept for critical pods.',
      example: '20s',
    }),
    featureGates: field(
      gates,
      {},
      {
        what: 'Feature gates of the kubelet.',
        example: { WindowsGracefulNodeShutdown: true },
      },
    ),
    servingCertificateApprover: open(
      v.pipe(v.string(), v.minLength(1, 'the name of an approver')),
      {
        what: 'Who approves the kubelet’s serving certificates; turns serverTLSBootstrap on.',
        why: 'Nothing in Kubernetes approves them: without an approver logs, exec and metrics fail.',
        example: 'kubelet-csr-approver',
      },
    ),
    cloudProvider: open(v.picklist(['external']), {
      what: 'Set where a cloud controller manager initialises nodes.',
    }),
    providerID: open(v.pipe(v.string(), v.minLength(1, 'the cloud’s id of the machine')), {
      what: 'The cloud’s id of the machine; only for a bundle that serves a single machine.',
    }),
    config: field(
      passThrough,
      {},
      {
        what: 'Any further field of KubeletConfiguration; it wins over what winnode would write.',
        example: { containerLogMaxSize: '50Mi' },
      },
    ),
  },
  'The kubelet.',
)

export const kubeProxy = group(
  {
    verbosity: field(whole(0, 10), 2, { what: 'The log level of kube-proxy.' }),
    metricsBindAddress: field(v.string(), '127.0.0.1:10249', {
      what: 'Where kube-proxy serves metrics.',
    }),
    featureGates: field(gates, {}, { what: 'Feature gates of kube-proxy.' }),
    credentials: credentials('kube-proxy', 'C:\\etc\\kubernetes\\kube-proxy.conf'),
    config: field(
      passThrough,
      {},
      {
        what: 'Any further field of KubeProxyConfiguration; it wins over what winnode would write.',
      },
    ),
  },
  'kube-proxy.',
)

const amounts = (whose: string) =>
  group(
    {
      cpu: open(quantity, { what: `CPU kept for ${whose}.`, example: '200m' }),
      memory: open(quantity, { what: `Memory kept for ${whose}.`, example: '2Gi' }),
      ephemeralStorage: open(quantity, { what: `Disk kept for ${whose}.`, example: '1Gi' }),
    },
    `Amounts kept for ${whose}; each wins over the model.`,
  )

export const reserve = group(
  {
    model: field(v.picklist(sizingModels.map(({ id }) => id)), 'winnode', {
      what: 'The model that fills the amounts left open.',
      why: 'Nothing on Windows enforces a reservation: it only lowers what the scheduler gives away.',
    }),
    kube: amounts('the kubelet and containerd'),
    system: amounts('Windows and its services'),
    evictionHard: field(
      v.record(v.string(), v.string()),
      { 'memory.available': '500Mi', 'nodefs.available': '10%' },
      {
        what: 'Thresholds below which the kubelet evicts pods.',
        why: 'Only these two signals work on Windows, and naming one turns all unnamed ones off.',
      },
    ),
  },
  'What is kept from pods.',
)

export const machine = group(
  {
    cpu: field(whole(1, 2048), 4, {
      what: 'Logical processors of the smallest machine of its kind.',
    }),
    memory: field(quantity, '16Gi', { what: 'Memory of the smallest machine of its kind.' }),
    disk: field(quantity, '100Gi', { what: 'Size of drive C:.' }),
    secureBoot: open(v.boolean(), { what: 'Whether the machine boots with Secure Boot.' }),
  },
  'The machine that the reservations are computed for.',
)
