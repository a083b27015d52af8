// Why each setting of kube-proxy stands in its configuration or on its command line.
import { explain } from '../../model/setting.ts'

const winkernel = 'https://github.com/kubernetes/kubernetes/tree/master/pkg/proxy/winkernel'

export const kubeProxySettings = explain(
  'https://kubernetes.io/docs/reference/config-api/kube-proxy-config.v1alpha1/',
  {
    apiVersion: 'The format of the file; there is no other.',
    kind: 'What the file is.',
    bindAddress: [
      'The node’s address, filled in on the node: on an overlay kube-proxy finds the host’s MAC by it, and stops where no adapter has it.',
      winkernel,
    ],
    'clientConnection.kubeconfig':
      'Credentials of its own: those of the kubelet may read no endpoint slices, and from 1.32 on no other nodes.',
    clusterCIDR: 'The pod network: traffic from outside of it is told apart.',
    'featureGates.*': [
      'WinDSR where the minor needs it for direct server return, and what the profile says.',
      'https://github.com/kubernetes/enhancements/issues/5100',
    ],
    hostnameOverride:
      'The node’s name, filled in on the node. With another than the kubelet’s it takes local pods for remote ones.',
    metricsBindAddress: 'Metrics are served without authentication, so to the machine itself only.',
    mode: [
      'kernelspace: the only one there is on Windows; from 1.37 on an empty one draws a warning.',
      winkernel,
    ],
    'winkernel.enableDSR':
      'Replies go straight back: clients keep their address, and services take no ephemeral ports.',
    'winkernel.networkName': [
      'The HNS network, by its exact name; kube-proxy waits for ever for one that it does not find.',
      winkernel,
    ],
    'winkernel.sourceVip': [
      'The address that it sends from on an overlay, reserved and filled in on the node at each start; empty is fatal.',
      winkernel,
    ],
    'winkernel.rootHnsEndpointName':
      'The host’s endpoint on an l2bridge network, through which health checks are answered.',
    'winkernel.forwardHealthCheckVip': [
      'Health checks of load balancers reach that endpoint. Off on Windows Server 2019, where a load balancer would fail with it.',
      'https://github.com/kubernetes/community/issues/8883',
    ],
  },
)

export const kubeProxyFlags = explain(
  'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-proxy/',
  {
    '--config': 'Everything else stands there; with it other flags are ignored, but for these.',
    '--hostname-override': 'The node’s name, the same as in the file.',
    '--windows-service':
      'It answers the service manager itself; the field of the file comes too late.',
    '--v': 'How much it logs.',
  },
)
