// winnode drift: compares a profile with bundles, nodes or a cluster; read-only.
import * as Flags from '@oclif/core/flags'
import {
  type Accepted,
  type Compared,
  baselineOf,
  withoutBaseline,
  lapsedFor,
  withoutIgnoredDrift,
} from '../drift/accepted.ts'
import { truncatedDrift } from '../drift/truncate.ts'
import { unreadableObjects } from '../drift/unreadable.ts'
import { staticFiles } from '../io/static-files.ts'
import type { Drift } from '../model/drift.ts'
import { errorsIn } from '../model/finding.ts'
import type { Plan, RenderedFile } from '../model/plan.ts'
import { truncateMiddle } from '../text/shortened.ts'
import { driftJson } from '../present/json.ts'
import { driftLines } from '../present/lines.ts'
import { briefDrift, prettyDrift } from '../present/drift.ts'
import { oneLine } from '../present/one-line.ts'
import type { Chunks } from '../present/chunks.ts'
import { renderFiles } from '../render/render.ts'
import { BaseCommand } from './base.ts'
import { type CompiledProfile, compileProfile } from './compile-profile.ts'
import type { Destination } from './destination.ts'
import { comparedWith, unassigned } from './drift/assigned.ts'
import { baselineDestination, readBaseline, writeBaseline } from './drift/baseline.ts'
import { clusterFlags } from './drift/cluster-flags.ts'
import { kubeletAccess } from './drift/configz.ts'
import { allEvidence, type Evidence, evidenceByName } from './drift/evidence.ts'
import { compareNamedCluster, nothingCompared } from './drift/live.ts'
import { allDesired, answersOf, type NodesDrift, nodesDrift } from './drift/nodes.ts'
import { exitOf, withOrigin } from './drift/outcome.ts'
import {
  filesIn,
  headerOf,
  mergedShards,
  newShare,
  type Shard,
  shardLines,
  shardOf,
} from './drift/shard.ts'
import { exitCodesText } from './exit.ts'
import { Failure } from './failure.ts'
import { argument } from './flags.ts'
import { formatFlag, isExportFormat } from './formats/flag.ts'
import { headed } from './formats/headed.ts'
import type { Differences } from './formats/write.ts'
import { renderTargets } from './render/targets.ts'
import { profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { jsonPieces } from './output-text.ts'
import { refuseSame, selectedProfiles } from './selected-profiles.ts'
import { examples } from './examples.ts'

const codes = exitCodesText(['done', 'drift', 'not-working', 'rejected', 'incomplete'])

interface DriftReport extends Differences {
  readonly explain: boolean
}

export default class DriftCommand extends BaseCommand {
  static override summary = 'Detect drift between a profile and bundles, nodes or a cluster.'
  static override examples = examples({
    'Check a bundle for manual changes and outdated files': 'drift ./node.yaml ./win-node',
    'Check nodes, from the output of Test-WinNode.ps1 -AsJson': 'drift ./node.yaml ./snapshots',
    'Check a cluster (read-only)': 'drift ./node.yaml --kubeconfig ~/.kube/config --context prod',
    'Print one difference per line': 'drift ./node.yaml ./win-node --format lines',
  })
  static override description = `Exit codes: ${codes}.`
  // The evidence can be repeated.
  static override strict = false
  static override args = {
    profile: profilesArgument,
    evidence: argument({
      description:
        'Bundles, or files and folders with snapshots (Test-WinNode.ps1 -AsJson) or node reports (Export-WinNodeReport.ps1); - is stdin.',
    }),
  }
  static override flags = {
    ...profileFlags,
    profile: profilesFlag,
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
    shard: Flags.string({
      helpValue: 'I/N',
      exclusive: ['format', 'kubeconfig', 'context', 'baseline', 'write-baseline', 'merge'],
      summary: 'Compare every Nth file only, and print the results for --merge.',
    }),
    merge: Flags.boolean({ summary: 'The evidence is the output of all runs with --shard.' }),
    explain: Flags.boolean({
      summary: 'Explain each difference: purpose, profile field, origin of the change.',
    }),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(DriftCommand)
    const { root, version } = this.config
    const today = this.today(flags['as-of'])
    const words = argv.map(String)
    const names = flags.profile ? words : words.slice(1)
    const named = flags.profile ?? words.slice(0, 1)
    const { profiles, several } = await selectedProfiles(this, named)
    const live = flags.kubeconfig !== undefined || flags.context !== undefined
    if (several) refuseForSeveral(flags, live)
    if (names.length === 0 && !live)
      throw new Failure('usage', 'missing argument: a bundle, snapshots, or --kubeconfig', [
        'see: winnode drift --help',
      ])
    const share =
      flags.shard === undefined
        ? undefined
        : shardOf(flags.shard, process.env['JOB_COMPLETION_INDEX'])
    const typed = several || flags.merge ? [] : allEvidence(names)
    const configz = kubeletAccess(flags, live)
    const target = baselineDestination(flags['write-baseline'], flags.force)
    const subjects = await Promise.all(
      profiles.map(async (profile) => {
        const compiled = compileProfile(profile, flags, { root, today })
        const files = compiled.plan ? await renderFiles(compiled.plan, staticFiles(root)) : []
        return { profile, compiled, files }
      }),
    )
    refuseSame(
      subjects.map(({ profile, compiled: { name } }) => ({ profile, value: name })),
      {
        effect: (name) => `have the name ${name}`,
        hint: 'set another name in one of them; bundles and nodes belong to the profile of their name',
      },
    )
    const plans = plansOf(subjects)
    const known = plans.map(({ plan }) => plan.name)
    const evidence = several && !flags.merge ? evidenceByName(names, known) : typed
    const header = headerOf(version, names, plans)
    if (share) return this.printShard({ ...share, header }, evidence, subjects)
    const merged = flags.merge && plans.length > 0 ? await mergedShards(names, header) : undefined
    const nodes = merged
      ? await nodesDrift(merged, known)
      : await this.compareNodes(evidence, plans)
    const lost = several ? unassigned(evidence, known) : []
    const reports: DriftReport[] = []
    const result = await this.forEach(subjects, several, async ({ profile, compiled, files }) => {
      const { plan, facts } = compiled
      if (!plan) return this.rejectProfile(compiled)
      const outputOf = (targets: readonly string[]) => renderTargets(compiled, targets, root)
      const subject = { profile, plan, files, outputOf }
      const read = await comparedWith(subject, evidence, nodes, several)
      const { ignore } = facts.spec
      const reportOf = (found: Accepted, seen: readonly string[]): DriftReport => ({
        command: 'drift',
        version,
        profile,
        bundles: evidence.flatMap((one) => (one.kind === 'bundle' ? [one.folder] : [])),
        explain: flags.explain,
        drifts: found.drifts.map((drift) => truncatedDrift(withOrigin(drift, compiled))),
        nodes: [...new Set([...read.nodes, ...seen])],
        ignored: found.ignored.map((one) => ({ ...one, drift: truncatedDrift(one.drift) })),
      })
      const seen = live
        ? await compareNamedCluster(flags, { facts, plan, files }, configz, (line) =>
            this.printStatusLine(line),
          ).catch(async (thrown: unknown) => {
            // A CI server shows the document, and perhaps not stderr.
            if (thrown instanceof Failure && isExportFormat(flags.format)) {
              const all = [...read.drifts, unreadCluster(thrown)]
              const kept = withoutIgnoredDrift(all, ignore, today)
              const report = reportOf(acceptedBy(kept, flags.baseline), [])
              this.print(await this.written(flags, [report], false))
            }
            throw thrown
          })
        : nothingCompared
      const all = [...read.drifts, ...seen.drifts, ...(plan.name === known.at(-1) ? lost : [])]
      const kept = withoutIgnoredDrift(all, ignore, today)
      for (const [name, until] of lapsedFor(kept.drifts, ignore, today))
        this.printStatus(`ignoring ${truncateMiddle(name)} expired on ${until}`)
      const report = reportOf(this.accept(kept, flags.baseline, target), seen.nodes)
      reports.push(report)
      this.setExit(exitOf(report.drifts))
      return driftJson(report)
    })
    if (!this.jsonEnabled() && reports.length > 0)
      this.print(await this.written(flags, reports, several))
    return result
  }

  private async written(
    { format, quiet }: { readonly format: string; readonly quiet: boolean },
    reports: readonly DriftReport[],
    several: boolean,
  ): Promise<Chunks> {
    const [first] = reports
    if (format === 'html' && first)
      return (await import('../present/html/drift.ts')).htmlDrift(first)
    if (isExportFormat(format))
      return (await import('./formats/write.ts')).writeDrifts(format, reports)
    if (format === 'lines')
      return reports.map(({ drifts, nodes }) => driftLines(drifts, nodes)).join('')
    if (format === 'json' && first)
      return jsonPieces(
        several
          ? { profiles: reports.map((one) => ({ profile: one.profile, ...driftJson(one) })) }
          : driftJson(first),
      )
    const screen = this.screen('stdout')
    const shown = quiet ? reports.filter((report) => briefDrift(report, screen) !== '') : reports
    const textOf = quiet ? briefDrift : prettyDrift
    return headed(shown, (report) => textOf(report, screen), { screen, several })
  }

  private async compareNodes(
    evidence: readonly Evidence[],
    plans: readonly { readonly plan: Plan; readonly files: readonly RenderedFile[] }[],
  ): Promise<ReadonlyMap<string, NodesDrift>> {
    const ofNodes = evidence.filter((one) => one.kind !== 'bundle')
    if (ofNodes.length === 0 || plans.length === 0) return new Map()
    const desired = await allDesired(plans)
    const terminal = this.progressStream()
    return nodesDrift(
      answersOf(ofNodes, desired, { terminal }),
      desired.map(({ name }) => name),
    )
  }

  /** What it finds is no result of this run: only a rejected profile is. */
  private async printShard(
    shard: Shard,
    evidence: readonly Evidence[],
    subjects: readonly Subject[],
  ): Promise<object> {
    const files = filesIn(evidence)
    const rejected = subjects.filter(({ compiled }) => !compiled.plan)
    for (const { compiled } of rejected) this.rejectProfile(compiled)
    if (rejected.length > 0) return {}
    const share = newShare(shard)
    const desired = await allDesired(plansOf(subjects))
    const answers = answersOf(files, desired, { take: share.take, terminal: this.progressStream() })
    for await (const line of shardLines(shard, answers, share)) this.print(line)
    return { shard: `${shard.part}/${shard.of}`, ...share.end() }
  }

  /** Removes the differences that a baseline accepts, or writes a baseline of them. */
  private accept(kept: Accepted, baseline?: string, target?: Destination): Accepted {
    if (target) {
      const { drifts, ignored } = kept
      const count = writeBaseline(target, drifts)
      this.printStatus(`wrote ${target.out}: ${count} accepted`)
      const written = withoutBaseline(drifts, baselineOf(drifts))
      return { drifts: written.drifts, ignored: [...ignored, ...written.ignored] }
    }
    const compared = acceptedBy(kept, baseline)
    for (const { id, subject } of compared.gone)
      this.printStatus(`${baseline}: ${truncateMiddle(subject)} (${id}) no longer differs`)
    return compared
  }

  /** A rejected profile has no plan to compare with. */
  private rejectProfile({ findings, name }: CompiledProfile): object {
    this.reject({ findings: errorsIn(findings) })
    this.printError(oneLine(`${name}: nothing compared`))
    return driftJson({ drifts: [], nodes: [], ignored: [] })
  }
}

function unreadCluster({ message, hints }: Failure): Drift {
  return unreadableObjects('cluster', message, hints.join('; ') || undefined)
}

function acceptedBy({ drifts, ignored }: Accepted, baseline: string | undefined): Compared {
  const compared = withoutBaseline(drifts, baseline === undefined ? [] : readBaseline(baseline))
  return { ...compared, ignored: [...ignored, ...compared.ignored] }
}

interface Subject {
  readonly profile: string
  readonly compiled: CompiledProfile
  readonly files: readonly RenderedFile[]
}

function plansOf(subjects: readonly Subject[]) {
  return subjects.flatMap(({ compiled: { plan }, files }) => (plan ? { plan, files } : []))
}

/** What belongs to one profile. */
function refuseForSeveral(
  flags: Readonly<Partial<Record<'baseline' | 'write-baseline' | 'format', string | undefined>>>,
  live: boolean,
): void {
  const refuse = (problem: string, help = 'run winnode drift for each profile') => {
    throw new Failure('usage', problem, [help])
  }
  if (live)
    refuse(
      '--kubeconfig and --context take one profile: a node in a cluster does not name its bundle',
      'run winnode drift for each profile, with --selector for the nodes of its pool',
    )
  if (flags.baseline !== undefined) refuse('--baseline takes one profile')
  if (flags['write-baseline'] !== undefined) refuse('--write-baseline takes one profile')
  if (flags.format === 'html') refuse('--format html takes one profile')
}
