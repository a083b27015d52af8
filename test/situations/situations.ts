// Situations of practice: a change of a built-in profile, where it was reported, and what winnode finds in it.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse } from 'yaml'
import type { Finding, Severity } from '../../src/model/finding.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { renderFile } from '../../src/render/render-file.ts'
import { loadTemplate } from '../../src/render/templates.ts'
import { refusalId } from '../../src/targets/index.ts'
import { capi } from '../../src/targets/capi.ts'
import { compileBuiltin, readStatic, renderCompiled, requiredFieldsOf } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

interface Situation {
  readonly title: string
  /** A built-in profile, with the fields that it requires. */
  readonly from: string
  readonly profile?: JsonObject
  readonly for?: 'capi'
  /** Where it was reported, or what says so. */
  readonly see: string
  readonly errors?: readonly string[]
  readonly warnings?: readonly string[]
  /** Only those that the situation is about. */
  readonly notes?: readonly string[]
}

interface Chapter {
  readonly chapter: string
  readonly situations: readonly Situation[]
}

export const chapters = parse(
  readFileSync(path.join(root, 'test/situations/situations.yaml'), 'utf8'),
) as readonly Chapter[]

export const situations = chapters.flatMap((chapter) => chapter.situations)

type Found = Pick<Finding, 'id' | 'severity' | 'harm'>

/** Each finding once, with the refusals of `render --for`. */
export async function findingsOf(situation: Situation): Promise<readonly Found[]> {
  const { from, profile = {} } = situation
  const compiled = compileBuiltin(from, requiredFieldsOf(from), profile)
  const { plan, facts, findings } = compiled
  if (situation.for === undefined || !plan) return findings
  const bundle = await renderCompiled(compiled)
  const made = await capi.make({
    plan,
    facts,
    isSet: () => true,
    bundle,
    read: () => 'no such file',
    render: (file) => renderFile(file, { readStatic, loadTemplate }),
  })
  const refusals = made.kind === 'refused' ? made.refusals : []
  return [
    ...findings,
    ...refusals.map(() => ({ id: refusalId('capi'), severity: 'error' as const })),
  ]
}

/** Old versions and advisories are left out unless `listed`: they change with the tables, not with the situation. */
export function idsOf(
  findings: readonly Found[],
  severity: Severity,
  listed: readonly string[],
): readonly string[] {
  const ofSituation = findings.filter(
    (finding) =>
      finding.severity === severity &&
      (listed.includes(finding.id) ||
        (finding.harm !== 'ages' && finding.id !== 'version-has-advisory')),
  )
  return [...new Set(ofSituation.map(({ id }) => id))].toSorted()
}
