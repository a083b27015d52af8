// A profile with all values resolved.

/** Its properties are declared in src/profile/fields/index.ts, by declaration merging. */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the table of fields fills it
export interface NodeSpec {}

export type NetworkMode = NodeSpec['network']['mode']

/** Reserved resources; each a Kubernetes quantity. */
export type ResourceAmounts = NodeSpec['reserve']['kube']

export type RegistryMirror = NodeSpec['registry']['mirrors'][string][number]
