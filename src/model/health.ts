// HealthCheck: what shows that a member works, which no step can bring about.

/** A question to a member that is as described: whether it also works. */
export interface HealthCheck {
  readonly id: string
  readonly kind: HealthKind
  /** What the check needs, by kind. */
  readonly with: Readonly<Record<string, boolean | number | string | readonly string[]>>
}

export const healthKinds = [
  'kubelet',
  'certificate',
  'node',
  'network',
  'proxy',
  'services',
  'image',
  'clock',
  'disk',
  'ports',
] as const
export type HealthKind = (typeof healthKinds)[number]
