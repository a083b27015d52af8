// What the documentation of Kubernetes says that pods on Windows cannot do, each with the rules that say so.
// https://kubernetes.io/docs/concepts/windows/intro/#limitations
// https://kubernetes.io/docs/concepts/services-networking/windows-networking/#limitations

type Stated = Readonly<Record<string, readonly string[]>>

/** By what a pod sets. */
export const statedFields: Stated = {}

/** By what its network cannot do. */
export const statedLimits: Stated = {}
