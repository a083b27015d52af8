// Rewords an error of oclif's parser as a usage failure with a suggestion.
import { stripVTControlCharacters } from 'node:util'
import { didYouMean, nearest } from '../text/nearest.ts'
import { Failure } from './failure.ts'
import { nearestChoice } from './nearest-choice.ts'

interface Usage {
  /** Names of the flags of the command. */
  readonly flags: readonly string[]
  /** What to do in place of a flag that only other commands have. */
  readonly insteadOf: ReadonlyMap<string, string>
  /** The last hint. */
  readonly see: string
}

export function usageFailure(thrown: unknown, { flags, insteadOf, see }: Usage): Failure {
  const original = thrown instanceof Error ? thrown.message : String(thrown)
  const message = reword(stripVTControlCharacters(original))
  const unknown = [...new Set(/^unknown flag: (.+)$/s.exec(message)?.[1]?.split(', '))]
  if (unknown.length === 0) return new Failure('usage', message, [...choiceGuess(message), see])
  const hints = unknown.flatMap((word) => {
    const name = word.replace(/^-+|=.*$/gs, '')
    return insteadOf.get(name) ?? didYouMean(nearest(name, flags)?.replace(/^/, '--'))
  })
  return new Failure('usage', `unknown flag: ${unknown.join(', ')}`, [...new Set(hints), see])
}

const rewordings: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/^Parsing (--\S+)\s+Expected an integer/, '$1: expected a whole number'],
  [/^Parsing (--\S+)\s+/, '$1: '],
  [/^Nonexistent flags?: /, 'unknown flag: '],
  // oclif adds a paragraph about greedy flags, which winnode does not have.
  [/^Missing 1 required arg:\n(\S+) +\((\S+)\)[^]*$/, 'missing $1: $2'],
  [/^Missing 1 required arg:\n(\S+) +([^]*?)\.?(?:\n\n[^]*)?$/, 'missing $1: $2'],
  // oclif wraps a long description.
  [/\n +/g, ' '],
  [/^Missing required flag (\S+)$/, 'missing --$1'],
  [/^(--[\w-]+)=?[^]* cannot also be provided when using (--\S+)$/, '$1 and $2 do not go together'],
  [/^All of the following must be provided when using (--\S+): (--\S+)$/, '$1 goes with $2'],
]

function reword(message: string): string {
  const whole = message.replace(/\s*See more help with --help\s*$/, '')
  const listed = /^The following errors? occurred:\s*([^]*)$/.exec(whole)?.[1]
  const each = listed?.split(/\n\s*/).map((line) => rewordOne(line))
  return each?.join('; ') ?? rewordOne(whole)
}

function rewordOne(message: string): string {
  const plain = rewordings.reduce(
    (text, [pattern, replacement]) => text.replace(pattern, replacement),
    message,
  )
  return plain.replace(
    /^(missing \w+: )?([A-Z])(?=[a-z])/,
    (_, start: string | undefined, letter: string) => `${start ?? ''}${letter.toLowerCase()}`,
  )
}

function choiceGuess(message: string): readonly string[] {
  const [, typed, list] = /^expected --\S+?=(.*) to be one of: (.+)$/s.exec(message) ?? []
  return typed === undefined ? [] : didYouMean(nearestChoice(typed, list?.split(', ') ?? []))
}
