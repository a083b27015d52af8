// kubelet-csr-approver: its published image, its name in the cluster, and patterns of node names.

/** https://github.com/postfinance/kubelet-csr-approver/blob/v1.2.14/.github/workflows/publish.yaml */
export const csrApproverImage = 'ghcr.io/postfinance/kubelet-csr-approver:v1.2.14'

/** Of its objects in templates/cluster/csr-approver.yaml.hbs; nodes name it as their approver. */
export const csrApproverName = 'winnode-csr-approver'

/** A name of a node, where `*` stands for any characters of names. */
export const nodeNamePattern = /^[a-z0-9*](?:[a-z0-9.*-]*[a-z0-9*])?$/

/** Anchored: the program looks for a match anywhere in the name. */
export function nodeNameExpression(patterns: readonly string[]): string {
  const each = patterns.map((one) => one.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9.-]*'))
  return `^(?:${each.join('|')})$`
}
