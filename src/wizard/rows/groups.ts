// The questions that `Customize` asks, by group.
import { everyCni } from '../../cni/index.ts'
import { downloads, mirrors, proxy, taints } from '../field-codecs.ts'
import { lines, minors, models } from '../offers.ts'
import type { Row } from '../row.ts'
import { block } from '../text-codec.ts'

const join: readonly Omit<Row, 'group'>[] = [
  {
    id: 'join-method',
    path: ['join', 'method'],
    title: 'How does the node join?',
    offers: () => [
      { value: 'kubeadm', name: 'kubeadm', note: 'fetches the CA and checks its hash' },
      {
        value: 'bootstrapKubeconfig',
        name: 'TLS bootstrap',
        note: 'a bootstrap kubeconfig, for clusters without kubeadm',
      },
    ],
  },
  {
    id: 'ca',
    path: ['join', 'ca'],
    title: 'Cluster CA certificate',
    codec: block,
  },
  {
    id: 'kubernetes',
    path: ['kubernetes', 'version'],
    title: 'kubelet version',
    offers: minors,
    decision: 'kubelet',
  },
  {
    id: 'node-network',
    path: ['network', 'nodeCIDRs'],
    title: 'Node subnets',
    fallbackText: 'overlap with node subnets is not checked',
  },
  {
    id: 'dns',
    path: ['network', 'clusterDNS'],
    title: 'Cluster DNS address',
  },
  {
    id: 'domain',
    path: ['network', 'clusterDomain'],
    title: 'Cluster domain',
  },
  {
    id: 'node-mask',
    path: ['network', 'nodeCIDRMaskSize'],
    title: 'Per-node pod CIDR mask',
  },
  ...everyCni.flatMap(({ id, questions }) => questions.map((row) => ({ ...row, cni: id }))),
]

const sizing: readonly Omit<Row, 'group'>[] = [
  {
    id: 'cpu',
    path: ['machine', 'cpu'],
    title: 'Logical processors of the smallest machine',
  },
  {
    id: 'memory',
    path: ['machine', 'memory'],
    title: 'Memory of the smallest machine',
  },
  {
    id: 'disk',
    path: ['machine', 'disk'],
    title: 'Drive C: of the smallest machine',
  },
  {
    id: 'max-pods',
    path: ['kubelet', 'maxPods'],
    title: 'Maximum pods (maxPods)',
  },
  {
    id: 'sizing',
    path: ['reserve', 'model'],
    title: 'Resource reservation model',
    offers: models,
    columns: ['reserved: CPU', 'memory', 'allocatable: CPU', 'memory'],
  },
]

const scheduling: readonly Omit<Row, 'group'>[] = [
  {
    id: 'taints',
    path: ['kubelet', 'taints'],
    title: 'Node taints',
    codec: taints,
  },
  {
    id: 'labels',
    path: ['kubelet', 'labels'],
    title: 'Node labels',
    fallbackText: 'none',
  },
  {
    id: 'hyper-v',
    path: ['isolation', 'hyperV'],
    title: 'Add a RuntimeClass for Hyper-V isolation?',
  },
]

const supply: readonly Omit<Row, 'group'>[] = [
  {
    id: 'containerd',
    path: ['containerd', 'version'],
    title: 'containerd version',
    offers: lines,
    decision: 'containerd',
  },
  {
    id: 'proxy',
    path: ['host', 'proxy'],
    title: 'HTTP proxy',
    codec: proxy,
    example: 'http://proxy.example.com:3128',
    fallbackText: 'none',
  },
  {
    id: 'mirrors',
    path: ['registry', 'mirrors'],
    title: 'Registry mirrors',
    codec: mirrors,
    fallbackText: 'none',
  },
  {
    id: 'downloads',
    path: ['artifacts', 'baseURLs'],
    title: 'Download mirrors (kubernetes, github, nssm)',
    codec: downloads,
    fallbackText: 'upstream',
  },
]

const security: readonly Omit<Row, 'group'>[] = [
  {
    id: 'kubelet-from',
    path: ['host', 'firewall', 'kubeletFrom'],
    title: 'Subnets allowed to reach the kubelet (10250)',
    fallbackText: 'open to all addresses',
  },
  {
    id: 'approver',
    path: ['kubelet', 'servingCertificateApprover'],
    title: 'Approver of kubelet serving CSRs',
    fallbackText: 'none: self-signed, clients cannot verify it',
  },
]

/** Asked by name, in `all fields`. */
const other: readonly Omit<Row, 'group'>[] = [
  {
    id: 'revision',
    path: ['windows', 'revision'],
    title: 'Minimum Windows update build revision',
    fallbackText: 'none: defects of older revisions are not checked',
  },
  {
    id: 'features',
    path: ['host', 'features'],
    title: 'Windows features to install',
  },
]

export const allFields = 'all fields'

/** What `Customize` offers. */
export const groups: readonly {
  readonly group: string
  readonly note: string
  readonly rows: readonly Omit<Row, 'group'>[]
}[] = [
  { group: 'join', note: 'method, kubelet version, DNS, plugin', rows: join },
  { group: 'sizing', note: 'machine, maxPods, reservations', rows: sizing },
  { group: 'labels and taints', note: 'and Hyper-V isolation', rows: scheduling },
  { group: 'registries and proxy', note: 'containerd, mirrors', rows: supply },
  { group: 'firewall and certificates', note: 'of the kubelet', rows: security },
  { group: allFields, note: 'any field of a profile', rows: other },
]

export const groupRows: readonly Row[] = groups.flatMap(({ group, rows }) =>
  rows.map((row) => ({ ...row, group })),
)
