// kubelet-csr-approver: its published image, its name in the cluster, and patterns of node names.

/** https://github.com/postfinance/kubelet-csr-approver/blob/v1.2.14/.github/workflows/publish.yaml */
export const csrApproverImage = 'ghcr.io/postfinance/kubelet-csr-approver:v1.2.14'

/** Name of its objects in templates/cluster/csr-approver.yaml.hbs, and of the approver in profiles. */
export const csrApproverName = 'winnode-csr-approver'

/** A node name, where `*` matches any characters. */
export const nodeNamePattern = /^[a-z0-9*](?:[a-z0-9.*-]*[a-z0-9*])?$/

/** Anchored, because the program accepts a match anywhere in the name. */
export function nodeNameExpression(patterns: readonly string[]): string {
  const alternatives = patterns.map((one) =>
    one.replaceAll('.', '\\.').replaceAll('*', '[a-z0-9.-]*'),
  )
  return `^(?:${alternatives.join('|')})$`
}
