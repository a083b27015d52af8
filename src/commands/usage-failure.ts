// Rewords an error of oclif's parser as a usage failure with a suggestion.
import { stripVTControlCharacters } from 'node:util'
import { nearest } from '../text/nearest.ts'
import { Failure } from './failure.ts'

/** `flags`: the flags of the command, by name. */
export function usageFailure(
  thrown: unknown,
  command: string,
  argv: readonly string[],
  flags: Readonly<Record<string, { readonly type: string }>>,
): Failure {
  const said = thrown instanceof Error ? thrown.message : String(thrown)
  const names = Object.keys(flags)
  const valued = argv.map((word) => /^--([^=]+)=/.exec(word)?.[1] ?? '')
  // oclif takes `--flag=value` of a boolean flag for an argument, and reports an unrelated argument.
  const simple = valued.find((name) => names.includes(name) && flags[name]?.type === 'boolean')
  const message =
    simple === undefined ? reword(stripVTControlCharacters(said)) : `--${simple} takes no value`
  return new Failure('usage', message, [
    ...guesses(message, names).map((guess) => `did you mean ${guess}?`),
    `see: winnode ${command} --help`,
  ])
}

const rewordings: readonly (readonly [said: RegExp, instead: string])[] = [
  [/\s*See more help with --help\s*$/, ''],
  [/^The following errors? occurred:\s*/, ''],
  [/^Parsing (--\S+)\s+Expected an integer/, '$1: expected a whole number'],
  [/^Parsing (--\S+)\s+/, '$1: '],
  [/^Nonexistent flags?: /, 'unknown flag: '],
  // oclif adds a paragraph about greedy flags, which winnode does not have.
  [/^Missing 1 required arg:\n(\S+) +\((\S+)\)[^]*$/, 'missing $1: $2'],
  [/^Missing 1 required arg:\n(\S+) +(.*?)\.?(?:\n[^]*)?$/, 'missing $1: $2'],
  [/^Missing required flag (\S+)$/, 'missing --$1'],
  [/^(--[\w-]+)=?[^]* cannot also be provided when using (--\S+)$/, '$1 and $2 do not go together'],
  [/^All of the following must be provided when using (--\S+): (--\S+)$/, '$1 goes with $2'],
]

function reword(message: string): string {
  const plain = rewordings.reduce((text, [said, instead]) => text.replace(said, instead), message)
  return plain.replace(
    /^(missing \w+: )?([A-Z])(?=[a-z])/,
    (_, start: string | undefined, letter: string) => `${start ?? ''}${letter.toLowerCase()}`,
  )
}

function guesses(message: string, flags: readonly string[]): readonly string[] {
  const unknown = /^unknown flag: (.+)$/s.exec(message)?.[1]
  if (unknown !== undefined) {
    const names = unknown.split(', ').map((flag) => flag.replace(/^-+|=.*$/gs, ''))
    return names.flatMap((name) => prefixed('--', nearest(name, flags)))
  }
  const choice = /^expected --\S+?=(.*) to be one of: (.+)$/s.exec(message)
  if (!choice) return []
  const [, typed = '', list = ''] = choice
  const options = list.split(', ')
  // 1.36.2 where minors are the options.
  const minor = options.find((option) => typed.startsWith(`${option}.`))
  return prefixed('', minor ?? nearest(typed, options))
}

function prefixed(prefix: string, guess: string | undefined): readonly string[] {
  return guess === undefined ? [] : [prefix + guess]
}
