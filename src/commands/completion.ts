// winnode completion: the completion script of a shell, and the candidates that it asks for.
import * as Flags from '@oclif/core/flags'
import { listProfiles } from '../io/profiles/builtins.ts'
import { newestKubernetes } from '../matrix/newest.ts'
import { oneLine } from '../present/one-line.ts'
import { asciiCharset, unicodeCharset } from '../present/signs.ts'
import { BaseCommand } from './base.ts'
import { candidatesOf, type Candidates } from './completion/candidates.ts'
import { fieldCandidates } from './completion/fields.ts'
import { isShell, scripts, type Shell } from './completion/scripts.ts'
import { scopeOf } from './explain/scope.ts'
import { subjectsOf } from './explain/topics.ts'
import { argument } from './flags.ts'
import { examples } from './examples.ts'

export default class Completion extends BaseCommand {
  static override summary = 'Print a shell completion script.'
  static override examples = examples({
    [scripts.bash.install]: 'completion bash',
    [scripts.zsh.install]: 'completion zsh',
    [scripts.fish.install]: 'completion fish',
    [scripts.powershell.install]: 'completion powershell',
  })
  static override args = {
    shell: argument({
      required: true,
      options: Object.keys(scripts),
      description: 'Shell to complete for.',
    }),
  }
  static override flags = {
    line: Flags.string({
      helpValue: 'TEXT',
      summary: 'Print candidates for this command line; used by the script.',
    }),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Completion)
    const { shell } = args
    // `options` of the argument allows nothing else.
    if (!isShell(shell)) throw new TypeError(`no shell ${shell}`)
    if (flags.line === undefined) {
      const { text } = scripts[shell]
      this.print(text)
      return { script: text }
    }
    const answer = await this.candidates(flags.line)
    this.print(linesFor(shell, answer))
    return answer
  }

  private candidates(line: string): Promise<Candidates> {
    const commands = Object.fromEntries(
      this.config.commands.map((command) => [command.id, command]),
    )
    return candidatesOf(line, {
      commands,
      profiles: () =>
        listProfiles(this.config.root).map(({ name, summary }) => ({ value: name, note: summary })),
      fields: fieldCandidates,
      subjects: () =>
        subjectsOf(scopeOf(newestKubernetes().minor, this.config.root)).map(({ name, note }) => ({
          value: name,
          note,
        })),
      answers: async (flag, before) => {
        const { answerCandidates } = await import('./completion/answers.ts')
        return answerCandidates({
          flag,
          before,
          root: this.config.root,
          today: this.today(undefined),
        })
      },
    })
  }
}

/** Bash shows no notes, and Windows PowerShell reads programs in the code page of the console. */
function linesFor(shell: Shell, { candidates, paths }: Candidates): string {
  const script = shell === 'powershell' ? asciiCharset : unicodeCharset
  const lines = candidates.map(({ value, note }) =>
    shell === 'bash' ? oneLine(value) : script.text(`${oneLine(value)}\t${oneLine(note)}`),
  )
  return [...lines, ...(paths === undefined ? [] : [`:${paths}`])]
    .map((line) => `${line}\n`)
    .join('')
}
