// winnode render: a profile in, a bundle out.
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as Flags from '@oclif/core/flags'
import { diffBundle } from '../io/bundle-diff.ts'
import { planBundle, writeBundle } from '../io/bundle.ts'
import { below } from '../io/shown-path.ts'
import { realWorld } from '../io/bundle/world.ts'
import type { FileChange } from '../io/bundle/changes.ts'
import { type Need, needWords } from '../model/need.ts'
import type { Plan, RenderedFile } from '../model/plan.ts'
import { printable } from '../model/printable.ts'
import { findingsJson, ignoredJson } from '../present/json.ts'
import { paintDiff } from '../present/diff.ts'
import { prettyFindings, type Told } from '../present/pretty.ts'
import { summarize } from '../present/summary.ts'
import { renderFiles } from '../render/render.ts'
import { targetNames } from '../targets/index.ts'
import type { Output } from '../targets/output.ts'
import { BaseCommand } from './base.ts'
import { counts, decidedAndChanged, inTheWay } from './changes.ts'
import { compileProfile, rejects, type CompiledProfile } from './compile-profile.ts'
import { Failure } from './failure.ts'
import { findingsIn } from './formats/findings.ts'
import { formatFlag } from './formats/flag.ts'
import { hindered } from './hindered.ts'
import { finish } from './interruption.ts'
import { profileArgument, profileFlags, strictFlag } from './profile-flags.ts'
import { madeFor } from './render/made-for.ts'
import { checkWanted, printed, type Wanted } from './render/wanted.ts'

