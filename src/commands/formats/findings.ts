// Writes the findings of profiles in the format of --format.
import { hasErrors } from '../../model/finding.ts'
import { findingsJson } from '../../present/json.ts'
import { findingLines } from '../../present/lines.ts'
import { prettyFindings } from '../../present/pretty.ts'
import type { Chunks } from '../../present/chunks.ts'
import type { Screen } from '../../present/screen.ts'
import { jsonText } from '../output-text.ts'
import { isExportFormat } from './flag.ts'
import { headed } from './headed.ts'
import type { Findings } from './write.ts'

/** `several`: each profile has a heading, and its own object in JSON. */
export async function formatFindings(
  format: string,
  reports: readonly Findings[],
  { screen, several }: { readonly screen: Screen; readonly several: boolean },
): Promise<Chunks> {
  if (isExportFormat(format)) return (await import('./write.ts')).writeFindings(format, reports)
  if (format === 'lines') return reports.map(({ findings }) => findingLines(findings)).join('')
  const [first] = reports
  if (format === 'json')
    return jsonText(
      several || !first
        ? reports.map(({ profile, findings }) => ({ profile, findings: findingsJson(findings) }))
        : findingsJson(first.findings),
    )
  return headed(reports, (report) => prettyFindings(report, screen), { screen, several })
}

/** `3 profiles: 2 valid, 1 rejected`. */
export function profileCounts(reports: readonly Findings[]): string {
  const rejected = reports.filter(({ findings, strict }) => hasErrors(findings, strict)).length
  const valid = reports.length - rejected
  const parts = [valid > 0 && `${valid} valid`, rejected > 0 && `${rejected} rejected`]
  return `${reports.length} profile${reports.length === 1 ? '' : 's'}: ${parts.filter(Boolean).join(', ')}`
}
