// Checks the values on a command line before oclif reads them, such as for empty ones.
import { Failure } from './failure.ts'

interface Flag {
  readonly type: string
  readonly char?: string
  readonly aliases?: readonly string[]
  readonly options?: readonly string[]
}

interface Known {
  /** By name. */
  readonly flags: Readonly<Record<string, Flag>>
  /** Names of the arguments, in order; the last can be repeated. */
  readonly args: readonly string[]
  /** The hint of a failure. */
  readonly see: string
  /** Flags that an empty value sets to nothing. */
  readonly mayBeEmpty: ReadonlySet<string>
}

interface Typed {
  /** Of a flag with its dashes. */
  readonly name: string
  readonly value: string
}

/** Flags that read a file, also from standard input. */
const readers: ReadonlySet<string> = new Set(['--profile', '--layer', '--facts'])

/** Throws a usage failure. */
export function checkValues(argv: readonly string[], known: Known): void {
  const { mayBeEmpty, see } = known
  const values = valuesOf(argv, known)
  // Such as of a variable of the shell that is not set.
  const empty = values.find(({ name, value }) => value.trim() === '' && !mayBeEmpty.has(name))
  if (empty) throw new Failure('usage', `${empty.name} is empty`, [see])
  const reading = values.filter(
    ({ name, value }) => value === '-' && (readers.has(name) || !name.startsWith('-')),
  )
  if (reading.length > 1)
    throw new Failure('usage', 'standard input is named twice', ['- stands for all of it'])
}

/** Without flags with options: oclif lists these for any other value. */
function valuesOf(argv: readonly string[], { flags, args, see }: Known): readonly Typed[] {
  const all = Object.entries(flags)
  const flagOf = (typed: string) =>
    all.find(([name, { char, aliases = [] }]) =>
      [`--${name}`, `-${char}`, ...aliases.map((alias) => `--${alias}`)].includes(typed),
    )
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  const values: Typed[] = []
  let place = 0
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    const [, typed = word, beside] = /^(--?[^=]+)=(.*)$/s.exec(word) ?? []
    const [name, flag] = (at < end ? flagOf(typed) : undefined) ?? []
    // oclif takes the value for an argument.
    if (flag?.type === 'boolean' && beside !== undefined)
      throw new Failure('usage', `--${name} takes no value`, [see])
    if (name !== undefined && flag?.type === 'option') {
      if (beside === undefined) at += 1
      const value = beside ?? argv[at]
      if (value !== undefined && !flag.options) values.push({ name: `--${name}`, value })
    } else if (at > end || word === '-' || !word.startsWith('-')) {
      values.push({ name: args[place] ?? args.at(-1) ?? 'an argument', value: word })
      place += 1
    }
  }
  return values
}
