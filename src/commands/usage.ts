// From an error of oclif's parser to a short usage failure with a guess at what was meant.
import { stripVTControlCharacters } from 'node:util'
import { nearest } from '../model/nearest.ts'
import { Failure } from './failure.ts'

/** `flags` are the names that the command knows. */
export function usage(
  thrown: unknown,
  command: string,
  argv: readonly string[],
  flags: Readonly<Record<string, { readonly type: string }>>,
): Failure {
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  const names = Object.keys(flags)
  const valued = argv.map((word) => /^--([^=]+)=/.exec(word)?.[1] ?? '')
  // oclif takes such a word for an argument, and complains of one that stands beside it.
  const simple = valued.find((name) => names.includes(name) && flags[name]?.type === 'boolean')
  const message =
    simple === undefined ? reword(stripVTControlCharacters(said)) : `--${simple} takes no value`
  return new Failure('usage', message, [
    ...guesses(message, names).map((guess) => `did you mean ${guess}?`),
    `see: winnode ${command} --help`,
  ])
}

const wordings: readonly (readonly [said: RegExp, instead: string])[] = [
  [/\s*See more help with --help\s*$/, ''],
  [/^The following errors? occurred:\s*/, ''],
  [/^Parsing (--\S+)\s+Expected an integer/, '$1: expected a whole number'],
  [/^Parsing (--\S+)\s+/, '$1: '],
  [/^Nonexistent flags?: /, 'unknown flag: '],
  // oclif adds a page about flags that take several values, which ours do not in this way.
  [/^Missing 1 required arg:\n(\S+) +(\S)(.*?)\.?(?:\n[^]*)?$/, 'missing $1: $2$3'],
  [/^Missing required flag (\S+)$/, 'missing --$1'],
  [/^(--[\w-]+)=?[^]* cannot also be provided when using (--\S+)$/, '$1 and $2 do not go together'],
  [/^All of the following must be provided when using (--\S+): (--\S+)$/, '$1 goes with $2'],
]

function reword(message: string): string {
  const plain = wordings.reduce((text, [said, instead]) => text.replace(said, instead), message)
  return plain.replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase())
}

function guesses(message: string, flags: readonly string[]): readonly string[] {
  const unknown = /^unknown flag: (.+)$/s.exec(message)?.[1]
  if (unknown !== undefined) {
    const names = unknown.split(', ').map((flag) => flag.replace(/^-+|=.*$/gs, ''))
    return names.flatMap((name) => prefixed('--', nearest(name, flags)))
  }
  const choice = /^expected --\S+?=(.*) to be one of: (.+)$/s.exec(message)
  return choice ? prefixed('', nearest(choice[1] ?? '', (choice[2] ?? '').split(', '))) : []
}

function prefixed(prefix: string, guess: string | undefined): readonly string[] {
  return guess === undefined ? [] : [prefix + guess]
}
