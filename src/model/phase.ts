// Phase: when a step of a node is walked.

/**
 * `image`: before any cluster is known. `join`: becoming a member, with what comes `beforeJoin` and
 * `afterJoin`, as kubeadm may be run by somebody else. `boot`: after each start.
 */
export const phases = ['image', 'beforeJoin', 'join', 'afterJoin', 'boot'] as const
export type Phase = (typeof phases)[number]
