// Why each setting of flannel's files and each flag of flanneld has its value.
import { explain } from '../../model/setting.ts'
import { policySettings } from '../endpoint-policies.ts'

const plugin = 'https://github.com/flannel-io/cni-plugin/blob/main/README.md'
const overlay = 'https://www.cni.dev/plugins/current/main/win-overlay/'
const conventions = 'https://github.com/containernetworking/cni/blob/main/CONVENTIONS.md'

const conflist = explain('https://github.com/containernetworking/cni/blob/main/SPEC.md', {
  cniVersion:
    'The newest version that containerd’s libcni accepts: 1.0.0 from containerd 1.6 on, 0.4.0 before. With a newer one no pod starts.',
  name: 'The HNS network. host-local stores addresses under the same name, so that the source VIP stays reserved.',
  'plugins[].type': [
    'flannel: reads this node’s pod subnet and calls the delegate plugin.',
    plugin,
  ],
  'plugins[].subnetFile': ['The file to which flanneld writes this node’s pod subnet.', plugin],
  'plugins[].dataDir': [
    'The folder in which the plugin stores its result for each container.',
    plugin,
  ],
  'plugins[].capabilities.dns': [
    'containerd passes each pod’s DNS settings, because Windows has no resolv.conf.',
    conventions,
  ],
  'plugins[].capabilities.portMappings': [
    'hostPort of pods works; win-overlay would accept and ignore it.',
    conventions,
  ],
  'plugins[].delegate.type': ['win-overlay or win-bridge, by the type of the network.', overlay],
  'plugins[].delegate.apiVersion': [
    '2, the HNS API with network namespaces, which containerd needs; with 1 no pod starts.',
    'https://github.com/containernetworking/plugins/tree/main/plugins/main/windows',
  ],
  'plugins[].delegate.endpointMacPrefix': [
    'MAC addresses consist of this prefix and the IP address; flanneld must use the same prefix.',
    overlay,
  ],
  'plugins[].delegate.loopbackDSR': [
    'A pod can reach itself through its own Service; needs direct server return (DSR).',
    'https://github.com/containernetworking/plugins/tree/main/plugins/main/windows',
  ],
})

export const conflistSettings = { ...conflist, ...policySettings('plugins[].delegate.policies[]') }

export const netConfSettings = explain(
  'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md',
  {
    Network: {
      why: 'The pod CIDR; must be the same on Linux nodes.',
      field: 'network.podCIDRs',
    },
    'Backend.Type': {
      why: 'vxlan for overlay, host-gw for l2bridge; the same in the whole cluster.',
      field: 'network.mode',
    },
    'Backend.VNI': {
      why: 'At least 4096 on Windows. Linux defaults to 1; nodes with different VNIs cannot reach each other.',
      field: 'network.flannel.vni',
    },
    'Backend.Port': {
      why: '4789, the only port that Windows supports. Linux defaults to 8472.',
      field: 'network.flannel.port',
    },
    'Backend.Name': {
      why: 'The name of the HNS network, as in the CNI conf and for kube-proxy.',
      field: 'network.name',
    },
    'Backend.MacPrefix': {
      why: 'As in the CNI conf.',
      field: 'network.flannel.macPrefix',
    },
  },
)

export const flannelRoleSettings = explain(
  'https://github.com/flannel-io/flannel/blob/master/Documentation/kube-flannel.yml',
  {
    'rules[].apiGroups[]': 'Node is in the core API group.',
    'rules[].resources[]':
      'flanneld reads the pod CIDRs of all nodes, and records its node’s address.',
    'rules[].verbs[]': 'It reads nodes, and updates the status of this node.',
  },
)

export const policyObjectSettings = explain(
  'https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/',
  {
    apiVersion: 'API version of the object; stable since Kubernetes 1.30.',
    kind: 'The policy, and the binding that puts it into force.',
    'metadata.name': 'The ServiceAccount that it limits.',
    'metadata.labels."app.kubernetes.io/managed-by"':
      'winnode: drift finds objects of earlier bundles by this label.',
    'spec.failurePolicy': 'Fail: an expression that cannot be evaluated rejects the request.',
    'spec.matchConstraints.resourceRules[].apiGroups[]': 'Node is in the core API group.',
    'spec.matchConstraints.resourceRules[].apiVersions[]': 'The API version of Node.',
    'spec.matchConstraints.resourceRules[].operations[]': 'A patch is an UPDATE in admission.',
    'spec.matchConstraints.resourceRules[].resources[]':
      'The status, which the role lets flanneld patch, and the Node itself.',
    'spec.matchConditions[].name': 'A name in messages of the API server.',
    'spec.matchConditions[].expression':
      'Requests of flanneld’s ServiceAccount only, also with a client certificate of that name.',
    'spec.variables[].name': 'A name used in the expressions below.',
    'spec.variables[].expression': 'The Node after the request, and before it.',
    'spec.validations[].message': 'The reason in the rejection, and so in flanneld’s log.',
    'spec.validations[].reason': 'Forbidden: the code is 403, as for a missing permission.',
    'spec.validations[].expression': [
      'Annotations below flannel.alpha.coreos.com/ and the condition NetworkUnavailable are all that flanneld changes.',
      'https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/kube.go',
    ],
    'spec.policyName': 'The policy above.',
    'spec.validationActions[]': 'Deny: the request is rejected.',
  },
)

/** Where it differs from the DaemonSet of kube-proxy. */
export const daemonSetSettings = explain(
  'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/',
  {
    'data."start.ps1"': [
      'Starts flanneld, reserves an address, and writes the CNI configuration last: with it the node becomes ready.',
      'https://github.com/flannel-io/flannel/tree/master/pkg/backend',
    ],
    'spec.template.spec.priorityClassName':
      'The last pods to be evicted: without them, no pod of the node has a network.',
    'spec.template.spec.securityContext.windowsOptions.runAsUserName':
      'HNS accepts changes from administrators only.',
    'spec.template.spec.tolerations[].operator':
      'All taints: a node is not ready before its network is complete.',
    'spec.template.spec.containers[].image': {
      why: 'Your image with flannel/flanneld.exe, by digest, because it runs as SYSTEM.',
      field: 'network.flannel.image',
    },
    'spec.template.spec.containers[].env[].name':
      'The configuration of flanneld and of the CNI plugin, paths on the node, a kubeconfig without credentials, and the node’s name and address.',
    'spec.template.spec.containers[].env[].valueFrom.fieldRef.fieldPath': [
      'flanneld looks up its Node by this name, and sends from this address.',
      'https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/kube.go',
    ],
  },
)

export const flannelFlags = explain(
  'https://github.com/flannel-io/flannel/blob/master/Documentation/configuration.md',
  {
    '--kube-subnet-mgr': 'Pod CIDRs come from the Node objects, not from etcd.',
    '--kubeconfig-file': 'Its own credentials.',
    '--iface': 'The node’s address, detected on the node; traffic to other nodes uses its adapter.',
    '--net-config-path': 'Its network configuration.',
    '--subnet-file': 'The file to which it writes this node’s pod subnet for the CNI plugin.',
    '--iptables-forward-rules': 'false: Windows has no iptables.',
    NODE_NAME: 'The node’s name: flanneld uses the pod CIDR of this Node.',
  },
)
