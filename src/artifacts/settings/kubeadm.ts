// Why each setting stands in kubeadm's JoinConfiguration.
import { explain } from '../../model/setting.ts'

export const joinSettings = explain(
  'https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/',
  {
    apiVersion: 'v1beta4 from kubeadm 1.31 on, v1beta3 before; 1.37 reads v1beta4 only.',
    kind: 'What the file is.',
    'discovery.file.kubeConfigPath': [
      'A kubeconfig on the node that names the API server and its CA. Without a drive: kubeadm would take C: for the scheme of a URL.',
      'https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/apis/kubeadm/validation/validation.go',
    ],
    'discovery.tlsBootstrapToken':
      'Empty; Join sets it on the node, in a file that it protects first and deletes after.',
    'discovery.bootstrapToken.apiServerEndpoint': 'The API server, where the profile names it.',
    'discovery.bootstrapToken.caCertHashes[]':
      'The CA at that address must have one of these public keys; else the join ends.',
    'discovery.bootstrapToken.token':
      'Empty; Join sets it on the node, in a file that it protects first and deletes after.',
    'nodeRegistration.name':
      'The node’s name, filled in on the node; the kubelet’s own is the same.',
    'nodeRegistration.criSocket': 'containerd’s pipe; kubeadm does not look for it.',
    'nodeRegistration.taints':
      'An empty list: the kubelet registers the taints of its own configuration.',
  },
)
