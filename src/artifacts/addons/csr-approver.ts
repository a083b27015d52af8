// kubelet-csr-approver as a Deployment, which approves the serving certificates of kubelets.
import { lockedImage } from '../../model/locked-image.ts'
import { reasonsFor } from '../../matrix/reasons.ts'
import type { Artifact } from '../../model/artifact.ts'
import { nodeNameExpression } from '../../addons/csr-approver.ts'
import type { NodeSpec } from '../../model/spec.ts'

/**
 * With = only: a separate value of a switch ends the flags, and later ones are not read. No variables: there an empty value is
 * the default, which allows everything.
 * https://github.com/postfinance/kubelet-csr-approver/blob/v1.2.14/internal/cmd/cmd.go
 */
function flagsOf({ cluster: { csrApprover: approver } }: NodeSpec): readonly string[] {
  return [
    `--provider-regex=${nodeNameExpression(approver.nodeNames)}`,
    `--provider-ip-prefixes=${(approver.nodeCIDRs ?? []).join(',')}`,
    `--bypass-dns-resolution=${approver.bypassDNS}`,
    `--allowed-dns-names=${approver.allowedDNSNames}`,
    `--skip-deny-step=${!approver.deny}`,
  ]
}

export const csrApprover: Artifact = ({ spec }) =>
  spec.cluster.csrApprover.enabled
    ? {
        id: 'cluster-csr-approver',
        path: 'cluster/52-csr-approver.yaml',
        summary: 'kubelet-csr-approver, which approves serving certificates of kubelets.',
        body: {
          kind: 'template',
          template: 'cluster/csr-approver.yaml.hbs',
          view: {
            image: lockedImage(spec.cluster.csrApprover.image, spec.artifacts),
            flags: flagsOf(spec).map((flag) => ({ flag })),
          },
        },
        settings: reasonsFor('kubelet-csr-approver'),
      }
    : undefined
