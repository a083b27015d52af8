// A command line as pflag takes it, with the flags of one program.
// https://github.com/spf13/pflag/blob/master/flag.go
import type { Json } from '../../src/model/json.ts'
import { refused, warned, type Finding } from './finding.ts'
import { readerOfFlag } from './kubelet/flag-values.ts'
import { type FlagRow, type Rows, type Table } from './tables.ts'

export interface CommandLine {
  readonly values: ReadonlyMap<string, Json>
  readonly findings: readonly Finding[]
}

/** klog's own, before they went: their values are never left out. */
const demanding = [
  'add-dir-header',
  'alsologtostderr',
  'logtostderr',
  'one-output',
  'skip-headers',
  'skip-log-headers',
]

/** Types of flags with an optional value: pflag, NoOptDefVal. */
const optional = ['bool', 'version']

const fileInstead =
  "This parameter should be set via the config file specified by the Kubelet's --config flag."

export function judgeCommandLine(
  words: readonly string[],
  table: Table<FlagRow>,
  version: string,
): CommandLine {
  const rows = table(version)
  const given = new Map<string, string[]>()
  const stop = collect(words, rows, given)
  const values = new Map<string, Json>()
  const findings: Finding[] = stop === undefined ? [] : [refused(stop)]
  for (const [flag, texts] of given) {
    const row = rows.get(flag)
    const value = readerOfFlag(flag, row?.type ?? 'string')(texts)
    if (value === undefined)
      findings.push(refused(`invalid argument ${JSON.stringify(texts)} for "--${flag}" flag`))
    else values.set(flag, value)
    if (row?.deprecated !== undefined) {
      const reason = row.deprecated === 'config-file' ? fileInstead : row.deprecated
      findings.push(warned(`Flag --${flag} has been deprecated, ${reason}`))
    }
  }
  return { values, findings }
}

/** Fills `given`; what makes it stop, if anything. */
function collect(
  words: readonly string[],
  rows: Rows<FlagRow>,
  given: Map<string, string[]>,
): string | undefined {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    const [, dashes = '', name = '', value] = /^(--?)([^=]*)(?:=(.*))?$/s.exec(word) ?? []
    if (word === '--' || dashes === '' || word === '-') {
      const command = word === '--' ? words[at + 1] : word
      if (command === undefined) return undefined
      return `unknown command ${command}`
    }
    // Underscores and dashes are one: component-base, WordSepNormalizeFunc.
    const long = dashes === '--' ? name.replaceAll('_', '-') : name
    const flag = dashes === '--' ? long : long.slice(0, 1)
    const row = rows.get(flag)
    if (!row || (dashes === '-' && flag !== 'v')) return `unknown flag: ${dashes}${name}`
    const glued = dashes === '-' && long.length > 1 ? long.slice(1) : undefined
    const bare = optional.includes(row.type) && !demanding.includes(flag) ? 'true' : undefined
    const text = value ?? glued ?? bare ?? words[++at]
    if (text === undefined) return `flag needs an argument: --${flag}`
    given.set(flag, [...(given.get(flag) ?? []), text])
  }
  return undefined
}
