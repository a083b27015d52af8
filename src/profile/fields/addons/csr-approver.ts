// Fields of kubelet-csr-approver.
import * as v from 'valibot'
import { csrApproverImage, nodeNamePattern } from '../../../addons/csr-approver.ts'
import { cidr, field, group, open, text, whole } from '../../../model/field.ts'
import { image } from '../../../model/image-field.ts'

export const csrApprover = group(
  {
    enabled: field(v.boolean(), false, {
      what: 'Run kubelet-csr-approver as a Deployment in kube-system, and let the kubelet request its serving certificate from the cluster.',
      why: 'Without an approver, serving certificates of kubelets are self-signed. See docs/serving-certificates.md.',
      example: true,
    }),
    image: field(image, csrApproverImage, {
      what: 'Image of kubelet-csr-approver, which Linux nodes pull.',
      why: 'Releases before 1.2.4 do not start: they lack a flag.',
      when: 'with cluster.csrApprover.enabled',
      example: 'registry.example.com/postfinance/kubelet-csr-approver:v1.2.14',
    }),
    nodeNames: field(
      v.pipe(
        v.array(text(nodeNamePattern, 'a node name in lower case, in which * is any text: win-*')),
        v.minLength(1, 'at least one pattern'),
      ),
      ['*'],
      {
        what: 'DNS names that are approved; `*` is any text.',
        why: 'Each DNS name of a certificate must match one, and start with the name of the node that requests it. Requests of Linux nodes are checked, too.',
        when: 'with cluster.csrApprover.enabled',
        example: ['win-*'],
      },
    ),
    nodeCIDRs: open(v.array(cidr), {
      what: 'Subnets whose addresses are approved.',
      why: 'A certificate with another address is not approved. The subnets of Linux nodes belong here if their kubelets request serving certificates, too.',
      when: 'with cluster.csrApprover.enabled',
      derived: 'network.nodeCIDRs',
      example: ['10.0.0.0/24', '10.0.1.0/24'],
    }),
    bypassDNS: field(v.boolean(), true, {
      what: 'Approve without resolving the DNS names.',
      why: 'With `false`, the approver resolves each DNS name within one second and rejects addresses that DNS does not return. It does not check requests without a DNS name in this way.',
      when: 'with cluster.csrApprover.enabled',
      example: false,
    }),
    allowedDNSNames: field(whole(1, 1000), 2, {
      what: 'Most DNS names in one certificate.',
      why: 'In some clouds a kubelet requests two: the host name, and a name in the DNS of the cloud.',
      when: 'with cluster.csrApprover.enabled',
      example: 1,
    }),
    deny: field(v.boolean(), false, {
      what: 'Deny requests that do not match, instead of leaving them pending.',
      why: 'A denied request cannot be approved any more, by hand or by another approver. The approver decides on the requests of all nodes of the cluster.',
      when: 'with cluster.csrApprover.enabled',
      example: true,
    }),
  },
  'kubelet-csr-approver, which approves serving certificates of kubelets.',
)
