// The findings of winnode for a case, compared with the answer of the program.
import { checkWithoutUpgrades } from '../../src/check.ts'
import type { Finding } from '../../src/model/finding.ts'
import { mergeJson, type JsonObject } from '../../src/model/json.ts'
import type { Verdict } from '../judge/finding.ts'
import { layerOf, today } from '../tools/bundle.ts'
import type { Case, Express } from './case.ts'

export interface Outcome {
  readonly id: string
  readonly version: string
  readonly asked: Verdict
  readonly message: string
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly agrees: boolean
}

/** Rules that refuse what the program itself takes, each with what fails later or what it is refused for. */
export type Later = ReadonlyMap<string, string>

function findingsOf(profile: JsonObject): readonly Finding[] {
  const judging = { today, allowNewer: true }
  return checkWithoutUpgrades([layerOf(profile)], 'judged', judging).findings
}

const key = ({ id, path, message }: Finding) => JSON.stringify([id, path, message])

/** A field refuses values by its form: which field is half of the reason. */
const told = ({ id, path }: Finding) =>
  id === 'bad-value' ? `${id} ${path.slice(0, 2).join('.')}` : id

const bases = new Map<string, ReadonlySet<string>>()

/** Findings that a profile without the case has too are not about the case. */
function newFindings(base: JsonObject, profile: JsonObject): readonly Finding[] {
  const name = JSON.stringify(base)
  const known = bases.get(name) ?? new Set(findingsOf(base).map(key))
  bases.set(name, known)
  return findingsOf(mergeJson(base, profile)).filter((finding) => !known.has(key(finding)))
}

export function outcomesOf(
  one: Case,
  express: Express,
  baseOf: (version: string) => JsonObject,
  later: Later,
): readonly Outcome[] {
  return one.answers.flatMap(({ versions, verdict, message = '' }) =>
    versions.flatMap((version) => {
      const expression = express(one, version)
      if (!('profile' in expression)) return []
      const found = newFindings(baseOf(version), expression.profile)
      const ids = (severity: string) =>
        found.filter((finding) => finding.severity === severity).map(told)
      const [errors, warnings] = [ids('error'), ids('warning')]
      const agrees = agree(verdict, errors, warnings, later)
      return [{ id: one.id, version, asked: verdict, message, errors, warnings, agrees }]
    }),
  )
}

/** What is refused is an error, what is ignored at least a warning, and what is taken no error. */
function agree(
  asked: Verdict,
  errors: readonly string[],
  warnings: readonly string[],
  later: Later,
): boolean {
  if (asked === 'refused') return errors.length > 0
  if (asked === 'ignored') return errors.length + warnings.length > 0
  return errors.every((id) => later.has(id))
}
