// oclif's help with examples first, alternatives in the usage line, and the exit codes.
import type { Command } from '@oclif/core/command'
import { CommandHelp, Help } from '@oclif/core/help'
import { columnsOf, screenOf } from '../present/screen.ts'
import { wrap } from '../present/wrap.ts'
import { exampleProfile } from './example.ts'
import { exits } from './exit.ts'

const firstSteps = [
  '$ winnode init',
  '$ winnode profiles',
  `$ winnode render ${exampleProfile} --out ./win-node`,
  '$ winnode validate ./node.yaml --strict',
]

export class WinnodeHelp extends Help {
  protected override CommandHelpClass = WinnodeCommandHelp

  protected override showRootHelp(): Promise<void> {
    const { bin } = this.config
    const description = String(this.config.pjson['description'])
    const screen = screenOf(process.stdout, { colours: false, verbose: false })
    const sections = [
      wrap('', description, columnsOf(screen)).trimEnd(),
      this.section('EXAMPLES', firstSteps.join('\n')),
      this.section('USAGE', `$ ${bin} COMMAND [FLAGS]`),
      this.formatCommands(this.sortedCommands),
      this.section('EXIT CODES', exitCodes()),
      `${bin} COMMAND --help says more about a command.`,
    ]
    this.log(sections.join('\n\n'))
    return Promise.resolve()
  }
}

function exitCodes(): string {
  return Object.values(exits)
    .map(({ code, means }) => `${String(code).padStart(3)}  ${means}`)
    .join('\n')
}

/** Of the second and later lines of a usage. */
const continuationIndent = '  '

class WinnodeCommandHelp extends CommandHelp {
  protected override sections(): ReturnType<CommandHelp['sections']> {
    const isExamples = ({ header }: { header: string }): boolean => header === 'EXAMPLES'
    const sections = super.sections()
    return [...sections.filter(isExamples), ...sections.filter((each) => !isExamples(each))]
  }

  protected override usage(): string {
    const { bin, topicSeparator } = this.config
    const width = this.opts.maxWidth - this.indentSpacing
    const pieces = usagePieces(this.command).flatMap((piece) =>
      piece.length < width ? piece : piece.split(/(?<= \|) /),
    )
    const lines = [`$ ${bin} ${this.command.id.replaceAll(':', topicSeparator)}`]
    for (const piece of pieces) {
      const longer = `${lines.at(-1) ?? ''} ${piece}`
      if (longer.length <= width) lines.splice(-1, 1, longer)
      else lines.push(`${continuationIndent}${piece}`)
    }
    return lines.join('\n')
  }
}

type Flag = Command.Loadable['flags'][string]

/** The words of the usage line; a line break goes between two of them. */
function usagePieces({ args, flags, strict }: Command.Loadable): readonly string[] {
  const words = Object.values(args).map(({ name, required }, at, all) => {
    const word = name.toUpperCase() + (strict === false && at === all.length - 1 ? '...' : '')
    return required ? word : `[${word}]`
  })
  const shown = Object.values(flags).filter(({ hidden }) => !hidden)
  const entries = alternatives(
    shown.toSorted((a, b) => Number(b.required ?? 0) - Number(a.required ?? 0)),
  )
  return [...words, ...entries.map(alternativesUsage)]
}

/** Groups of flags that exclude each other: a group has choices, and the flags of one choice go together. */
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

function alternativesUsage(choices: readonly Flag[][]): string {
  const parts = choices.map((flags) =>
    flags.map((flag) => (flags.length > 1 ? `[${flagUsage(flag)}]` : flagUsage(flag))).join(' '),
  )
  return choices[0]?.[0]?.required ? parts.join(' | ') : `[${parts.join(' | ')}]`
}

function flagUsage(flag: Flag): string {
  const name = flag.char ? `-${flag.char}` : `--${flag.name}`
  if (flag.type === 'boolean') return name
  const { helpValue, options, multiple } = flag
  return `${name} ${String(helpValue ?? options?.join('|') ?? 'VALUE')}${multiple ? '...' : ''}`
}
