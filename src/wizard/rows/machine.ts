// Questions about the machine's size, its reservations and the pods that run on it.
import { models } from '../offers.ts'
import { topicRows } from '../row.ts'
import { taints } from '../field-codecs.ts'

const matters = 'where it matters'

export const machine = topicRows('machine', [
  {
    id: 'cpu',
    path: ['machine', 'cpu'],
    title: 'How many logical processors has the smallest machine?',
    ask: 'always',
  },
  {
    id: 'memory',
    path: ['machine', 'memory'],
    title: 'How much memory has the smallest machine?',
    ask: 'always',
  },
  {
    id: 'disk',
    path: ['machine', 'disk'],
    title: 'How large is drive C: of the smallest machine?',
    ask: 'always',
  },
  {
    id: 'max-pods',
    path: ['kubelet', 'maxPods'],
    title: 'How many pods shall the node take?',
    ask: 'always',
  },
  {
    id: 'sizing',
    path: ['reserve', 'model'],
    title: 'How much shall be kept from pods?',
    ask: 'always',
    offers: models,
    columns: ['kept: CPU', 'memory', 'pods: CPU', 'memory'],
  },
])

export const pods = topicRows('pods', [
  {
    id: 'taints',
    path: ['kubelet', 'taints'],
    title: 'Which taints shall keep other pods away?',
    ask: 'always',
    codec: taints,
  },
  {
    id: 'labels',
    path: ['kubelet', 'labels'],
    title: 'Which labels shall the node have?',
    ask: 'always',
    fallbackText: 'no labels of your own',
  },
  {
    id: 'hyper-v',
    path: ['isolation', 'hyperV'],
    title: 'Shall a RuntimeClass offer Hyper-V isolation too?',
    ask: 'always',
  },
  {
    id: 'features',
    path: ['host', 'features'],
    title: 'Which Windows features shall be installed?',
    ask: matters,
  },
  {
    id: 'approver',
    path: ['kubelet', 'servingCertificateApprover'],
    title: 'Who approves the serving certificates of kubelets?',
    ask: matters,
    fallbackText: 'the kubelet signs its own, and nobody can check them',
  },
  {
    id: 'kubelet-from',
    path: ['host', 'firewall', 'kubeletFrom'],
    title: 'From which subnets do the API server and what scrapes metrics come?',
    ask: matters,
    fallbackText: 'anybody may reach the kubelet',
  },
])
