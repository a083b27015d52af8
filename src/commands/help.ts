// Help of the program: examples come first, then its commands and exit codes.
import { Help } from '@oclif/core/help'
import type { Config } from '@oclif/core/interfaces'
import { columnsOf } from '../present/screen.ts'
import { wrap } from '../present/wrap.ts'
import { exits } from './exit.ts'
import type { Output } from './outputs.ts'

const firstSteps = [
  '$ winnode init',
  '$ winnode profiles',
  '$ winnode render ws2022-flannel-overlay --out ./win-node',
  '$ winnode validate ./node.yaml --strict',
]

export class TeachingHelp extends Help {
  readonly #output: Output

  constructor(config: Config, output: Output) {
    super(config)
    this.#output = output
  }

  /** `subject` is the id of a command or of a topic; absent for the program itself. */
  async show(subject: string | undefined): Promise<void> {
    if (subject === undefined) return this.showRootHelp()
    const command = this.config.findCommand(subject)
    if (command) {
      const { TeachingCommandHelp } = await import('./command-help.ts')
      this.CommandHelpClass = TeachingCommandHelp
      return this.showCommandHelp(command)
    }
    return this.showTopicHelp(this.config.findTopic(subject, { must: true }))
  }

  protected override showRootHelp(): Promise<void> {
    const { bin } = this.config
    const description = String(this.config.pjson['description'])
    const screen = this.#output.screen({ colours: false, verbose: false })
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

  protected override log(text: string): void {
    this.#output.write(`${text}\n`)
  }
}

function exitCodes(): string {
  return Object.values(exits)
    .map(({ code, means }) => `${String(code).padStart(3)}  ${means}`)
    .join('\n')
}
