// Findings: what is said of a profile, in the format that was asked for.
import type { Ignored, Finding } from '../../model/finding.ts'
import { findingsJson } from '../../present/json.ts'
import { findingLines } from '../../present/lines.ts'
import { prettyFindings } from '../../present/pretty.ts'
import type { Pieces } from '../../present/pieces.ts'
import type { Screen } from '../../present/screen.ts'
import { jsonText } from '../report.ts'
import { isOther } from './flag.ts'
import type { About } from './write.ts'

interface Told {
  readonly findings: readonly Finding[]
  readonly ignored: readonly Ignored[]
  readonly strict: boolean
}

const formats: Readonly<Record<string, (told: Told, screen: Screen) => string>> = {
  pretty: prettyFindings,
  lines: ({ findings }) => findingLines(findings),
  json: ({ findings }) => jsonText(findingsJson(findings)),
}

export async function findingsIn(
  format: string,
  told: Told,
  { screen, ...about }: About & { readonly screen: Screen },
): Promise<Pieces> {
  if (!isOther(format)) return formats[format]?.(told, screen) ?? ''
  const { writeFindings } = await import('./write.ts')
  return writeFindings(format, told, about)
}
