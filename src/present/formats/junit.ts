// JUnit XML: each checked rule, node or file as a test case, for CI servers.
import { oneLine } from '../one-line.ts'
import type { Entry, RunReport } from './reported.ts'
import { xmlText } from './xml.ts'

interface CaseFinding {
  readonly entry: Entry
  readonly message: string
}

/**
 * A case for each rule, file or node: it fails where the run does, and is skipped where that is accepted.
 * https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */
export function* junit(reports: readonly RunReport[]): Generator<string> {
  const suites = reports.map((reported) => ({
    name: `winnode ${reported.command} ${reported.profile}`,
    found: findingsByCase(reported),
  }))
  const [first] = suites
  const name = first && suites.length === 1 ? first.name : `winnode ${reports[0]?.command ?? ''}`
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  const all = suites.flatMap(({ found }) => [...found.values()])
  yield `<testsuites ${attributes(counts(name, all))}>\n`
  for (const suite of suites) {
    const own = [...suite.found.values()]
    yield `  <testsuite ${attributes({ ...counts(suite.name, own), skipped: skipped(own) })}>\n`
    for (const [test, some] of suite.found) yield `${caseOf(suite.name, test, some)}\n`
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

type Cases = readonly (readonly CaseFinding[])[]

/** Without skipped cases, which the schema does not allow in `testsuites`. */
function counts(name: string, cases: Cases) {
  return { name, tests: cases.length, failures: count(cases, 'failed'), errors: 0, time: 0 }
}

const skipped = (cases: Cases) => count(cases, 'skipped')

function count(cases: Cases, outcome: Outcome): number {
  return cases.filter((found) => outcomeOf(found) === outcome).length
}

/** The findings of each test case; one finding can belong to many. */
function findingsByCase({
  checked,
  entries,
}: RunReport): ReadonlyMap<string, readonly CaseFinding[]> {
  const found = new Map<string, CaseFinding[]>(checked.map((name) => [name, []]))
  for (const entry of entries) {
    for (const { names, message } of entry.cases) {
      const one = { entry, message }
      for (const name of names) {
        const others = found.get(name)
        if (others) others.push(one)
        else found.set(name, [one])
      }
    }
  }
  return found
}

type Outcome = 'passed' | 'failed' | 'skipped'

const isAccepted = ({ entry }: CaseFinding) => entry.accepted !== undefined
const isFailing = (one: CaseFinding) => !isAccepted(one) && one.entry.fails
const isOther = (one: CaseFinding) => !isAccepted(one) && !one.entry.fails

function outcomeOf(found: readonly CaseFinding[]): Outcome {
  if (found.some(isFailing)) return 'failed'
  return found.length > 0 && found.every(isAccepted) ? 'skipped' : 'passed'
}

function caseOf(suite: string, name: string, found: readonly CaseFinding[]): string {
  const outcome = outcomeOf(found)
  const others = found.filter(isOther)
  const open = `    <testcase ${attributes({ classname: suite, name, time: 0 })}`
  const inner = [
    ...(outcome === 'failed' ? [failure(found.filter(isFailing))] : []),
    ...(outcome === 'skipped' ? [`      <skipped ${reasons(found)}/>`] : []),
    ...(others.length > 0 ? [`      <system-out>${details(others)}</system-out>`] : []),
  ]
  return inner.length > 0 ? [`${open}>`, ...inner, '    </testcase>'].join('\n') : `${open}/>`
}

function failure(found: readonly CaseFinding[]): string {
  const [first] = found
  const labels = attributes({
    message: first?.message ?? '',
    type: first?.entry.id ?? '',
  })
  return `      <failure ${labels}>${details(found)}</failure>`
}

function reasons(found: readonly CaseFinding[]): string {
  const texts = found.map(({ message, entry }) => `${message} (${entry.accepted ?? ''})`)
  return attributes({ message: texts.join('; ') })
}

function details(found: readonly CaseFinding[]): string {
  const lines = found.flatMap(({ message, entry: { id, severity, about, place, remedy } }) => [
    `${place ? `${place.file}:${place.line}:${place.column}` : about}: ${severity}: ${message} [${id}]`,
    ...(remedy === undefined ? [] : [`  ${remedy}`]),
  ])
  return xmlText(lines.map(oneLine).join('\n'))
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(oneLine(String(value)))}"`)
    .join(' ')
}
