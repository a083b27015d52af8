// The completion candidates for the last word of a command line.
import type { Manifest } from '@oclif/core/interfaces'
import { answerGroup } from '../init/answer-flags.ts'
import { splitCommandLine } from './command-line.ts'

export interface Candidate {
  readonly value: string
  readonly note: string
}

/** Completed by the shell itself. */
export type Paths = 'files' | 'folders'

export interface Candidates {
  readonly candidates: readonly Candidate[]
  readonly paths?: Paths
}

export interface CandidateSources {
  readonly commands: Manifest['commands']
  readonly profiles: () => readonly Candidate[]
  readonly fields: (last: string) => readonly Candidate[]
  /** What `explain` knows. */
  readonly subjects: () => readonly Candidate[]
  /** Values of an `init` flag that answers a question; `before` are the words before it. */
  readonly answers: (flag: string, before: readonly string[]) => Promise<readonly Candidate[]>
}

type CommandRow = Manifest['commands'][string]
type FlagRow = CommandRow['flags'][string]

const files = (): Candidates => ({ candidates: [], paths: 'files' })
const folders = (): Candidates => ({ candidates: [], paths: 'folders' })

/** Candidates for a value, by the name of the value in the help. */
const byHelpValue: Readonly<
  Record<string, (sources: CandidateSources, last: string) => Candidates>
> = {
  FILE: files,
  EVIDENCE: files,
  REPORT: files,
  DIR: folders,
  'DIR|URL': folders,
  PROFILE: ({ profiles }) => ({ candidates: profiles(), paths: 'files' }),
  NAME: ({ profiles }) => ({ candidates: profiles() }),
  ANSWER: ({ commands }) => ({ candidates: answerNames(commands) }),
  SUBJECT: ({ subjects }) => ({ candidates: subjects() }),
  'PATH=VALUE': ({ fields }, last) => ({ candidates: fields(last) }),
}

export async function candidatesOf(line: string, sources: CandidateSources): Promise<Candidates> {
  const { before, last } = splitCommandLine(line)
  const { candidates, ...rest } = await allCandidates(before, last, sources)
  return { candidates: candidates.filter(({ value }) => value.startsWith(last)), ...rest }
}

async function allCandidates(
  before: readonly string[],
  last: string,
  sources: CandidateSources,
): Promise<Candidates> {
  const { commands } = sources
  const words = before.filter((word) => !word.startsWith('-'))
  const path = words[0] === 'help' ? words.slice(1) : words
  const id = [path.slice(0, 2).join(':'), path[0] ?? ''].find((one) => commands[one])
  const command = id === undefined ? undefined : commands[id]
  if (!command) return { candidates: path.length === 0 ? commandWords(commands, '') : [] }
  if (words !== path) return { candidates: commandWords(commands, `${id ?? ''}:`) }
  const flags = Object.values(command.flags)
  const [, inline] = /^(--[^=]+=)/.exec(last) ?? []
  const name = inline?.slice(0, -1) ?? before.at(-1) ?? ''
  const opened = flags.filter(takesValue).find((flag) => names(flag).includes(name))
  if (opened) {
    const start = inline ?? ''
    const { candidates, ...rest } = answersQuestion(opened)
      ? { candidates: await sources.answers(`--${opened.name}`, before) }
      : valuesOf(opened, sources, last.slice(start.length))
    return {
      candidates: candidates.map(({ value, note }) => ({ value: start + value, note })),
      ...rest,
    }
  }
  if (last.startsWith('-')) return { candidates: flagWords(flags, before) }
  const depth = id?.split(':').length ?? 1
  const given = positionals(before, flags).length - depth
  const args = Object.values(command.args)
  // The last argument can be repeated.
  const argument = args[given] ?? (command.strict ? undefined : args.at(-1))
  const below = given === 0 ? commandWords(commands, `${id ?? ''}:`) : []
  if (!argument) return { candidates: below }
  const shown = { ...argument, helpValue: argument.name.toUpperCase() }
  const { candidates, ...rest } = valuesOf(shown, sources, last)
  return { candidates: [...below, ...candidates], ...rest }
}

function valuesOf(
  { options, helpValue }: { options?: readonly string[]; helpValue?: unknown },
  sources: CandidateSources,
  last: string,
): Candidates {
  if (options) return { candidates: options.map((value) => ({ value, note: '' })) }
  return byHelpValue[String(helpValue)]?.(sources, last) ?? { candidates: [] }
}

/** The next words of the commands whose ids begin with `start`. */
function commandWords(commands: CandidateSources['commands'], start: string): readonly Candidate[] {
  return Object.entries(commands).flatMap(([id, { summary = '' }]) => {
    const word = id.slice(start.length)
    return id.startsWith(start) && !word.includes(':') ? [{ value: word, note: summary }] : []
  })
}

function flagWords(flags: readonly FlagRow[], before: readonly string[]): readonly Candidate[] {
  const left = flags.filter(
    (flag) => isMultiple(flag) || !names(flag).some((name) => before.includes(name)),
  )
  return [
    ...left.map(({ name, summary, description }) => ({
      value: `--${name}`,
      note: summary ?? description ?? '',
    })),
    { value: '--help', note: 'Show the help of the command, with examples.' },
  ]
}

/** Names of answer flags without dashes, as `--unset` takes them. */
function answerNames({ init }: CandidateSources['commands']): readonly Candidate[] {
  const flags = Object.values(init?.flags ?? {}).filter(answersQuestion)
  return flags.map(({ name, summary = '' }) => ({ value: name, note: summary }))
}

function positionals(before: readonly string[], flags: readonly FlagRow[]): readonly string[] {
  const valued = flags.filter(takesValue).flatMap(names)
  return before.filter(
    (word, at) => !word.startsWith('-') && !valued.includes(before[at - 1] ?? ''),
  )
}

function names({ name, char, aliases = [] }: FlagRow): readonly string[] {
  const long = [name, ...aliases].map((one) => `--${one}`)
  return [...long, ...(char === undefined ? [] : [`-${char}`])]
}

function takesValue(flag: FlagRow): flag is Extract<FlagRow, { type: 'option' }> {
  return flag.type === 'option'
}

function answersQuestion({ helpGroup }: FlagRow): boolean {
  return helpGroup === answerGroup
}

function isMultiple(flag: FlagRow): boolean {
  return flag.type === 'option' && flag.multiple === true
}
