// Fluent Bit: its published images for Windows, by build, and the outputs that a profile can name.

/** https://github.com/fluent/fluent-bit/blob/v5.1.1/.github/workflows/call-build-images.yaml */
export const fluentBitImages: readonly (readonly [build: number, image: string])[] = [
  [20348, 'cr.fluentbit.io/fluent/fluent-bit:windows-2022-5.1.1'],
  [26100, 'cr.fluentbit.io/fluent/fluent-bit:windows-2025-5.1.1'],
]

export const fluentBitOutputs = ['forward', 'http', 'loki'] as const
