// Junit: what was looked at as test cases, for servers that show tests.
import { oneLine } from '../one-line.ts'
import type { Entry, Reported } from './reported.ts'
import { xmlText } from './xml.ts'

interface Told {
  readonly entry: Entry
  readonly message: string
}

/**
 * A case for each rule, file or node: it fails where the run does, and is skipped where that is accepted.
 * https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */
export function* junit(reports: readonly Reported[]): Generator<string> {
  const suites = reports.map((reported) => ({
    name: `winnode ${reported.command} ${reported.profile}`,
    told: toldOf(reported),
  }))
  const [first] = suites
  const name = first && suites.length === 1 ? first.name : `winnode ${reports[0]?.command ?? ''}`
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<testsuites ${counts(
    name,
    suites.flatMap(({ told }) => [...told.values()]),
  )}>\n`
  for (const suite of suites) {
    yield `  <testsuite ${counts(suite.name, [...suite.told.values()])}>\n`
    for (const [test, some] of suite.told) yield `${caseOf(suite.name, test, some)}\n`
    yield '  </testsuite>\n'
  }
  yield '</testsuites>\n'
}

function counts(name: string, told: readonly (readonly Told[])[]): string {
  const outcomes = told.map(outcomeOf)
  return attributes({
    name,
    tests: outcomes.length,
    failures: outcomes.filter((one) => one === 'failed').length,
    errors: 0,
    skipped: outcomes.filter((one) => one === 'skipped').length,
    time: 0,
  })
}

/** What is said of each thing that was looked at; many share what is said. */
function toldOf({ looked, entries }: Reported): ReadonlyMap<string, readonly Told[]> {
  const told = new Map<string, Told[]>(looked.map((name) => [name, []]))
  for (const entry of entries) {
    for (const { names, message } of entry.cases) {
      const one = { entry, message }
      for (const name of names) {
        const others = told.get(name)
        if (others) others.push(one)
        else told.set(name, [one])
      }
    }
  }
  return told
}

type Outcome = 'passed' | 'failed' | 'skipped'

const isAccepted = ({ entry }: Told) => entry.accepted !== undefined
const isFailing = (one: Told) => !isAccepted(one) && one.entry.fails
const isOther = (one: Told) => !isAccepted(one) && !one.entry.fails

function outcomeOf(told: readonly Told[]): Outcome {
  if (told.some(isFailing)) return 'failed'
  return told.length > 0 && told.every(isAccepted) ? 'skipped' : 'passed'
}

function caseOf(suite: string, name: string, told: readonly Told[]): string {
  const outcome = outcomeOf(told)
  const others = told.filter(isOther)
  const open = `    <testcase ${attributes({ classname: suite, name, time: 0 })}`
  const inner = [
    ...(outcome === 'failed' ? [failure(told.filter(isFailing))] : []),
    ...(outcome === 'skipped' ? [`      <skipped ${reasons(told)}/>`] : []),
    ...(others.length > 0 ? [`      <system-out>${sayings(others)}</system-out>`] : []),
  ]
  return inner.length > 0 ? [`${open}>`, ...inner, '    </testcase>'].join('\n') : `${open}/>`
}

function failure(told: readonly Told[]): string {
  const [first] = told
  const said = attributes({
    message: first?.message ?? '',
    type: first?.entry.id ?? '',
  })
  return `      <failure ${said}>${sayings(told)}</failure>`
}

function reasons(told: readonly Told[]): string {
  const texts = told.map(({ message, entry }) => `${message} (${entry.accepted ?? ''})`)
  return attributes({ message: texts.join('; ') })
}

function sayings(told: readonly Told[]): string {
  const lines = told.flatMap(({ message, entry: { id, severity, about, place, remedy } }) => [
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
