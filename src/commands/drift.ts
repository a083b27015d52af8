// winnode drift: compares a profile with bundles, nodes or a cluster; read-only.
import * as Flags from '@oclif/core/flags'
import { staticFiles } from '../io/static-files.ts'
import {
  type Accepted,
  baselineOf,
  withoutBaseline,
  lapsedFor,
  withoutIgnoredDrift,
} from '../drift/accepted.ts'
import { inPart } from '../drift/in-part.ts'
import type { Drift } from '../model/drift.ts'
import type { Plan, RenderedFile } from '../model/plan.ts'
import { shortened } from '../text/shortened.ts'
import { driftJson } from '../present/drift-json.ts'
import { driftLines } from '../present/drift-lines.ts'
import { prettyDrift } from '../present/drift.ts'
import { oneLine } from '../present/one-line.ts'
import { prettyFindings } from '../present/pretty.ts'
import type { Pieces } from '../present/pieces.ts'
import type { Screen } from '../present/screen.ts'
import { renderFiles } from '../render/render.ts'
import { BaseCommand } from './base.ts'
import { rejects } from './check-profile.ts'
import { type CompiledProfile, compileProfile } from './compile-profile.ts'
import type { Destination } from './destination.ts'
import { baselineDestination, readBaseline, writeBaseline } from './drift/baseline.ts'
import { bundleDrift } from './drift/bundle.ts'
import { clusterFlags } from './drift/cluster-flags.ts'
import { kubeletAccess } from './drift/configz.ts'
import { allEvidence, type Evidence } from './drift/evidence.ts'
import { compareNamedCluster, nothingCompared } from './drift/live.ts'
import { desiredOf, type NodesDrift, nodesDrift } from './drift/nodes.ts'
import { exitOf, withOrigin } from './drift/outcome.ts'
import { Failure } from './failure.ts'
import { argument } from './flags.ts'
import { formatFlag, isExportFormat } from './formats/flag.ts'
import { profileArgument, profileFlags } from './profile-flags.ts'
import { jsonPieces } from './report.ts'

interface DriftReport {
  readonly drifts: readonly Drift[]
  /** Names of the nodes that could be read. */
  readonly nodes: readonly string[]
  readonly ignored: Accepted['ignored']
  readonly explain: boolean
}

const formats: Readonly<Record<string, (report: DriftReport, screen: Screen) => Pieces>> = {
  pretty: prettyDrift,
  lines: ({ drifts, nodes }) => driftLines(drifts, nodes),
  json: ({ drifts, nodes, ignored }) => jsonPieces(driftJson({ drifts, nodes, ignored })),
}

export default class DriftCommand extends BaseCommand {
  static override summary = 'Detect drift between a profile and bundles, nodes or a cluster.'
  static override examples = [
    {
      description: 'Check a bundle for manual changes and outdated files',
      command: '<%= config.bin %> drift ./node.yaml ./win-node',
    },
    {
      description: 'Check nodes, from the output of Test-WinNode.ps1 -AsJson',
      command: '<%= config.bin %> drift ./node.yaml ./snapshots',
    },
    {
      description: 'Check a cluster (read-only)',
      command: '<%= config.bin %> drift ./node.yaml --kubeconfig ~/.kube/config --context prod',
    },
    {
      description: 'Print one difference per line',
      command: '<%= config.bin %> drift ./node.yaml ./win-node --format lines',
    },
  ]
  // The evidence can be repeated.
  static override strict = false
  static override args = {
    profile: profileArgument,
    evidence: argument({
      description: 'Bundles, files or folders with snapshots or reports, or - for stdin.',
    }),
  }
  static override flags = {
    ...profileFlags,
    format: formatFlag('Output format; html is one page for browsers.', {
      also: ['html'],
    }),
    ...clusterFlags,
    baseline: Flags.string({
      helpValue: 'FILE',
      exclusive: ['write-baseline'],
      summary: 'Ignore differences listed in this baseline.',
    }),
    'write-baseline': Flags.string({
      helpValue: 'FILE',
      summary: 'Write current differences to this baseline.',
    }),
    force: Flags.boolean({
      char: 'f',
      dependsOn: ['write-baseline'],
      summary: 'Overwrite a file that is not a baseline.',
    }),
    explain: Flags.boolean({
      summary: 'Explain each difference: purpose, profile field, who changed it.',
    }),
  }

