// The base class of every command: global flags, output streams, JSON output, exit code.
import { Command } from '@oclif/core/command'
import * as Flags from '@oclif/core/flags'
import type { Input, ParserOutput } from '@oclif/core/interfaces'
import { bySeverityAndHarm, errorsIn, type Finding } from '../model/finding.ts'
import { isObject } from '../model/json.ts'
import { joinChunks, type Chunks } from '../present/chunks.ts'
import { prettyFindings, type FindingsReport } from '../present/pretty.ts'
import { type Screen, screenOf } from '../present/screen.ts'
import { prose } from '../present/wrap.ts'
import type { CheckContext } from './check-profile.ts'
import { type Exit, exits, worstOf } from './exit.ts'
import { Failure, failureOf } from './failure.ts'
import { errorJson, failureText, jsonPieces } from './output-text.ts'
import { explainCommand } from './next-commands.ts'
import { print } from './standard-output.ts'
import { checkValues } from './typed-values.ts'

const signalExits: ReadonlySet<Exit> = new Set(['interrupted', 'terminated', 'hung-up'])

type Values = Record<string, unknown>

export abstract class BaseCommand extends Command {
  static override enableJsonFlag = true

  static override baseFlags = {
    quiet: Flags.boolean({
      char: 'q',
      summary: 'Print results and errors only.',
      helpGroup: 'GLOBAL',
    }),
    verbose: Flags.boolean({
      summary: 'Print all details, such as full notes.',
      exclusive: ['quiet'],
      helpGroup: 'GLOBAL',
    }),
    'no-color': Flags.boolean({ summary: 'Print without colors.', helpGroup: 'GLOBAL' }),
  }

  /** Flags that an empty value sets to nothing. */
  protected readonly mayBeEmpty: ReadonlySet<string> = new Set()
  /** What to do in place of a flag that only other commands have. */
  protected readonly insteadOf: ReadonlyMap<string, string> = new Map()

  #exit: Exit = 'done'
  #quiet = false
  #colours = true
  #verbose = false

  /** The object that `--json` prints. */
  abstract override run(): Promise<object>

  async execute(): Promise<Exit> {
    await this._run()
    return this.#exit
  }

  /** Sets the exit code; a result such as `rejected` is not an exception. */
  setExit(exit: Exit): void {
    this.#exit = exit
  }

  /** The result of one profile; of several, a list: the worst exit code wins, and a failure stops no other profile. */
  protected async forEach<T extends { readonly profile: string }>(
    profiles: readonly T[],
    several: boolean,
    one: (profile: T) => object | Promise<object>,
  ): Promise<object> {
    const [first] = profiles
    if (!several && first) return one(first)
    const results: object[] = []
    const ends: Exit[] = []
    for (const profile of profiles) {
      this.#exit = 'done'
      const result = await this.attempt(profile.profile, async () => one(profile))
      results.push({ profile: profile.profile, ...this.withExit(result) })
      ends.push(this.#exit)
    }
    this.#exit = worstOf(ends)
    return { profiles: results }
  }

  private async attempt(profile: string, work: () => Promise<object>): Promise<object> {
    try {
      return await work()
    } catch (thrown) {
      const failure = failureOf(thrown, this.config.version)
      if (signalExits.has(failure.exit)) throw failure
      const { exit, message, hints } = failure
      const named = message.includes(profile) ? message : `${profile}: ${message}`
      const renamed = new Failure(exit, named, hints)
      this.printError(failureText(renamed, this.screen('stderr')).trimEnd())
      this.#exit = exit
      return { error: errorJson(failure) }
    }
  }

  /** Prints the result of the command to stdout, unless --json prints it. */
  print(content: Chunks | Uint8Array): void {
    if (this.jsonEnabled()) return
    if (content instanceof Uint8Array) print(content)
    else for (const piece of joinChunks(content)) print(piece)
  }

  /** Prints to stderr as is; --quiet and --json suppress it. */
  protected printStatusLine(text: string): void {
    if (!this.jsonEnabled() && !this.#quiet) process.stderr.write(`${text}\n`)
  }

  /** The same, wrapped to the width of the terminal. */
  printStatus(text: string): void {
    this.printStatusLine(prose(text, this.screen('stderr')))
  }

  /** Prints to stderr even with --quiet. */
  printError(text: string): void {
    if (!this.jsonEnabled()) process.stderr.write(`${text}\n`)
  }

  /** The findings that reject a profile, on stderr. */
  protected printFindings(report: FindingsReport): void {
    this.printError(prettyFindings(report, this.screen('stderr')).trimEnd())
    this.nameExplain(report.findings)
  }

  /** Of a rejected profile: sets the exit code, and prints its findings; with --quiet, errors alone. */
  reject(report: FindingsReport): void {
    const { findings, strict = false } = report
    this.#exit = 'rejected'
    this.printFindings(this.#quiet ? { findings: errorsIn(findings, strict), strict } : report)
  }

  /** Once, with the gravest finding as the example; a note is one line and needs no more. */
  nameExplain(findings: readonly Finding[]): void {
    const [gravest] = findings
      .filter(({ severity }) => severity !== 'info')
      .toSorted(bySeverityAndHarm)
    if (gravest) this.printStatusLine(`more about a finding: ${explainCommand(gravest)}`)
  }

  /** The terminal to draw progress on; `undefined` in a pipeline. */
  protected progressStream(): NodeJS.WritableStream | undefined {
    const { stderr } = process
    return this.jsonEnabled() || this.#quiet || !stderr.isTTY ? undefined : stderr
  }

  screen(stream: 'stdout' | 'stderr'): Screen {
    return screenOf(process[stream], { colours: this.#colours, verbose: this.#verbose })
  }

  protected checkContext(asOf?: string): CheckContext {
    return { root: this.config.root, today: this.today(asOf) }
  }

  /** YYYY-MM-DD: the clock decides about a profile only here. */
  protected today(asOf: string | undefined): string {
    return asOf ?? new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  }

  protected override async parse<F extends Values, B extends Values, A extends Values>(
    options?: Input<F, B, A>,
    argv?: string[],
  ): Promise<ParserOutput<F, B, A>> {
    const typed = argv ?? this.argv
    const { id, flags, baseFlags, args } = this.ctor
    const known = { ...flags, ...baseFlags, json: { type: 'boolean' } }
    const see = `see: winnode ${id.replaceAll(':', ' ')} --help`
    const { mayBeEmpty } = this
    checkValues(typed, { flags: known, args: Object.keys(args), see, mayBeEmpty })
    try {
      const parsed = await super.parse(options, argv)
      this.#quiet = parsed.flags['quiet'] === true
      this.#colours = parsed.flags['no-color'] !== true
      this.#verbose = parsed.flags['verbose'] === true
      return parsed
    } catch (thrown) {
      const { usageFailure } = await import('./usage-failure.ts')
      throw usageFailure(thrown, { flags: Object.keys(known), insteadOf: this.insteadOf, see })
    }
  }

  /** oclif would print the error: commands/run.ts reports all failures alike. */
  protected override catch(thrown: Error): Promise<never> {
    throw thrown
  }

  protected override toSuccessJson(result: unknown): unknown {
    return this.withExit(isObject(result) ? result : {})
  }

  private withExit(result: object): object {
    const { code } = exits[this.#exit]
    return { ok: code === exits.done.code, exit: code, ...result }
  }

  protected override logJson(json: unknown): void {
    for (const piece of joinChunks(jsonPieces(json))) print(piece)
  }
}
