// Fluent Bit: its published images for Windows, by build, and the outputs that a profile can name.
import { pickBuild } from '../matrix/image-isolation.ts'

/** https://github.com/fluent/fluent-bit/blob/v5.1.1/.github/workflows/call-build-images.yaml */
const images: ReadonlyMap<number, string> = new Map([
  [20348, 'cr.fluentbit.io/fluent/fluent-bit:windows-2022-5.1.1'],
  [26100, 'cr.fluentbit.io/fluent/fluent-bit:windows-2025-5.1.1'],
])

export const fluentBitOutputs = ['forward', 'http', 'loki'] as const

/** The image of the newest build that this one can run. */
export function fluentBitImageFor(build: number): string | undefined {
  const picked = pickBuild(build, [...images.keys()])
  return picked === undefined ? undefined : images.get(picked)
}