  async run(): Promise<object> {
    const { args, argv, flags } = await this.parse(DriftCommand)
    const { root } = this.config
    const today = this.today(flags['as-of'])
    const evidence = allEvidence(argv.slice(1))
    const live = flags.kubeconfig !== undefined || flags.context !== undefined
    if (evidence.length === 0 && !live)
      throw new Failure('usage', 'nothing is named to compare the profile with', [
        'name a bundle, snapshots of nodes, or --kubeconfig; see: winnode drift --help',
      ])
    const configz = kubeletAccess(flags, live)
    const target = baselineDestination(flags['write-baseline'], flags.force)
    const compiled = compileProfile(args.profile, flags, { root, today })
    const { plan } = compiled
    if (!plan) return this.reject(compiled)
    const files = await renderFiles(plan, staticFiles(root))
    const named = await this.compare(evidence, plan, files)
    const seen = live
      ? await compareNamedCluster(flags, { facts: compiled.facts, plan, files }, configz, (line) =>
          this.printStatusLine(line),
        )
      : nothingCompared
    const nodes = [...new Set([...named.nodes, ...seen.nodes])]
    const all = [...named.drifts, ...seen.drifts]
    const { ignore } = compiled.facts.spec
    const kept = withoutIgnoredDrift(all, ignore, today)
    for (const [name, until] of lapsedFor(kept.drifts, ignore, today))
      this.printStatus(`${shortened(name)} was to be ignored until ${until}`)
    const found = this.accept(kept, flags.baseline, target)
    const drifts = found.drifts.map((drift) => inPart(withOrigin(drift, compiled)))
    const ignored = found.ignored.map((one) => ({ ...one, drift: inPart(one.drift) }))
    const report = { drifts, nodes, ignored, explain: flags.explain }
    if (!this.jsonEnabled()) this.print(await this.written(flags.format, report, argv.map(String)))
    this.setExit(exitOf(drifts))
    return driftJson({ drifts, nodes, ignored })
  }

  private async written(
    format: string,
    report: DriftReport,
    [profile = '', ...evidence]: string[],
  ): Promise<Pieces> {
    const about = { command: 'drift', version: this.config.version, profile }
    if (format === 'html') {
      const { htmlDrift } = await import('../present/html/drift.ts')
      return htmlDrift({ ...report, ...about })
    }
    if (!isExportFormat(format)) return formats[format]?.(report, this.screen('stdout')) ?? ''
    const { writeDrifts } = await import('./formats/write.ts')
    return writeDrifts(format, { ...report, evidence }, about)
  }

  private async compare(
    evidence: readonly Evidence[],
    plan: Plan,
    files: readonly RenderedFile[],
  ): Promise<NodesDrift> {
    const drifts: Drift[] = []
    const ofNodes = evidence.filter((one) => one.kind !== 'bundle')
    for (const one of evidence)
      if (one.kind === 'bundle') drifts.push(...(await bundleDrift(one, files, plan)))
    if (ofNodes.length === 0) return { drifts, nodes: [] }
    const fleet = await nodesDrift(ofNodes, await desiredOf(plan, files), this.progressStream())
    return { drifts: [...drifts, ...fleet.drifts], nodes: fleet.nodes }
  }

  /** Removes the differences that a baseline accepts, or writes a baseline of them. */
  private accept({ drifts, ignored }: Accepted, baseline?: string, target?: Destination): Accepted {
    if (target) {
      const count = writeBaseline(target, drifts)
      this.printStatus(`wrote ${target.out}: ${count} accepted`)
      const written = withoutBaseline(drifts, baselineOf(drifts))
      return { drifts: written.drifts, ignored: [...ignored, ...written.ignored] }
    }
    if (baseline === undefined) return { drifts, ignored }
    const compared = withoutBaseline(drifts, readBaseline(baseline))
    for (const { id, subject } of compared.gone)
      this.printStatus(`${baseline}: ${shortened(subject)} (${id}) is no longer there`)
    return { drifts: compared.drifts, ignored: [...ignored, ...compared.ignored] }
  }

  /** A rejected profile has no plan to compare with. */
  private reject({ findings, name }: CompiledProfile): object {
    this.setExit('rejected')
    const worst = findings.filter((finding) => rejects([finding]))
    this.printError(prettyFindings({ findings: worst }, this.screen('stderr')).trimEnd())
    this.printError(oneLine(`${name}: nothing compared`))
    return driftJson({ drifts: [], nodes: [], ignored: [] })
  }
}
