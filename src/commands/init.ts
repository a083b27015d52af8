// winnode init: creates or edits a profile, by questions or by flags.
import { existsSync } from 'node:fs'
import path from 'node:path'
import * as Flags from '@oclif/core/flags'
import { defaultCni } from '../cni/index.ts'
import { concealed, withPlaces } from '../io/finding-places.ts'
import type { LoadedProfile } from '../io/profiles.ts'
import { editProfile } from '../io/source/edit-profile.ts'
import { composeProfile } from '../io/source/compose.ts'
import type { Detected } from '../model/detected.ts'
import { hasErrors } from '../model/finding.ts'
import { paintDiff } from '../present/diff.ts'
import { findingsJson } from '../present/json.ts'
import { summarize } from '../present/summary.ts'
import { prose } from '../present/wrap.ts'
import type { InitResult } from '../prompts/init-dialog.ts'
import type { OfferedCluster } from '../prompts/ending.ts'
import { comparisons, review } from '../prompts/summary.ts'
import { engine } from '../wizard/engine.ts'
import type { Outcome } from '../wizard/question.ts'
import type { Session } from '../wizard/session.ts'
import { BaseCommand } from './base.ts'
import type { ClusterOptions } from './cluster.ts'
import { writeTo } from './destination.ts'
import type { EditedProfile } from './edited-profile.ts'
import { Failure } from './failure.ts'
import { asOf } from './flags.ts'
import { answerFlags, answerNames } from './init/answer-flags.ts'
import { clusterFlags } from './init/cluster-flags.ts'
import { runTerminalDialog } from './init/terminal-dialog.ts'
import { profileReference, renderCommand, validateCommand } from './next-commands.ts'
import { startSession } from './init/start.ts'
import {
  checkFolder,
  existsFailure,
  exists,
  targetOf,
  reasonNotWritable,
  type Target,
} from './init/target.ts'
import { changedValues, skipAll, missingAnswers, withFlags } from './init/non-interactive.ts'
import { examples } from './examples.ts'

const defaults = { profile: './node.yaml', bundle: './win-node' } as const
/** Where `winnode schema > winnode.schema.json` puts it, beside the profile. */
const schema = 'winnode.schema.json'

interface Settings {
  readonly target: Target
  readonly edited: EditedProfile | undefined
  readonly loaded: LoadedProfile | undefined
  readonly replaces: boolean
  /** Questions are asked on the terminal, and the summary is shown. */
  readonly interactive: boolean
}

export default class Init extends BaseCommand {
  static override summary = 'Create a profile interactively.'
  static override examples = examples({
    'Answer questions': 'init',
    'Answer by flags': `init --windows ws2022 --kubernetes 1.36 --cni ${defaultCni} --mode overlay --yes`,
    'Read the settings from a cluster': 'init --from-cluster --context prod',
    'Edit a profile and keep its comments': 'init --from ./node.yaml',
  })
  static override flags = {
    base: Flags.string({ helpValue: 'NAME', summary: 'Start from this built-in profile.' }),
    from: Flags.string({
      helpValue: 'FILE',
      exclusive: ['base'],
      summary: 'Edit this profile; comments and order stay.',
    }),
    out: Flags.string({
      char: 'o',
      helpValue: 'FILE',
      summary: `Write to this file, or - for stdout; default ${defaults.profile}.`,
    }),
    yes: Flags.boolean({
      char: 'y',
      summary: 'Ask nothing; use defaults for unanswered questions.',
    }),
    force: Flags.boolean({ char: 'f', summary: 'Overwrite an existing file.' }),
    plain: Flags.boolean({ summary: 'Ask line by line, for screen readers.' }),
    'as-of': asOf(),
    'allow-newer': Flags.boolean({
      summary: 'Accept versions newer than this winnode knows.',
    }),
    ...clusterFlags,
    ...answerFlags,
  }

  protected override readonly mayBeEmpty = answerNames
  protected override readonly insteadOf = new Map([
    [
      'set',
      'use the flag of the answer, such as --max-pods; for other fields, edit the written file',
    ],
  ])

  async run(): Promise<object> {
    const { flags } = await this.parse(Init)
    const { base, from, yes, force } = flags
    const today = this.today(flags['as-of'])
    const allowNewer = flags['allow-newer']
    const { root } = this.config
    const start = (found: readonly Detected[]) =>
      startSession({ base, from, root, today, allowNewer, found })
    const { session, edited, loaded, folder } = start(
      await this.detected(flags, (line) => this.printStatus(line)),
    )
    const target = targetOf(flags.out ?? from ?? defaults.profile, edited)
    const { out } = target
    checkFolder(out, folder)
    const replaces = out !== from && !force && exists(target)
    const interactive = process.stdin.isTTY && process.stderr.isTTY && !yes && !this.jsonEnabled()
    const request = { target, edited, loaded, replaces, interactive }
    const given = withFlags(session, flags)
    if (!interactive) return this.finish(this.answerByFlags(given, request, yes, force), request)
    const result = await runTerminalDialog(given, {
      offered: flags['from-cluster'] || from !== undefined ? undefined : await this.offered(),
      readCluster: async (log) => {
        const reading = { ...flags, 'from-cluster': true, yes: true }
        const print = (line: string) => {
          log(prose(line, this.screen('stderr')))
        }
        const found = await this.detected(reading, print).catch((thrown: unknown) => {
          for (const line of unreadCluster(thrown)) print(line)
          return []
        })
        return withFlags(start(found).session, flags)
      },
      out,
      bundle: defaults.bundle,
      outExists: replaces,
      check: (file) => reasonNotWritable(file, folder),
      plain: flags.plain,
      screen: this.screen('stderr'),
      summary: (outcome) => this.summary(outcome, request),
    })
    if (!result) throw new Failure('interrupted', 'cancelled: nothing was written')
    // A confirmed replacement covers what the file holds by now.
    const chosen = result.out === out && !result.replace ? target : targetOf(result.out)
    return this.finish(
      { ...result, replace: result.replace || force },
      { ...request, target: chosen, replaces: exists(chosen) && replaces },
    )
  }

