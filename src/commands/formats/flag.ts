// The flag --format.
import * as Flags from '@oclif/core/flags'

/** Formats for other programs; every command writes them alike. */
const exportFormats = ['sarif', 'junit', 'markdown', 'github'] as const
export type ExportFormat = (typeof exportFormats)[number]

interface More {
  readonly exclusive?: string[]
  /** Formats of this command alone. */
  readonly also?: readonly string[]
}

export function formatFlag(summary: string, { exclusive = [], also = [] }: More = {}) {
  return Flags.string({
    // Else one of them would be ignored.
    exclusive: ['json', ...exclusive],
    options: ['pretty', 'lines', 'json', ...exportFormats, ...also],
    default: 'pretty',
    summary,
  })
}

export function isExportFormat(format: string): format is ExportFormat {
  return exportFormats.some((other) => other === format)
}
