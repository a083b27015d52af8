// winnode init: asks what a node needs, and writes a profile that works.
import * as Flags from '@oclif/core/flags'
import { amendProfile } from '../io/source/amend.ts'
import { composeProfile } from '../io/source/compose.ts'
import { staticFiles } from '../io/static-files.ts'
import type { Detected } from '../model/detected.ts'
import { findingsJson } from '../present/json.ts'
import { prettyFindings } from '../present/pretty.ts'
import { summarize } from '../present/summary.ts'
import type { Agreed } from '../prompts/conversation.ts'
import { comparisons, summary } from '../prompts/summary.ts'
import { engine } from '../wizard/engine.ts'
import type { Outcome } from '../wizard/question.ts'
import type { Session } from '../wizard/session.ts'
import { BaseCommand } from './base.ts'
import { rejects } from './check-profile.ts'
import { writeTo } from './destination.ts'
import { exitOf } from './exit.ts'
import { Failure } from './failure.ts'
import { asOf } from './flags.ts'
import { answerFlags } from './init/answer-flags.ts'
import { clusterFlags } from './init/cluster-flags.ts'
import { talkOver } from './init/dialogue.ts'
import { referenceTo, rendering, validating } from './init/next.ts'
import { openingOf, type Edited } from './init/opening.ts'
import { alreadyThere, isTaken, targetOf, whyNot, type Target } from './init/target.ts'
import { skipped, unanswered, withFlags } from './init/unasked.ts'

const usual = { profile: './node.yaml', bundle: './win-node' } as const
const schema = { file: 'winnode.schema.json', command: 'winnode schema > winnode.schema.json' }

interface Wanted {
  readonly target: Target
  readonly edited: Edited | undefined
  readonly replaces: boolean
  /** A person is asked, and sees the summary. */
  readonly asks: boolean
}

export default class Init extends BaseCommand {
  static override summary = 'Ask what a node needs, and write a profile that works.'
  static override examples = [
    { description: 'Answer some questions', command: '<%= config.bin %> init' },
    {
      description: 'Answer them all beforehand',
      command:
        '<%= config.bin %> init --windows ws2022 --kubernetes 1.36 --cni flannel --mode overlay --yes',
    },
    {
      description: 'Let your cluster answer what it knows',
      command: '<%= config.bin %> init --from-cluster --context prod',
    },
    {
      description: 'Change a profile, and keep its comments',
      command: '<%= config.bin %> init --from ./node.yaml',
    },
  ]
  static override flags = {
    base: Flags.string({ helpValue: 'NAME', summary: 'Start from this built-in profile.' }),
    from: Flags.string({
      helpValue: 'FILE',
      exclusive: ['base'],
      summary: 'Change this profile; comments, order and anchors stay.',
    }),
    out: Flags.string({
      char: 'o',
      helpValue: 'FILE',
      summary: `The file to write, or - for stdout; ${usual.profile} unless it is given.`,
    }),
    yes: Flags.boolean({ char: 'y', summary: 'Ask nothing: what no flag answers is skipped.' }),
    force: Flags.boolean({ char: 'f', summary: 'Replace a file that is there.' }),
    plain: Flags.boolean({ summary: 'Ask line by line, as a screen reader wants it.' }),
    'as-of': asOf(),
    'allow-newer': Flags.boolean({
      summary:
        'Take versions of lines that the tables lack, with what is known of the newest line.',
    }),
    ...clusterFlags,
    ...answerFlags,
  }

