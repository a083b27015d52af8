// Temporary taints that controllers set while a node starts, stops or is unhealthy; its kubelet never sets them.

/**
 * well_known_taints.go of k8s.io/api/core/v1 and of k8s.io/cloud-provider/api, the autoscaler, and Cluster API.
 */
const keys =
  /^(?:node\.kubernetes\.io\/(?:not-ready|unreachable|unschedulable|.*-pressure|network-unavailable|out-of-service)|node\.cloudprovider\.kubernetes\.io\/.*|node\.cluster\.x-k8s\.io\/.*|ToBeDeletedByClusterAutoscaler|DeletionCandidateOfClusterAutoscaler)$/

export function isPassing(key: string): boolean {
  return keys.test(key)
}
