// Questions about the cluster.
import { endpoint } from '../field-codecs.ts'
import { topicRows } from '../row.ts'
import { minors, plugins } from '../offers.ts'
import { block } from '../text-codec.ts'

const matters = 'where it matters'

export const cluster = topicRows('cluster', [
  {
    id: 'api-server',
    path: ['kubernetes', 'apiServer'],
    title: 'Kubernetes API server version',
    ask: 'always',
    offers: minors,
    // It defaults to the kubelet's version, which is asked later.
    decision: 'kubelet',
  },
  {
    id: 'cni',
    path: ['network', 'cni'],
    title: 'Network plugin',
    ask: 'always',
    offers: plugins,
  },
  {
    id: 'join-method',
    path: ['join', 'method'],
    title: 'How does the node join?',
    ask: 'always',
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
    id: 'endpoint',
    path: ['join', 'endpoint'],
    title: 'API server endpoint (host:port)',
    ask: 'always',
    codec: endpoint,
    fallbackText: 'from the discovery file on the node',
  },
  {
    id: 'ca-hashes',
    path: ['join', 'caCertHashes'],
    title: 'Cluster CA public key hash',
    ask: matters,
  },
  {
    id: 'ca',
    path: ['join', 'ca'],
    title: 'Cluster CA certificate',
    ask: matters,
    codec: block,
  },
  {
    id: 'pod-network',
    path: ['network', 'podCIDRs'],
    title: 'Pod CIDR',
    ask: 'always',
  },
  {
    id: 'service-network',
    path: ['network', 'serviceCIDRs'],
    title: 'Service CIDR',
    ask: 'always',
  },
  {
    id: 'node-network',
    path: ['network', 'nodeCIDRs'],
    title: 'Node subnets',
    ask: 'always',
    fallbackText: 'overlap with node subnets is not checked',
  },
  {
    id: 'dns',
    path: ['network', 'clusterDNS'],
    title: 'Cluster DNS address',
    ask: matters,
  },
  {
    id: 'domain',
    path: ['network', 'clusterDomain'],
    title: 'Cluster domain',
    ask: matters,
  },
  {
    id: 'node-mask',
    path: ['network', 'nodeCIDRMaskSize'],
    title: 'Per-node pod CIDR mask',
    ask: matters,
  },
])
