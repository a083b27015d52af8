// Rules that refuse what a program takes: each with what fails later, or where the setting belongs.
// Of a value that the form of a field refuses, the field stands behind the id.

const place = 'the profile has a field for it, or winnode writes it'
const api = 'the API server refuses the Node'
const network = 'the network of the node does not work'

export const later: ReadonlyMap<string, string> = new Map([
  ['setting-has-field-of-its-own', place],
  ['kube-proxy-late-value-overridden', place],
  ['kubelet-field-fixed', place],
  [
    'kubelet-api-open',
    'refused on purpose: the kubelet answers without authentication, or takes no tokens, which scrapers of metrics have',
  ],
  ['kubelet-log-query-exploitable', 'refused on purpose: a query can run commands'],
  ['kubelet-health-port-not-kubeadms', 'kubeadm join waits for another port, and gives up'],
  ['nothing-left-for-pods', 'no pod fits on the node'],
  ['cluster-dns-outside-services', 'no service has that address'],
  ['bad-value network.clusterDNS', 'the kubelet leaves it out, and pods resolve no name'],
  ['bad-value network.clusterDomain', 'pods resolve no name of a service'],
  ['bad-value network.podCIDRs', 'flanneld exits'],
  ['bad-value network.serviceCIDRs', 'the network plugin of the node cannot route it'],
  ['bad-value network.sourceVip', 'HNS makes no endpoint of that address'],
  ['bad-value kubelet.providerID', 'no cloud finds its machine by an id without a scheme'],
  [
    'kubelet-setting-ends-start',
    'the kubelet exits when it starts its parts, which did not run here',
  ],
  ['kubelet-tls-too-old', 'refused on purpose: this version of TLS is broken'],
  ['taint-given-twice', api],
  ['node-name-malformed', `${api}, or its label kubernetes.io/hostname`],
  ['kube-proxy-gate-off', network],
  ['kube-proxy-mode-not-kernelspace', 'a blank mode is userspace in 1.25'],
  ['overlay-single-stack', network],
  ['network-lacks-ipv4', network],
  ['flannel-has-one-network', network],
  ['cidr-has-host-bits', 'flanneld and the controller manager read another network'],
  ['bad-value network.podCIDRs', 'flanneld exits'],
  ['pause-image-tag-moves', 'refused on purpose: the image changes under the node'],
  ['registry-name-refused-by-windows', 'Windows makes no folder of that name'],
  ['image-name-too-new', 'no image can name that registry'],
  ['mirror-names-no-host', 'the registry itself is asked in its place'],
])
