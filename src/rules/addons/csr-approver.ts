// kubelet-csr-approver: whether it starts with its flags, and approves the requests of the profile's own node.
import { parseImage } from '../../go/image-reference.ts'
import { parseVersion } from '../../matrix/version.ts'
import { nodeNameExpression } from '../../addons/csr-approver.ts'
import { type Conflict, defineRule, when } from '../../model/rule.ts'
import { contains, parseAddress, parseCidr } from '../../net/cidr.ts'

const approver = ['cluster', 'csrApprover']
const source = 'https://github.com/postfinance/kubelet-csr-approver/blob/v1.2.14/internal'

export const approverOpen = defineRule({
  id: 'csr-approver-without-node-cidrs',
  severity: 'error',
  severityVaries: true,
  summary: 'The CSR approver has the subnets of the nodes.',
  remedy: 'Set network.nodeCIDRs to the subnets of the nodes.',
  see: `${source}/cmd/cmd.go`,
  check: ({ spec: { cluster } }): readonly Conflict[] => {
    const { enabled, nodeCIDRs = [] } = cluster.csrApprover
    const path = [...approver, 'nodeCIDRs']
    if (!enabled) return []
    if (nodeCIDRs.length === 0)
      return [
        {
          path,
          message:
            'no subnet is set; without one the approver approves certificates for every address',
        },
      ]
    return nodeCIDRs
      .filter((text) => parseCidr(text)?.prefix === 0)
      .map((text) => ({
        path,
        severity: 'warning',
        harm: 'exposes',
        message: `${text} is every address: a node can get a certificate for the address of another machine`,
      }))
  },
})

export const approverMissesNode = defineRule({
  id: 'csr-approver-rejects-node',
  severity: 'error',
  summary: 'The CSR approver approves the serving certificate of the profile’s node.',
  remedy: 'Add it to the list.',
  see: `${source}/controller/regex_ip_checks.go`,
  check: ({ spec: { cluster, kubelet, network } }) => {
    const { enabled, nodeNames, nodeCIDRs = [] } = cluster.csrApprover
    const { nodeName } = kubelet
    const address = parseAddress(network.nodeIP ?? '')
    const cidrs = nodeCIDRs.flatMap((text) => parseCidr(text) ?? [])
    return [
      ...when(
        enabled &&
          typeof nodeName === 'string' &&
          !new RegExp(nodeNameExpression(nodeNames)).test(nodeName),
        [...approver, 'nodeNames'],
        `the node name ${JSON.stringify(nodeName)} matches none of ${nodeNames.join(', ')}, so the node gets no serving certificate`,
      ),
      ...when(
        enabled &&
          address !== undefined &&
          cidrs.length > 0 &&
          !cidrs.some((cidr) => contains(cidr, address)),
        [...approver, 'nodeCIDRs'],
        `the node IP ${network.nodeIP} is in none of ${nodeCIDRs.join(', ')}, so the node gets no serving certificate`,
      ),
    ]
  },
})

export const approverTooOld = defineRule({
  id: 'csr-approver-too-old',
  severity: 'error',
  summary: 'The CSR approver has all flags that it gets.',
  remedy: 'Use a newer image.',
  see: 'https://github.com/postfinance/kubelet-csr-approver/compare/v1.2.3...v1.2.4',
  check: ({ spec: { cluster }, has }) => {
    const { enabled, image } = cluster.csrApprover
    const version = parseVersion(parseImage(image)?.tag ?? '')?.text
    return when(
      enabled && version !== undefined && !has('csr-approver-leaves-requests'),
      [...approver, 'image'],
      `kubelet-csr-approver ${version} has no flag skip-deny-step, so it does not start`,
    )
  },
})
