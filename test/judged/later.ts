// Rules that refuse what a program takes: each with what fails later, or where the setting belongs.

const place = 'the profile has a field for it, or winnode writes it'
const api = 'the API server refuses the Node'
const network = 'the network of the node does not work'

export const later: ReadonlyMap<string, string> = new Map([
  ['setting-has-field-of-its-own', place],
  ['kube-proxy-late-value-overridden', place],
  ['kubelet-field-fixed', place],
  ['kubelet-api-open', 'refused on purpose: everybody could run commands in pods'],
  ['kubelet-tls-too-old', 'refused on purpose: this version of TLS is broken'],
  ['taint-given-twice', api],
  ['node-name-malformed', `${api}, or its label kubernetes.io/hostname`],
  ['kube-proxy-gate-off', network],
  ['kube-proxy-mode-not-kernelspace', 'a blank mode is userspace in 1.25'],
  ['overlay-single-stack', network],
  ['flannel-has-one-network', network],
  ['cidr-has-host-bits', 'flanneld and the controller manager read another network'],
  ['cidr-malformed', 'flanneld ends at its start'],
  ['pause-image-tag-moves', 'refused on purpose: the image changes under the node'],
  ['registry-name-refused-by-windows', 'Windows makes no folder of that name'],
  ['image-name-too-new', 'no image can name that registry'],
  ['mirror-names-no-host', 'the registry itself is asked in its place'],
])
