// The configuration of kube-proxy: each key with its value, the field that decides it, and the reason.
import { kubeconfigPath } from '../cni/kubeconfig.ts'
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { rowsOf, type ConfigTable } from './config-table.ts'

const winkernel = 'https://github.com/kubernetes/kubernetes/tree/master/pkg/proxy/winkernel'

const isOverlay = ({ spec }: Facts) => spec.network.mode === 'overlay'

export const kubeProxy: ConfigTable = {
  name: 'kube-proxy',
  home: 'kubeProxy',
  version: ({ kubernetes }) => kubernetes.kubeProxy,
  see: 'https://kubernetes.io/docs/reference/config-api/kube-proxy-config.v1alpha1/',
  rows: rowsOf({
    apiVersion: {
      value: 'kubeproxy.config.k8s.io/v1alpha1',
      fixed: 'the format is the one that winnode writes',
      why: 'The format of the file; there is no other.',
    },
    kind: {
      value: 'KubeProxyConfiguration',
      fixed: 'the file is of the kind that winnode writes',
      why: 'What the file is.',
    },
    bindAddress: {
      value: '',
      fact: 'nodeIP',
      fixed: 'the node fills in its address',
      why: 'The node’s address, filled in on the node: on an overlay kube-proxy finds the host’s MAC by it, and stops where no adapter has it.',
      see: winkernel,
    },
    'clientConnection.kubeconfig': {
      value: ({ spec }) => kubeconfigPath(spec.kubeProxy.credentials, 'kube-proxy'),
      field: 'kubeProxy.credentials',
      why: 'Separate credentials: the kubelet’s cannot read EndpointSlices, nor, from 1.32 on, other nodes.',
    },
    clusterCIDR: {
      value: ({ spec }) => spec.network.podCIDRs.join(','),
      field: 'network.podCIDRs',
      why: 'The pod CIDRs. On Windows they do not decide which traffic is local: kube-proxy at most checks their address family.',
      see: 'https://github.com/kubernetes/kubernetes/blob/master/cmd/kube-proxy/app/server.go',
    },
    'featureGates.*': {
      value: featureGates,
      field: 'kubeProxy.featureGates',
      why: 'WinDSR where the minor needs it for direct server return, and the gates of the profile.',
      see: 'https://github.com/kubernetes/enhancements/issues/5100',
    },
    hostnameOverride: {
      value: '',
      fact: 'nodeName',
      fixed: 'the node fills in its name',
      why: 'The node’s name, filled in on the node. With another than the kubelet’s it takes local pods for remote ones.',
    },
    metricsBindAddress: {
      value: ({ spec }) => spec.kubeProxy.metricsBindAddress,
      field: 'kubeProxy.metricsBindAddress',
      why: 'Metrics are served without authentication, so to the machine itself only.',
    },
    mode: {
      value: 'kernelspace',
      why: 'kernelspace: the only one on Windows; from 1.37 on an empty one draws a warning.',
      see: winkernel,
    },
    'winkernel.enableDSR': {
      value: ({ spec }) => spec.network.dsr,
      field: 'network.dsr',
      why: 'Replies go straight back: clients keep their address, and services take no ephemeral ports.',
    },
    'winkernel.networkName': {
      value: ({ spec }) => spec.network.name,
      field: 'network.name',
      why: 'The HNS network, by its exact name; kube-proxy waits for ever for one that it does not find.',
      see: winkernel,
    },
    'winkernel.sourceVip': {
      value: (facts) => (isOverlay(facts) ? '' : undefined),
      field: 'network.sourceVip',
      fact: 'sourceVip',
      why: 'The address that it sends from on an overlay, reserved and filled in on the node at each start; empty is fatal.',
      see: winkernel,
    },
    'winkernel.rootHnsEndpointName': {
      value: (facts) => (isOverlay(facts) ? undefined : `${facts.spec.network.name}_ep`),
      fixed: 'it follows from the network',
      why: 'The host’s endpoint on an l2bridge network, through which health checks are answered.',
    },
    'winkernel.forwardHealthCheckVip': {
      value: (facts) =>
        isOverlay(facts) ? undefined : facts.windows.noHealthCheckVip === undefined,
      fixed: 'it follows from the network and the Windows release',
      why: 'Health checks of load balancers reach that endpoint. Off on Windows Server 2019, where a load balancer would fail with it.',
      see: 'https://github.com/kubernetes/community/issues/8883',
    },
  }),
}

function featureGates(facts: Facts): JsonObject | undefined {
  const { network, kubeProxy: given } = facts.spec
  const needed = facts.has('proxy-dsr-needs-gate') && network.dsr
  const gates = { ...(needed && { WinDSR: true }), ...given.featureGates }
  return Object.keys(gates).length > 0 ? gates : undefined
}
