// Junit: what was looked at as test cases, for servers that show tests.
import { printable } from '../../model/printable.ts'
import type { Case, Entry, Reported } from './reported.ts'
import { xmlText } from './xml.ts'

interface Told extends Case {
  readonly entry: Entry
}

/**
 * A case for each rule, file or node: it fails where the run does, and is skipped where that is accepted.
 * https://github.com/jenkinsci/xunit-plugin/blob/master/src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd
 */
export function junit(reported: Reported): string {
  const { command, profile, looked, entries } = reported
  const told = new Map<string, Told[]>(looked.map((name) => [name, []]))
  for (const entry of entries) {
    for (const one of entry.cases) {
      const others = told.get(one.name) ?? []
      told.set(one.name, [...others, { ...one, entry }])
    }
  }
  const suite = `winnode ${command} ${profile}`
  const cases = [...told].map(([name, some]) => caseOf(suite, name, some))
  const count = (outcome: Outcome) => cases.filter((one) => one.outcome === outcome).length
  const counts = attributes({
    name: suite,
    tests: cases.length,
    failures: count('failed'),
    errors: 0,
    skipped: count('skipped'),
    time: 0,
  })
  const lines = cases.map(({ text }) => text)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite ${counts}>`,
    ...lines,
    '  </testsuite>',
    '</testsuites>\n',
  ].join('\n')
}

type Outcome = 'passed' | 'failed' | 'skipped'

function caseOf(suite: string, name: string, told: readonly Told[]) {
  const failing = told.filter(({ entry }) => entry.accepted === undefined && entry.fails)
  const accepted = told.filter(({ entry }) => entry.accepted !== undefined)
  const others = told.filter(({ entry }) => entry.accepted === undefined && !entry.fails)
  const outcome: Outcome =
    failing.length > 0
      ? 'failed'
      : accepted.length > 0 && others.length === 0
        ? 'skipped'
        : 'passed'
  const open = `    <testcase ${attributes({ classname: suite, name, time: 0 })}`
  const inner = [
    ...(outcome === 'failed' ? [failure(failing)] : []),
    ...(outcome === 'skipped' ? [`      <skipped ${reasons(accepted)}/>`] : []),
    ...(others.length > 0 ? [`      <system-out>${sayings(others)}</system-out>`] : []),
  ]
  const text = inner.length > 0 ? [`${open}>`, ...inner, '    </testcase>'].join('\n') : `${open}/>`
  return { outcome, text }
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
  return xmlText(lines.map(printable).join('\n'))
}

function attributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${xmlText(printable(String(value)))}"`)
    .join(' ')
}
