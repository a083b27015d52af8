// The questions that `Customize` asks, by group.
import { everyCni } from '../../cni/index.ts'
import { downloads, mirrors, proxy, taints } from '../field-codecs.ts'
import { joinMethods, lines, minors, models } from '../offers.ts'
import { type DeclaredRow, rowsOf } from '../row.ts'
import { block } from '../text-codec.ts'

interface Group {
  readonly group: string
  /** What its questions are about. */
  readonly note: string
  readonly rows: readonly DeclaredRow[]
}

export const allFields = 'all fields'

export const groups: readonly Group[] = [
  {
    group: 'join',
    note: 'method, kubelet version, DNS, plugin',
    rows: [
      {
        id: 'join-method',
        field: 'join.method',
        title: 'How does the node join?',
        offers: joinMethods,
      },
      { id: 'ca', field: 'join.ca', title: 'Cluster CA certificate', codec: block },
      {
        id: 'kubernetes',
        field: 'kubernetes.version',
        title: 'kubelet version',
        offers: minors,
        decision: 'kubelet',
      },
      {
        id: 'node-network',
        field: 'network.nodeCIDRs',
        title: 'Node subnets',
        fallbackText: 'overlap with node subnets is not checked',
      },
      { id: 'dns', field: 'network.clusterDNS', title: 'Cluster DNS address' },
      { id: 'domain', field: 'network.clusterDomain', title: 'Cluster domain' },
      { id: 'node-mask', field: 'network.nodeCIDRMaskSize', title: 'Per-node pod CIDR mask' },
      ...everyCni.flatMap(({ id, questions = [] }) =>
        questions.map((row) => ({ ...row, cni: id })),
      ),
    ],
  },
  {
    group: 'sizing',
    note: 'machine, maxPods, reservations',
    rows: [
      { id: 'cpu', field: 'machine.cpu', title: 'Logical processors of the smallest machine' },
      { id: 'memory', field: 'machine.memory', title: 'Memory of the smallest machine' },
      { id: 'disk', field: 'machine.disk', title: 'Drive C: of the smallest machine' },
      { id: 'max-pods', field: 'kubelet.maxPods', title: 'Maximum pods (maxPods)' },
      {
        id: 'sizing',
        field: 'reserve.model',
        title: 'Resource reservation model',
        offers: models,
        columns: ['reserved', 'allocatable'],
      },
    ],
  },
  {
    group: 'labels and taints',
    note: 'and Hyper-V isolation',
    rows: [
      { id: 'taints', field: 'kubelet.taints', title: 'Node taints', codec: taints },
      { id: 'labels', field: 'kubelet.labels', title: 'Node labels', fallbackText: 'none' },
      {
        id: 'hyper-v',
        field: 'isolation.hyperV',
        title: 'Add a RuntimeClass for Hyper-V isolation?',
      },
    ],
  },
  {
    group: 'registries and proxy',
    note: 'containerd, mirrors',
    rows: [
      {
        id: 'containerd',
        field: 'containerd.version',
        title: 'containerd version',
        offers: lines,
        decision: 'containerd',
      },
      {
        id: 'proxy',
        field: 'host.proxy',
        title: 'HTTP proxy',
        codec: proxy,
        example: 'http://proxy.example.com:3128',
        fallbackText: 'none',
      },
      {
        id: 'mirrors',
        field: 'registry.mirrors',
        title: 'Registry mirrors',
        codec: mirrors,
        fallbackText: 'none',
      },
      {
        id: 'downloads',
        field: 'artifacts.baseURLs',
        title: 'Download mirrors (kubernetes, github, nssm)',
        codec: downloads,
        fallbackText: 'upstream',
      },
    ],
  },
  {
    group: 'firewall and certificates',
    note: 'of the kubelet',
    rows: [
      {
        id: 'kubelet-from',
        field: 'host.firewall.kubeletFrom',
        title: 'Subnets allowed to reach the kubelet',
        fallbackText: 'open to all addresses',
      },
      {
        id: 'approver',
        field: 'kubelet.servingCertificateApprover',
        title: 'Approver of kubelet serving CSRs',
        fallbackText: 'none; the certificate is self-signed, so clients cannot verify it',
      },
    ],
  },
  {
    group: allFields,
    note: 'any field of a profile',
    rows: [
      {
        id: 'revision',
        field: 'windows.revision',
        title: 'Minimum Windows update build revision',
        fallbackText: 'none: defects of older revisions are not checked',
      },
      { id: 'features', field: 'host.features', title: 'Windows features to install' },
    ],
  },
]

export const groupRows = groups.flatMap(({ group, rows }) => rowsOf(group, rows))