  private async offered(): Promise<OfferedCluster | undefined> {
    const { offeredCluster } = await import('./init/cluster.ts')
    return offeredCluster(process.env)
  }

  private async detected(
    flags: Omit<ClusterOptions, 'log'> & { readonly 'from-cluster': boolean },
    print: (line: string) => void,
  ): Promise<readonly Detected[]> {
    if (!flags['from-cluster']) return []
    const { kubeconfig, context, yes } = flags
    const { detectCluster, detectionLines } = await import('./init/cluster.ts')
    // kubectl can take many seconds, and the screen would be empty.
    if (this.progressStream()) print('reading the cluster with kubectl get')
    const detection = await detectCluster({
      kubeconfig,
      context,
      yes,
      log: (line) => this.printStatusLine(line),
    })
    for (const line of detectionLines(detection)) print(line)
    return detection.detected
  }

  private answerByFlags(
    session: Session,
    { target, replaces }: Settings,
    yes: boolean,
    force: boolean,
  ): InitResult {
    const done = skipAll(session)
    const missing = missingAnswers(done.questions, yes)
    if (missing) throw missing
    if (replaces) throw existsFailure(target.out)
    const { out } = target
    return { outcome: engine.outcome(done.session), render: false, out, replace: force }
  }

  private textOf({ base, patch, comments }: Outcome, { target, edited }: Settings): string {
    if (edited) return editProfile(edited.text, { before: edited.patch, after: patch }, comments)
    const folder = target.file === undefined ? undefined : path.dirname(target.file)
    const isThere = folder !== undefined && existsSync(path.join(folder, schema))
    return composeProfile({ base, patch, comments, schema: isThere ? schema : undefined })
  }

  private async summary(outcome: Outcome, request: Settings): Promise<string> {
    const { target, edited } = request
    const screen = this.screen('stderr')
    const text = this.textOf(outcome, request)
    if (!edited) return review(outcome, { out: target.out, diff: undefined }, screen)
    const { diffText } = await import('../io/bundle-diff.ts')
    const diff = paintDiff(diffText(target.out, edited.text, text), screen.paint)
    return review(outcome, { out: target.out, diff }, screen)
  }

  private async finish(
    { outcome, render, replace }: InitResult,
    request: Settings,
  ): Promise<object> {
    const { target, edited, loaded, replaces, interactive } = request
    const { out } = target
    const { findings: found, origin } = outcome.compiled
    const findings = loaded ? concealed(withPlaces(found, { ...loaded, origin })) : found
    const text = this.textOf(outcome, request)
    const { answers, open, base } = outcome
    const report = { base, answers, open, findings: findingsJson(findings), profile: text }
    if (hasErrors(findings)) {
      this.reject({ findings })
      this.printError('nothing written')
      return { ...report, written: null }
    }
    if (target.file !== undefined && replaces && !replace) throw existsFailure(out)
    if (!interactive && edited)
      for (const line of changedValues(edited.patch, outcome.patch)) this.printStatusLine(line)
    if (target.file === undefined) {
      this.print(text)
      return { ...report, written: null }
    }
    writeTo(target, text)
    const more = findings.length > 0 ? ` (see: ${validateCommand(out)})` : ''
    this.printStatus(`wrote ${out}; ${summarize(findings)}${more}`)
    if (!interactive && open.length > 0)
      for (const line of comparisons(open)) this.printStatusLine(line)
    if (!render) this.printStatusLine(`next: ${renderCommand(out, defaults.bundle)}`)
    else await this.render(out)
    return { ...report, written: out }
  }

  private async render(profile: string): Promise<void> {
    const { default: Render } = await import('./render.ts')
    Render.id = 'render'
    const command = new Render([profileReference(profile), '--out', defaults.bundle], this.config)
    this.setExit(await command.execute())
  }
}

/** The questions continue without a cluster that cannot be read; they do not for an unsupported network plugin. */
function unreadCluster(thrown: unknown): readonly string[] {
  if (!(thrown instanceof Failure) || !['usage', 'failure'].includes(thrown.exit)) throw thrown
  return [thrown.message, ...thrown.hints, 'the questions continue without the cluster']
}
