// A test that a joined node works.

/** Runs on a joined node without drift, so no step can fix a failure. */
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
  'sandboxes',
  'endpoints',
  'bgp',
  'proxy',
  'services',
  'image',
  'clock',
  'disk',
  'ports',
  'logs',
  'firewall',
  'tokens',
  'gmsa',
] as const
export type HealthKind = (typeof healthKinds)[number]
