// The phases in which the scripts run steps.

/**
 * `image`: before any cluster is known. `join`: joining the cluster, with the steps `beforeJoin` and
 * `afterJoin`, as another tool may run kubeadm. `boot`: after each start.
 */
export const phases = ['image', 'beforeJoin', 'join', 'afterJoin', 'boot'] as const
export type Phase = (typeof phases)[number]
