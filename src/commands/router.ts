// Finds the command or the help page that a command line names.
import { didYouMean, nearest } from '../text/nearest.ts'
import { Failure } from './failure.ts'

export type Route =
  /** `subject` is the id of a command or of a topic; absent for the program itself. */
  | { readonly kind: 'help'; readonly subject?: string }
  | { readonly kind: 'command'; readonly id: string; readonly argv: readonly string[] }

/** Accepted before and after the command's name; none takes a value. */
export const globalFlags: ReadonlySet<string> = new Set([
  '--json',
  '--quiet',
  '-q',
  '--verbose',
  '--no-color',
])

/** Other spellings of a command. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['licence', 'license'],
  ['licences', 'license'],
])

/** oclif's parser takes long for more. */
const maxWords = 4000

/** `ids` are oclif's: the words of a command joined by colons. Throws a usage failure for an unknown command. */
export function route(typed: readonly string[], ids: readonly string[]): Route {
  if (typed.length > maxWords)
    throw new Failure('usage', `the command line has more than ${maxWords} words`, [
      'one file of --layer can hold many settings',
    ])
  const argv = globalFlagsLast(typed)
  const spelled = argv[0] === 'help' ? argv.slice(argv[1] === 'help' ? 2 : 1) : argv
  const helping = spelled !== argv || hasFlag(argv, '--help') || hasFlag(argv, '-h')
  const [first, ...others] = helping
    ? spelled.filter((word) => word !== '--help' && word !== '-h')
    : spelled
  const rest = first === undefined ? [] : [aliases.get(first) ?? first, ...others]
  const flagsAt = rest.findIndex((word) => word.startsWith('-'))
  const words = flagsAt < 0 ? rest : rest.slice(0, flagsAt)

  const longest = Math.max(...ids.map((known) => known.split(':').length))
  const id = prefixes(words.slice(0, longest)).find((prefix) => ids.includes(prefix))
  if (id !== undefined && isSubcommandTypo(id, words, ids)) throw unknownCommand(words, '', ids)
  if (id !== undefined) {
    return helping
      ? { kind: 'help', subject: id }
      : { kind: 'command', id, argv: rest.slice(id.split(':').length) }
  }
  const topic = words.join(':')
  if (isTopic(topic, ids)) return { kind: 'help', subject: topic }
  const own = rest.find((word) => !globalFlags.has(word))
  if (own === undefined || (helping && topic === '')) return { kind: 'help' }
  throw unknownCommand(words, own, ids)
}

/** Moves global flags behind the words of the command. */
function globalFlagsLast(argv: readonly string[]): readonly string[] {
  const own = argv.findIndex((word) => word.startsWith('-') && !globalFlags.has(word))
  const end = own === -1 ? argv.length : own
  const front = argv.slice(0, end)
  const words = front.filter((word) => !globalFlags.has(word))
  return [...words, ...front.filter((word) => globalFlags.has(word)), ...argv.slice(end)]
}

/** `profiles shw`: a command that is also a topic, followed by a word close to one of its subcommands. */
function isSubcommandTypo(id: string, words: readonly string[], ids: readonly string[]): boolean {
  const next = words[id.split(':').length]
  const below = ids.flatMap((other) =>
    other.startsWith(`${id}:`) ? [other.slice(id.length + 1)] : [],
  )
  return next !== undefined && nearest(next, below) !== undefined
}

/** Looks before `--` only. */
export function hasFlag(argv: readonly string[], flag: string): boolean {
  const end = argv.indexOf('--')
  return (end < 0 ? argv : argv.slice(0, end)).includes(flag)
}

/** Longest first: `profiles:show:x`, `profiles:show`, `profiles`. */
function prefixes(words: readonly string[]): readonly string[] {
  return words.map((_, index) => words.slice(0, words.length - index).join(':'))
}

/** The word after a topic names a command; the word after anything else is an argument. */
function isTopic(word: string, ids: readonly string[]): boolean {
  return ids.some((id) => id.startsWith(`${word}:`))
}

function unknownCommand(words: readonly string[], first: string, ids: readonly string[]): Failure {
  const names = ids.map((id) => id.replaceAll(':', ' '))
  const typed = [words.slice(0, 2).join(' '), words[0] ?? '']
  const guess = typed.map((name) => nearest(name, names)).find((name) => name !== undefined)
  const flag = words.length === 0 ? nearest(first, [...globalFlags]) : undefined
  const unknown = words.slice(0, isTopic(words[0] ?? '', ids) ? 2 : 1).join(' ')
  const message =
    words.length === 0
      ? `the command comes first, before ${first}`
      : unknown.trim() === ''
        ? 'the command is empty'
        : `unknown command: ${unknown}`
  return new Failure('usage', message, [
    ...(guess === undefined ? [] : [`did you mean: winnode ${guess}`]),
    ...didYouMean(flag),
    'see: winnode --help',
  ])
}
