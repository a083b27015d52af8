// winnode drift: says whether what is there still is what the profile describes, and changes nothing.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as Flags from '@oclif/core/flags'
import type { Drift } from '../model/drift.ts'
import type { Facts } from '../model/facts.ts'
import type { Plan, RenderedFile } from '../model/plan.ts'
import { printable } from '../model/printable.ts'
import { driftJson } from '../present/drift-json.ts'
import { driftLines } from '../present/drift-lines.ts'
import { prettyDrift } from '../present/drift.ts'
import { prettyFindings } from '../present/pretty.ts'
import type { Screen } from '../present/screen.ts'
import { renderFiles } from '../render/render.ts'
import { BaseCommand } from './base.ts'
import { type CompiledProfile, compileProfile, rejects } from './compile-profile.ts'
import { bundleDrift } from './drift/bundle.ts'
import { type Evidence, evidenceOf } from './drift/evidence.ts'
import { desiredOf, type FleetFound, nodesDrift } from './drift/nodes.ts'
import type { Exit } from './exit.ts'
import { Failure } from './failure.ts'
import { argument } from './flags.ts'
import { originOf } from './origin.ts'
import { profileArgument, profileFlags } from './profile-flags.ts'
import { jsonText } from './report.ts'

interface Told {
  readonly drifts: readonly Drift[]
  /** Names of those that could be read. */
  readonly nodes: readonly string[]
  readonly explain: boolean
}

const formats: Readonly<Record<string, (told: Told, screen: Screen) => string>> = {
  pretty: prettyDrift,
  lines: ({ drifts, nodes }) => driftLines(drifts, nodes),
  json: ({ drifts, nodes }) => jsonText(driftJson(drifts, nodes)),
}

export default class DriftCommand extends BaseCommand {
  static override summary = 'Say whether what is there still is what the profile describes.'
  static override examples = [
    {
      description: 'Was a bundle edited, and is it that of today’s profile?',
      command: '<%= config.bin %> drift ./node.yaml ./win-node',
    },
    {
      description: 'What Test-WinNode.ps1 -AsJson said on each node',
      command: '<%= config.bin %> drift ./node.yaml ./snapshots',
    },
    {
      description: 'The cluster of a kubeconfig, which is only read',
      command: '<%= config.bin %> drift ./node.yaml --kubeconfig ~/.kube/config --context prod',
    },
    {
      description: 'One difference a line, for a pipeline',
      command: '<%= config.bin %> drift ./node.yaml ./win-node --format lines',
    },
  ]
  // More evidence than one may be named.
  static override strict = false
  static override args = {
    profile: profileArgument,
    evidence: argument({
      description:
        'A folder that render wrote; a file or folder of snapshots and reports, or - for stdin; any number.',
    }),
  }
  static override flags = {
    ...profileFlags,
    format: Flags.string({
      options: Object.keys(formats),
      default: 'pretty',
      summary: 'How differences are printed.',
    }),
    kubeconfig: Flags.string({
      helpValue: 'FILE',
      summary: 'Compare the cluster of this kubeconfig too; it is only read.',
      helpGroup: 'CLUSTER',
    }),
    context: Flags.string({
      helpValue: 'NAME',
      summary: 'The same, with this context of KUBECONFIG or --kubeconfig.',
      helpGroup: 'CLUSTER',
    }),
    selector: Flags.string({
      char: 'l',
      helpValue: 'LABELS',
      summary: 'Of the cluster, the Windows nodes with these labels only, as kubectl takes them.',
      helpGroup: 'CLUSTER',
    }),
    yes: Flags.boolean({
      char: 'y',
      summary: 'Let the program run that a kubeconfig names for credentials.',
      helpGroup: 'CLUSTER',
    }),
    explain: Flags.boolean({
      summary:
        'Say what each field is for, which field of the profile decides it, and whose change it is.',
    }),
  }

  async run(): Promise<object> {
    const { args, argv, flags } = await this.parse(DriftCommand)
    const { root } = this.config
    const today = this.today(flags['as-of'])
    const evidence = argv.slice(1).map((name) => evidenceOf(String(name)))
    const live = flags.kubeconfig !== undefined || flags.context !== undefined
    if (evidence.length === 0 && !live)
      throw new Failure('usage', 'nothing is named to compare the profile with', [
        'name a bundle, snapshots of nodes, or --kubeconfig; see: winnode drift --help',
      ])
    const compiled = compileProfile(args.profile, flags, { root, today })
    const { plan } = compiled
    if (!plan) return this.reject(compiled)
    const files = await renderFiles(plan, (source) => readFile(join(root, 'dist', source)))
    const named = await this.compare(evidence, plan, files)
    const seen = live ? await liveCluster(flags, compiled.facts, files) : nothing
    const found = [...named.drifts, ...seen.drifts]
    const nodes = [...new Set([...named.nodes, ...seen.nodes])]
    const drifts = found.map((drift) => withOrigin(drift, compiled))
    this.data(
      formats[flags.format]?.({ drifts, nodes, explain: flags.explain }, this.screen('stdout')) ??
        '',
    )
    this.end(exitOf(drifts))
    return driftJson(drifts, nodes)
  }

  private async compare(
    evidence: readonly Evidence[],
    plan: Plan,
    files: readonly RenderedFile[],
  ): Promise<FleetFound> {
    const drifts: Drift[] = []
    const ofNodes = evidence.filter((one) => one.kind !== 'bundle')
    for (const one of evidence)
      if (one.kind === 'bundle') drifts.push(...(await bundleDrift(one, files, plan)))
    if (ofNodes.length === 0) return { drifts, nodes: [] }
    const fleet = await nodesDrift(ofNodes, await desiredOf(plan, files))
    return { drifts: [...drifts, ...fleet.drifts], nodes: fleet.nodes }
  }

  /** What nobody may render, nothing can be compared with. */
  private reject({ findings, name }: CompiledProfile): object {
    this.end('rejected')
    const worst = findings.filter((finding) => rejects([finding]))
    this.complain(prettyFindings({ findings: worst }, this.screen('stderr')).trimEnd())
    this.complain(printable(`${name}: nothing compared`))
    return driftJson([], [])
  }
}

const nothing: FleetFound = { drifts: [], nodes: [] }

interface Live {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly selector: string | undefined
  readonly yes: boolean
}

async function liveCluster(
  { selector, ...asked }: Live,
  facts: Facts,
  files: readonly RenderedFile[],
): Promise<FleetFound> {
  const [{ onCluster }, { clusterFound }] = await Promise.all([
    import('./cluster.ts'),
    import('./drift/cluster.ts'),
  ])
  return onCluster(asked, (client) => clusterFound(client, { facts, files, selector }))
}

function withOrigin(drift: Drift, compiled: CompiledProfile): Drift {
  const { field } = drift
  return field ? { ...drift, fieldFrom: originOf(compiled, field) } : drift
}

/** Where something could not be read, nobody knows what else differs. */
function exitOf(drifts: readonly Drift[]): Exit {
  const weights = new Set(drifts.map(({ weight }) => weight))
  if (weights.has('incomplete')) return 'incomplete'
  return weights.has('drift') ? 'drift' : 'done'
}
