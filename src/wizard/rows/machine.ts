// Questions about the machine's size, its reservations and the pods that run on it.
import { models } from '../offers.ts'
import { topicRows } from '../row.ts'
import { taints } from '../field-codecs.ts'

const matters = 'where it matters'

export const machine = topicRows('machine', [
  {
    id: 'cpu',
    path: ['machine', 'cpu'],
    title: 'Logical processors of the smallest machine',
    ask: 'always',
  },
  {
    id: 'memory',
    path: ['machine', 'memory'],
    title: 'Memory of the smallest machine',
    ask: 'always',
  },
  {
    id: 'disk',
    path: ['machine', 'disk'],
    title: 'Drive C: of the smallest machine',
    ask: 'always',
  },
  {
    id: 'max-pods',
    path: ['kubelet', 'maxPods'],
    title: 'Maximum pods (maxPods)',
    ask: 'always',
  },
  {
    id: 'sizing',
    path: ['reserve', 'model'],
    title: 'Resource reservation model',
    ask: 'always',
    offers: models,
    columns: ['reserved: CPU', 'memory', 'allocatable: CPU', 'memory'],
  },
])

export const pods = topicRows('pods', [
  {
    id: 'taints',
    path: ['kubelet', 'taints'],
    title: 'Node taints',
    ask: 'always',
    codec: taints,
  },
  {
    id: 'labels',
    path: ['kubelet', 'labels'],
    title: 'Node labels',
    ask: 'always',
    fallbackText: 'none',
  },
  {
    id: 'hyper-v',
    path: ['isolation', 'hyperV'],
    title: 'Add a RuntimeClass for Hyper-V isolation?',
    ask: 'always',
  },
  {
    id: 'features',
    path: ['host', 'features'],
    title: 'Windows features to install',
    ask: matters,
  },
  {
    id: 'approver',
    path: ['kubelet', 'servingCertificateApprover'],
    title: 'Approver of kubelet serving CSRs',
    ask: matters,
    fallbackText: 'none: self-signed, clients cannot verify it',
  },
  {
    id: 'kubelet-from',
    path: ['host', 'firewall', 'kubeletFrom'],
    title: 'Subnets allowed to reach the kubelet (10250)',
    ask: matters,
    fallbackText: 'open to all addresses',
  },
])
