// Runs the cases of a file, and counts.
import { outcomesOf, type Outcome } from './judging.ts'
import { readCases, type Case } from './case.ts'
import type { JudgedFile } from './files.ts'
import { later } from './later.ts'

export interface Ran {
  readonly name: string
  readonly file: JudgedFile
  readonly what: string
  readonly asked: string
  readonly versions: readonly string[]
  readonly cases: number
  /** Outcomes of each case that is expressed. */
  readonly expressed: readonly (readonly Outcome[])[]
  /** How often each reason stands in a profile’s place. */
  readonly reasons: ReadonlyMap<string, number>
  readonly differ: readonly { readonly id: string; readonly wrong: readonly Outcome[] }[]
}

export function runFile(name: string, file: JudgedFile, take: (at: number) => boolean): Ran {
  const { what, asked, cases } = readCases(name)
  const expressed = cases
    .filter((_, at) => take(at))
    .map((one) => outcomesOf(one, file.express, file.baseOf, later))
    .filter((outcomes) => outcomes.length > 0)
  const differ = expressed.flatMap((outcomes) => {
    const wrong = outcomes.filter(({ agrees }) => !agrees)
    return wrong[0] ? [{ id: wrong[0].id, wrong }] : []
  })
  const reasons = reasonsOf(cases, file)
  const versions = [...new Set(cases.flatMap(versionsOf))]
  return { name, file, what, asked, versions, cases: cases.length, expressed, reasons, differ }
}

const versionsOf = ({ answers }: Case) => answers.flatMap(({ versions }) => versions)

function reasonsOf(cases: readonly Case[], { express }: JudgedFile): ReadonlyMap<string, number> {
  const reasons = new Map<string, number>()
  for (const one of cases) {
    const expression = express(one, versionsOf(one)[0] ?? '')
    if ('because' in expression)
      reasons.set(expression.because, (reasons.get(expression.because) ?? 0) + 1)
  }
  return reasons
}

/** One readable line of each difference. */
export function lineOf({ id, wrong }: Ran['differ'][number]): string {
  const [first] = wrong
  const said = [...(first?.errors ?? []), ...(first?.warnings ?? [])].join(' ') || 'nothing'
  const versions = wrong.map(({ version }) => version).join(' ')
  return `${id}: ${first?.asked} (${first?.message.slice(-120)}), and winnode says ${said}: ${versions}`
}
