// Finds an empty argument or value on a command line, such as of a variable of the shell that is not set.
interface Flag {
  readonly type: string
  readonly char?: string
  readonly aliases?: readonly string[]
  readonly options?: readonly string[]
}

interface Expected {
  /** By name. */
  readonly flags: Readonly<Record<string, Flag>>
  /** Names of the arguments, in order; the last can be repeated. */
  readonly args: readonly string[]
  /** Flags that an empty value sets to nothing. */
  readonly mayBeEmpty: ReadonlySet<string>
}

/** The flag or the argument that is empty. */
export function emptyWord(
  argv: readonly string[],
  { flags, args, mayBeEmpty }: Expected,
): string | undefined {
  const all = Object.entries(flags)
  const flagOf = (typed: string) =>
    all.find(([name, { char, aliases = [] }]) =>
      [`--${name}`, `-${char}`, ...aliases.map((alias) => `--${alias}`)].includes(typed),
    )
  const end = argv.indexOf('--')
  let place = 0
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? ''
    const [, typed = word, value] = /^(--?[^=]+)=(.*)$/s.exec(word) ?? []
    const [name, flag] = (end < 0 || at < end ? flagOf(typed) : undefined) ?? []
    if (name !== undefined && flag?.type === 'option') {
      if (value === undefined) at += 1
      // oclif lists the options.
      const isRefused = !flag.options && !mayBeEmpty.has(name)
      if ((value ?? argv[at]) === '' && isRefused) return `--${name}`
    } else if (word === '') return args[place] ?? args.at(-1) ?? 'an argument'
    else if (!word.startsWith('-') || word === '-') place += 1
  }
  return undefined
}
