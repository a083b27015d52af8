// The base of every command: its streams, its JSON and how it ends.
import { Command } from '@oclif/core/command'
import * as Flags from '@oclif/core/flags'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import { isObject } from '../model/json.ts'
import { gathered, type Pieces } from '../present/pieces.ts'
import { type Screen, screenOf } from '../present/screen.ts'
import { prose } from '../present/wrap.ts'
import { type Exit, exits } from './exit.ts'
import { jsonPieces } from './report.ts'
import { print } from './standard-output.ts'
import { usage } from './usage.ts'

type Values = Record<string, unknown>

export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true

  static override baseFlags = {
    quiet: Flags.boolean({
      char: 'q',
      summary: 'Print nothing but results and errors.',
      helpGroup: 'GLOBAL',
    }),
    verbose: Flags.boolean({
      summary: 'Say everything of every note, and show new files whole.',
      exclusive: ['quiet'],
      helpGroup: 'GLOBAL',
    }),
    'no-color': Flags.boolean({ summary: 'Print without colours.', helpGroup: 'GLOBAL' }),
  }

  #exit: Exit = 'done'
  #quiet = false
  #colours = true
  #verbose = false

  /** The object that `--json` prints. */
  abstract override run(): Promise<object>

  /** Runs the command and gives its exit code. */
  async execute(): Promise<number> {
    await this._run()
    return exits[this.#exit].code
  }

  /** Says how the run ends; an answer such as `rejected` is no exception. */
  protected end(exit: Exit): void {
    this.#exit = exit
  }

  /** What was asked for, to stdout. */
  protected data(content: Pieces | Uint8Array): void {
    if (this.jsonEnabled()) return
    if (content instanceof Uint8Array) print(content)
    else for (const piece of gathered(content)) print(piece)
  }

  /** What is said about it, to stderr. */
  protected talk(text: string): void {
    if (!this.jsonEnabled() && !this.#quiet) process.stderr.write(`${text}\n`)
  }

  /** A line of prose about it. */
  protected say(text: string): void {
    this.talk(prose(text, this.screen('stderr')))
  }

  /** What a person must know even with --quiet, to stderr. */
  protected complain(text: string): void {
    if (!this.jsonEnabled()) process.stderr.write(`${text}\n`)
  }

  /** Where somebody waits and looks; absent in a pipeline. */
  protected waiting(): NodeJS.WritableStream | undefined {
    const { stderr } = process
    return this.jsonEnabled() || this.#quiet || !stderr.isTTY ? undefined : stderr
  }

  protected screen(stream: 'stdout' | 'stderr'): Screen {
    return screenOf(process[stream], { colours: this.#colours, verbose: this.#verbose })
  }

  /** YYYY-MM-DD; the only place where a run asks for the time. */
  protected today(asOf: string | undefined): string {
    return asOf ?? new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  }

  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    try {
      const parsed = await super.parse(options, argv)
      this.#quiet = parsed.flags['quiet'] === true
      this.#colours = parsed.flags['no-color'] !== true
      this.#verbose = parsed.flags['verbose'] === true
      return parsed
    } catch (thrown) {
      const { id, flags, baseFlags } = this.ctor
      const known = { ...flags, ...baseFlags, json: { type: 'boolean' } }
      throw usage(thrown, id.replaceAll(':', ' '), argv ?? this.argv, known)
    }
  }

  /** Failures are told in one place for commands and for everything before them. */
  protected override catch(thrown: Error): Promise<never> {
    throw thrown
  }

  protected override toSuccessJson(result: unknown): unknown {
    const { code } = exits[this.#exit]
    return { ok: code === exits.done.code, exit: code, ...(isObject(result) ? result : {}) }
  }

  protected override logJson(json: unknown): void {
    for (const piece of gathered(jsonPieces(json))) print(piece)
  }
}