  async run(): Promise<object> {
    const { flags } = await this.parse(Init)
    const { base, from, yes, force } = flags
    const today = this.today(flags['as-of'])
    const allowNewer = flags['allow-newer']
    const { root } = this.config
    const found = await this.found(flags)
    const { session, edited } = openingOf({ base, from, root, today, allowNewer, found })
    const target = targetOf(flags.out ?? from ?? usual.profile, edited)
    const { out } = target
    const replaces = out !== from && !force && isTaken(target)
    const asks = process.stdin.isTTY && process.stderr.isTTY && !yes && !this.jsonEnabled()
    const wanted = { target, edited, replaces, asks }
    const given = withFlags(session, flags)
    if (!asks) return this.finish(this.unasked(given, wanted, yes, force), wanted)
    const agreed = await talkOver(given, {
      engine,
      out,
      bundle: usual.bundle,
      replaces,
      check: whyNot,
      plain: flags.plain,
      screen: this.screen('stderr'),
      summary: (outcome) => this.summary(outcome, wanted),
    })
    if (!agreed) throw new Failure('interrupted', 'cancelled: nothing was written')
    // Who chose to replace the file knows what it holds by now.
    const chosen = agreed.out === out && !agreed.replace ? target : targetOf(agreed.out)
    return this.finish(
      { ...agreed, replace: agreed.replace || force },
      { ...wanted, target: chosen, replaces: isTaken(chosen) && replaces },
    )
  }

  private async found(flags: {
    readonly 'from-cluster': boolean
    readonly kubeconfig: string | undefined
    readonly context: string | undefined
    readonly yes: boolean
  }): Promise<readonly Detected[]> {
    if (!flags['from-cluster']) return []
    const { kubeconfig, context, yes } = flags
    const { askCluster, wordsOf } = await import('./init/cluster.ts')
    const detection = await askCluster({
      kubeconfig,
      context,
      yes,
      tell: (line) => this.talk(line),
    })
    for (const line of wordsOf(detection)) this.say(line)
    return detection.detected
  }

  private unasked(
    session: Session,
    { target, replaces }: Wanted,
    yes: boolean,
    force: boolean,
  ): Agreed {
    const done = skipped(session)
    const lacking = unanswered(done.questions, yes)
    if (lacking) throw lacking
    if (replaces) throw alreadyThere(target.out)
    const { out } = target
    return { outcome: engine.outcome(done.session), render: false, out, replace: force }
  }

  private textOf({ base, patch, comments }: Outcome, { target, edited }: Wanted): string {
    if (edited) return amendProfile(edited.text, { before: edited.patch, after: patch }, comments)
    const file = target.file === undefined ? usual.profile : target.out
    const commands = [validating(file), rendering(file, usual.bundle), schema.command]
    return composeProfile({ base, patch, comments, schema: schema.file, commands })
  }

  private async summary(outcome: Outcome, wanted: Wanted): Promise<string> {
    const { plan } = outcome.compiled
    const { renderFiles } = await import('../render/render.ts')
    const files = plan ? await renderFiles(plan, staticFiles(this.config.root)) : []
    const drawn = { text: this.textOf(outcome, wanted), files: files.map(({ path }) => path) }
    return summary(outcome, drawn, this.screen('stderr'))
  }

  private async finish({ outcome, render, replace }: Agreed, wanted: Wanted): Promise<object> {
    const { target, replaces, asks } = wanted
    const { out } = target
    const { findings } = outcome.compiled
    const text = this.textOf(outcome, wanted)
    const { answers, open, base } = outcome
    const told = { base, answers, open, findings: findingsJson(findings), profile: text }
    if (rejects(findings)) {
      this.end('rejected')
      this.complain(prettyFindings({ findings }, this.screen('stderr')).trimEnd())
      this.complain('nothing written')
      return { ...told, written: null }
    }
    if (target.file === undefined) {
      this.data(text)
      return { ...told, written: null }
    }
    if (replaces && !replace) throw alreadyThere(out)
    writeTo(target, text)
    this.say(`wrote ${out}; ${summarize(findings)}`)
    if (!asks && open.length > 0) this.talk(comparisons(open, this.screen('stderr')).trimEnd())
    if (!render) this.talk(`next: ${rendering(out, usual.bundle)}`)
    else await this.render(out)
    return { ...told, written: out }
  }

  private async render(profile: string): Promise<void> {
    const { default: Render } = await import('./render.ts')
    Render.id = 'render'
    const code = await new Render(
      [referenceTo(profile), '--out', usual.bundle],
      this.config,
    ).execute()
    this.end(exitOf(code))
  }
}
