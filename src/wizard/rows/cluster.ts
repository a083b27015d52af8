// Questions about the cluster.
import { topicRows } from '../row.ts'
import { minors, plugins } from '../offers.ts'
import { block } from '../text-codec.ts'

const matters = 'where it matters'

export const cluster = topicRows('cluster', [
  {
    id: 'api-server',
    path: ['kubernetes', 'apiServer'],
    title: 'Which version does the API server have?',
    ask: 'always',
    offers: minors,
    // It defaults to the kubelet's version, which is asked later.
    decision: 'kubelet',
  },
  {
    id: 'cni',
    path: ['network', 'cni'],
    title: 'Which network plugin does the cluster run?',
    ask: 'always',
    offers: plugins,
  },
  {
    id: 'join-method',
    path: ['join', 'method'],
    title: 'Who makes the node a member of the cluster?',
    ask: 'always',
    offers: () => [
      { value: 'kubeadm', name: 'kubeadm', note: 'brings the CA to the node' },
      {
        value: 'bootstrapKubeconfig',
        name: 'the kubelet, with a bootstrap kubeconfig',
        note: 'for clusters without kubeadm; needs the CA certificate',
      },
    ],
  },
  {
    id: 'endpoint',
    path: ['join', 'endpoint'],
    title: 'Where does the node reach the API server?',
    ask: 'always',
    fallbackText: 'a file on the node says it',
  },
  {
    id: 'ca-hashes',
    path: ['join', 'caCertHashes'],
    title: 'Which digests may the CA of the cluster have?',
    ask: matters,
  },
  {
    id: 'ca',
    path: ['join', 'ca'],
    title: 'What is the CA certificate of the cluster?',
    ask: matters,
    codec: block,
  },
  {
    id: 'pod-network',
    path: ['network', 'podCIDRs'],
    title: 'Which network do pods have?',
    ask: 'always',
  },
  {
    id: 'service-network',
    path: ['network', 'serviceCIDRs'],
    title: 'Which network do services have?',
    ask: 'always',
  },
  {
    id: 'node-network',
    path: ['network', 'nodeCIDRs'],
    title: 'Which subnets are the nodes in?',
    ask: 'always',
    fallbackText: 'nobody checks that the networks lie apart',
  },
  {
    id: 'dns',
    path: ['network', 'clusterDNS'],
    title: 'Which address does the DNS service of the cluster have?',
    ask: matters,
  },
  {
    id: 'domain',
    path: ['network', 'clusterDomain'],
    title: 'Which DNS domain does the cluster have?',
    ask: matters,
  },
  {
    id: 'node-mask',
    path: ['network', 'nodeCIDRMaskSize'],
    title: 'How long is the prefix of a node’s share of the pod network?',
    ask: matters,
  },
])
