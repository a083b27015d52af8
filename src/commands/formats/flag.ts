// The flag --format: how a command prints what it found.
import * as Flags from '@oclif/core/flags'

/** Those for other programs are written by all commands alike. */
const others = ['sarif', 'junit', 'markdown', 'github'] as const
export type OtherFormat = (typeof others)[number]

interface More {
  readonly exclusive?: string[]
  /** Formats of this command alone. */
  readonly also?: readonly string[]
}

export function formatFlag(summary: string, { exclusive = [], also = [] }: More = {}) {
  return Flags.string({
    exclusive,
    options: ['pretty', 'lines', 'json', ...others, ...also],
    default: 'pretty',
    summary,
  })
}

export function isOther(format: string): format is OtherFormat {
  return others.some((other) => other === format)
}