export default class Render extends BaseCommand {
  static override summary = 'Write the bundle that turns a Windows Server machine into a node.'
  static override examples = [
    {
      description: 'Write a bundle from a built-in profile',
      command: '<%= config.bin %> render ws2022-flannel-overlay --out ./win-node',
    },
    {
      description: 'Change one field, and see what would be written',
      command:
        '<%= config.bin %> render ws2022-flannel-overlay --set kubernetes.version=1.36 --out ./win-node --dry-run',
    },
    {
      description: 'Compare with what is there',
      command: '<%= config.bin %> render ./node.yaml --out ./win-node --diff',
    },
    {
      description: 'Print one file',
      command: '<%= config.bin %> render ./node.yaml --only files/containerd/config.toml --out -',
    },
    {
      description: 'Write one archive, of a profile that a program prints',
      command: '<%= config.bin %> render - --for zip --out ./node < node.yaml',
    },
  ]
  static override args = { profile: profileArgument }
  static override flags = {
    ...profileFlags,
    strict: strictFlag,
    for: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      delimiter: ',',
      options: [...targetNames],
      summary: 'What the bundle is made for; several, each in a folder of its own.',
    }),
    out: Flags.string({
      char: 'o',
      required: true,
      helpValue: 'DIR',
      summary: 'The folder to write, or - to print one file.',
    }),
    only: Flags.string({
      helpValue: 'FILE',
      summary: 'This file only; goes with --out -.',
    }),
    format: formatFlag(
      'How findings are printed; all but pretty go to stdout, in place of decisions.',
      { exclusive: ['diff', 'only'] },
    ),
    'dry-run': Flags.boolean({ summary: 'Say what would be written, and write nothing.' }),
    diff: Flags.boolean({ summary: 'Show how the folder differs, and write nothing.' }),
    force: Flags.boolean({ char: 'f', summary: 'Overwrite files that somebody edited.' }),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Render)
    const wanted = checkWanted(flags)
    const { root } = this.config
    const compiled = compileProfile(args.profile, flags, {
      root,
      today: this.today(flags['as-of']),
    })
    const findings = findingsJson(compiled.findings)
    const ignored = ignoredJson(compiled.ignored)
    const { strict, format } = flags
    const reported = format !== 'pretty'
    if (reported) {
      const about = { command: 'render', version: this.config.version, profile: args.profile }
      const how = { ...about, screen: this.screen('stdout') }
      this.data(await findingsIn(format, { ...compiled, strict }, how))
    }
    const tell = (told: Told) =>
      prettyFindings({ ...told, strict }, this.screen('stderr')).trimEnd()
    if (!compiled.plan || rejects(compiled.findings, strict)) {
      this.end('rejected')
      const worst = compiled.findings.filter((finding) => rejects([finding], strict))
      if (!reported) this.complain(tell(flags.quiet ? { findings: worst } : compiled))
      this.complain(printable(`${compiled.name}: nothing written`))
      return { findings, ignored }
    }
    if (!reported && compiled.findings.length + ignored.length > 0) this.talk(tell(compiled))
    const { plan } = compiled
    const readStatic = (source: string) => readFile(join(root, 'dist', source))
    const bundle = await renderFiles(plan, readStatic)
    const { facts } = compiled
    const output = await madeFor(wanted.targets, { plan, facts, bundle }, readStatic)
    const result = await this.deliver(compiled, plan, output, { ...wanted, reported })
    const { targets } = wanted
    return { findings, ignored, decisions: plan.decisions, targets, ...result }
  }

  private async deliver(
    compiled: CompiledProfile,
    plan: Plan,
    output: Output,
    // Findings are on stdout where they are reported, in place of decisions and changes.
    wanted: Wanted & { readonly reported: boolean },
  ): Promise<object> {
    if (wanted.out === '-') return this.print(printed(output, wanted))
    const { files } = output
    const target = { out: wanted.out, cwd: process.cwd() }
    const dry = wanted['dry-run'] || wanted.diff
    const request = { ...target, force: wanted.force }
    const { result: outcome, asked } = dry
      ? { result: await planBundle(files, request), asked: undefined }
      : await finish((goOn) => writeBundle(files, request, realWorld(goOn)))
    if (outcome.kind !== 'planned') throw hindered(outcome, wanted.out, asked)
    const { changes, conflicts } = outcome
    if (asked)
      throw new Failure(
        asked,
        conflicts.length > 0
          ? 'interrupted: nothing was changed'
          : `interrupted: ${wanted.out} holds the whole new bundle`,
      )
    if (conflicts.length > 0) this.end('conflict')
    for (const line of inTheWay(wanted.out, conflicts)) this.complain(line)
    for (const path of outcome.leftovers)
      this.talk(printable(`${path} is left alone: it may hold what somebody put there`))
    const need = wanted.diff ? await this.show(files, changes, outcome, plan) : undefined
    if (!wanted.diff && !wanted.reported)
      this.data(decidedAndChanged(plan, changes, this.screen('stdout')))
    const verb = dry ? 'would write' : conflicts.length > 0 ? 'did not write' : 'wrote'
    this.talk(
      printable(`${verb} ${wanted.out}: ${counts(changes)}; ${summarize(compiled.findings)}`),
    )
    const first = changes.some(({ path, change }) => path === 'README.md' && change === 'create')
    if (first && !dry && conflicts.length === 0)
      this.talk(
        printable(`${below(wanted.out, 'README.md')} says what to do with it on the machine`),
      )
    if (!dry && conflicts.length === 0) for (const one of output.next) this.talk(printable(one))
    const { leftovers } = outcome
    const written = !dry && conflicts.length === 0
    return { out: wanted.out, written, changes, leftovers, ...(wanted.diff && { need }) }
  }

  private print({ path, content }: RenderedFile): object {
    this.data(content)
    const base64 = Buffer.from(content).toString('base64')
    return {
      path,
      ...(isUtf8(content) ? { content: Buffer.from(content).toString() } : { base64 }),
    }
  }

  /** Gives what the change needs on a node; null where no bundle is there. */
  private async show(
    files: readonly RenderedFile[],
    changes: readonly FileChange[],
    { folder }: { readonly folder: string },
    plan: Plan,
  ): Promise<Need | null> {
    const { paint, verbose } = this.screen('stdout')
    const whole = { created: verbose }
    for (const { text } of await diffBundle(files, changes, folder, whole))
      this.data(paintDiff(printable(text), paint))
    if (!verbose && changes.some(({ change }) => change === 'create'))
      this.talk('--verbose shows what new files hold')
    if (!changes.some(({ path, change }) => path === 'node.json' && change !== 'create'))
      return null
    const { changeNeed } = await import('./drift/bundle.ts')
    const need = await changeNeed(folder, files, plan)
    if (need !== 'nothing') this.talk(`on a node that is there, this needs ${needWords[need]}`)
    return need
  }
}
