// oclif's help with examples first, commands in groups, and the exit codes.
import type { Command } from '@oclif/core/command'
import { CommandHelp, Help } from '@oclif/core/help'
import { screenOf } from '../present/screen.ts'
import { wrap } from '../present/wrap.ts'
import { exampleProfile } from './examples.ts'
import { exits } from './exit.ts'

const firstSteps = [
  '$ winnode init',
  '$ winnode profiles',
  `$ winnode render ${exampleProfile} --out ./win-node`,
  '$ winnode validate ./node.yaml --strict',
]

const learnMore = (bin: string) => [
  `$ ${bin} COMMAND --help`,
  `$ ${bin} explain NAME`,
  'docs/README.md of the repository: tutorial, how-tos, reference',
]

/** Commands by what they are for; those that are not named here are printed last. */
const groups: Readonly<Record<string, readonly string[]>> = {
  START: ['init', 'profiles', 'render'],
  CHECK: ['validate', 'lint', 'drift', 'smoke', 'doctor', 'upgrade'],
  INSPECT: ['matrix', 'solve', 'explain', 'profiles show', 'sizing', 'facts', 'schema'],
  SUPPLY: ['lock', 'mirror', 'bom'],
}

export class WinnodeHelp extends Help {
  protected override CommandHelpClass = WinnodeCommandHelp

  protected override showRootHelp(): Promise<void> {
    const { bin } = this.config
    const description = String(this.config.pjson['description'])
    const screen = screenOf(process.stdout, { colours: false, verbose: false })
    const sections = [
      wrap('', description, screen.columns).trimEnd(),
      this.section('EXAMPLES', firstSteps.join('\n')),
      this.section('USAGE', `$ ${bin} COMMAND [flags]`),
      ...this.commandGroups(),
      this.section('EXIT CODES', exitCodes()),
      this.section('LEARN MORE', learnMore(bin).join('\n')),
    ]
    this.log(sections.join('\n\n'))
    return Promise.resolve()
  }

  private commandGroups(): readonly string[] {
    const ids = Object.values(groups).flat()
    const idOf = ({ id }: Command.Loadable): string => id.replaceAll(':', ' ')
    const others = this.sortedCommands.map(idOf).filter((id) => !ids.includes(id))
    return Object.entries({ ...groups, 'OTHER COMMANDS': others }).flatMap(([title, members]) => {
      const rows = members.flatMap((member) =>
        this.sortedCommands
          .filter((command) => idOf(command) === member)
          .map((command): [string, string | undefined] => [member, this.summary(command)]),
      )
      const options = { indentation: 2, spacer: '\n', stripAnsi: this.opts.stripAnsi ?? false }
      return rows.length > 0 ? [this.section(title, this.renderList(rows, options))] : []
    })
  }
}

function exitCodes(): string {
  return Object.values(exits)
    .map(({ code, means }) => `${String(code).padStart(3)}  ${means}`)
    .join('\n')
}

class WinnodeCommandHelp extends CommandHelp {
  protected override sections(): ReturnType<CommandHelp['sections']> {
    const isExamples = ({ header }: { header: string }): boolean => header === 'EXAMPLES'
    const sections = super.sections()
    return [...sections.filter(isExamples), ...sections.filter((each) => !isExamples(each))]
  }

  /** Options as words, so that a line breaks between them. */
  protected override flags(flags: Command.Flag.Any[]): [string, string | undefined][] | undefined {
    return super
      .flags(flags)
      ?.map(([name, text]) => [
        name,
        text?.replace(/(?<=\n<options: ).*/, (options) => options.replaceAll('|', ', ')),
      ])
  }

  /** The arguments and the required flags; the others are listed below. */
  protected override usage(): string {
    const { bin, topicSeparator } = this.config
    const { id, args, flags, strict } = this.command
    const words = Object.values(args).map(({ name, required }, at, all) => {
      const word = name.toUpperCase() + (strict === false && at === all.length - 1 ? '...' : '')
      return required ? word : `[${word}]`
    })
    const needed = Object.values(flags).flatMap((flag) =>
      flag.required && flag.type === 'option' ? `--${flag.name} ${String(flag.helpValue)}` : [],
    )
    const name = id.replaceAll(':', topicSeparator)
    return [`$ ${bin} ${name}`, ...words, ...needed, '[flags]'].join(' ')
  }
}
