// Writes the findings of a profile in the format of --format.
import type { Ignored, Finding } from '../../model/finding.ts'
import { findingsJson } from '../../present/json.ts'
import { findingLines } from '../../present/lines.ts'
import { prettyFindings } from '../../present/pretty.ts'
import type { Pieces } from '../../present/pieces.ts'
import type { Screen } from '../../present/screen.ts'
import { jsonText } from '../report.ts'
import { isExportFormat } from './flag.ts'
import type { ReportContext } from './write.ts'

interface FoundInProfile {
  readonly findings: readonly Finding[]
  readonly ignored: readonly Ignored[]
  readonly strict: boolean
}

const formats: Readonly<Record<string, (report: FoundInProfile, screen: Screen) => string>> = {
  pretty: prettyFindings,
  lines: ({ findings }) => findingLines(findings),
  json: ({ findings }) => jsonText(findingsJson(findings)),
}

export async function formatFindings(
  format: string,
  report: FoundInProfile,
  { screen, ...about }: ReportContext & { readonly screen: Screen },
): Promise<Pieces> {
  if (!isExportFormat(format)) return formats[format]?.(report, screen) ?? ''
  const { writeFindings } = await import('./write.ts')
  return writeFindings(format, report, about)
}
