// The line of help that shows how a command is written: its arguments, its flags, and which exclude each other.
import type { Command } from '@oclif/core/command'

type Flag = Command.Loadable['flags'][string]

/** Pieces that no line end should cut. */
export function usagePieces({ args, flags, strict }: Command.Loadable): readonly string[] {
  const words = Object.values(args).map(({ name, required }, at, all) => {
    const word = name.toUpperCase() + (strict === false && at === all.length - 1 ? '...' : '')
    return required ? word : `[${word}]`
  })
  const shown = Object.values(flags).filter(({ hidden }) => !hidden)
  const entries = alternatives(
    shown.toSorted((a, b) => Number(b.required ?? 0) - Number(a.required ?? 0)),
  )
  return [...words, ...entries.map(entryOf)]
}

/** Entries in which one choice is taken; what one choice holds may be given together. */
function alternatives(flags: readonly Flag[]): readonly Flag[][][] {
  const excludes = (one: Flag, other: Flag) =>
    one.exclusive?.includes(other.name) === true || other.exclusive?.includes(one.name) === true
  const taken = new Set<Flag>()
  const take = (flag: Flag, entry: Flag[][]) => {
    if (taken.has(flag)) return entry
    taken.add(flag)
    const choice = entry.find((others) => !others.some((other) => excludes(flag, other)))
    if (choice) choice.push(flag)
    else entry.push([flag])
    for (const other of flags) if (excludes(flag, other)) take(other, entry)
    return entry
  }
  return flags.map((flag) => take(flag, [])).filter(({ length }) => length > 0)
}

function entryOf(choices: readonly Flag[][]): string {
  const parts = choices.map((flags) =>
    flags.map((flag) => (flags.length > 1 ? `[${written(flag)}]` : written(flag))).join(' '),
  )
  return choices[0]?.[0]?.required ? parts.join(' | ') : `[${parts.join(' | ')}]`
}

function written(flag: Flag): string {
  const name = flag.char ? `-${flag.char}` : `--${flag.name}`
  if (flag.type === 'boolean') return name
  const { helpValue, options, multiple } = flag
  return `${name} ${String(helpValue ?? options?.join('|') ?? 'VALUE')}${multiple ? '...' : ''}`
}
