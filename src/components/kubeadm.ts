// JoinConfiguration, with which kubeadm joins the node: each key with its value, the field that decides it, and the reason.
import { layout, pipe } from '../model/layout.ts'
import type { Facts } from '../model/facts.ts'
import { rowsOf, settingsOf } from './config-table.ts'

const validation =
  'https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/apis/kubeadm/validation/validation.go'

/** Whether kubeadm reads the API server and its CA from a kubeconfig on the node. */
const fromFile = ({ spec }: Facts) => spec.join.endpoint === undefined

const token = 'Empty; Join sets it on the node, in a file that it protects first and deletes after.'

export const joinRows = rowsOf({
  apiVersion: {
    value: (facts) => `kubeadm.k8s.io/${facts.has('kubeadm-v1beta4') ? 'v1beta4' : 'v1beta3'}`,
    why: 'v1beta4 from kubeadm 1.31 on, v1beta3 before; 1.37 reads v1beta4 only.',
  },
  kind: { value: 'JoinConfiguration', why: 'What the file is.' },
  'discovery.file.kubeConfigPath': {
    value: (facts) =>
      fromFile(facts) ? withoutDrive(facts.spec.join.discoveryFile ?? layout.discovery) : undefined,
    field: 'join.discoveryFile',
    why: 'A kubeconfig on the node that names the API server and its CA. Without a drive: kubeadm would take C: for the scheme of a URL.',
    see: validation,
  },
  'discovery.tlsBootstrapToken': {
    value: (facts) => (fromFile(facts) ? '' : undefined),
    why: token,
  },
  'discovery.bootstrapToken.apiServerEndpoint': {
    value: ({ spec }) => spec.join.endpoint,
    field: 'join.endpoint',
    why: 'The API server, where the profile names it.',
  },
  'discovery.bootstrapToken.caCertHashes[]': {
    value: (facts) => (fromFile(facts) ? undefined : facts.spec.join.caCertHashes),
    field: 'join.caCertHashes',
    why: 'The CA at that address must have one of these public keys; else the join ends.',
  },
  'discovery.bootstrapToken.token': {
    value: (facts) => (fromFile(facts) ? undefined : ''),
    why: token,
  },
  'nodeRegistration.name': {
    value: '',
    fact: 'nodeName',
    why: 'The node’s name, filled in on the node; the kubelet’s own is the same.',
  },
  'nodeRegistration.criSocket': {
    value: pipe.endpoint,
    why: 'containerd’s pipe; kubeadm does not look for it.',
  },
  'nodeRegistration.taints': {
    value: [],
    why: 'An empty list: the kubelet registers the taints of its configuration. Absent would mean the control plane taints.',
  },
})

export const joinSettings = settingsOf(
  joinRows,
  'https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/',
)

/** kubeadm takes `C:` for the scheme of a URL. Without a drive it looks on that of its working folder, C:. */
function withoutDrive(path: string): string {
  return path.replace(/^C:/i, '').replaceAll('\\', '/')
}
