// winnode upgrade: plans the steps of profiles to another Kubernetes version, and writes the first of them.
import { relative } from 'node:path'
import * as Flags from '@oclif/core/flags'
import { compile, type Compiled } from '../compile.ts'
import { concealed } from '../io/finding-places.ts'
import { staticFiles } from '../io/static-files.ts'
import { kubernetesMinors, kubernetesOf } from '../matrix/kubernetes.ts'
import { newestKubernetes } from '../matrix/newest.ts'
import { isOfLaterMinor } from '../matrix/standing.ts'
import { isPartial, parseVersion } from '../matrix/version.ts'
import { hasErrors } from '../model/finding.ts'
import { findingsJson } from '../present/json.ts'
import { findingBlock } from '../present/pretty.ts'
import { upgradeStep } from '../present/upgrade.ts'
import { planUpgrade, type Refusal } from '../upgrade/plan-upgrade.ts'
import {
  layerOfRunning,
  type Running,
  type RunningCluster,
  runningLines,
  runningWith,
} from '../upgrade/running.ts'
import { BaseCommand } from './base.ts'
import { problemsOfFile, rejects, runCheck } from './check-profile.ts'
import { checkWrite, isProfileFile, readEditedProfile, writeEdited } from './edited-profile.ts'
import { examples } from './examples.ts'
import { Failure } from './failure.ts'
import { upgradeCommand } from './next-commands.ts'
import { type ProfileFlags, profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { selectedProfiles, skippedLines } from './selected-profiles.ts'
import { clusterFlags } from './upgrade/cluster-flags.ts'
import type { RunningFlags } from './upgrade/read-running.ts'
import { stepsOf, type UpgradeStep } from './upgrade/steps.ts'
import { todoOf } from './upgrade/todo.ts'

export default class Upgrade extends BaseCommand {
  static override summary = 'Plan an upgrade to another Kubernetes version.'
  static override examples = examples({
    'Plan the steps to a minor': 'upgrade ./node.yaml --to 1.37',
    'Plan the steps to the newest version, with all diffs':
      'upgrade ./node.yaml --latest --verbose',
    'Write the first step to the profile': 'upgrade ./node.yaml --to 1.37 --write',
    'Plan from the versions that a cluster runs':
      'upgrade ./node.yaml --to 1.37 --kubeconfig ~/.kube/config --context prod',
    'Write the first step to each profile of a folder': 'upgrade ./nodes --to 1.37 --write',
  })
  // The profile can be repeated.
  static override strict = false
  static override args = { profile: profilesArgument }
  static override flags = {
    ...profileFlags,
    profile: profilesFlag,
    to: Flags.string({ helpValue: 'VERSION', summary: 'Target version, such as 1.37 or 1.37.1.' }),
    latest: Flags.boolean({ exclusive: ['to'], summary: 'Target the newest supported version.' }),
    'accept-untested': Flags.boolean({
      summary: 'Accept untested combinations.',
    }),
    write: Flags.boolean({ summary: 'Write the first step to the profile.' }),
    ...clusterFlags,
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Upgrade)
    const target = targetOf(flags)
    const named = [...argv.map(String), ...(flags.profile ?? [])]
    const selection = await selectedProfiles(named, 'upgrade', this.config.root)
    for (const line of skippedLines(selection)) this.printStatus(line)
    const { profiles, several } = selection
    const live = flags.kubeconfig !== undefined || flags.context !== undefined
    if (!live && (flags.selector !== undefined || flags.yes))
      throw new Failure('usage', '--selector and --yes need --kubeconfig or --context')
    const cluster = live ? await this.cluster(flags) : undefined
    const subjects = profiles.map((profile) => ({ profile }))
    return this.forEach(subjects, several, ({ profile }) =>
      this.upgrade(profile, target, { ...flags, several, cluster }),
    )
  }

  private async cluster(flags: RunningFlags): Promise<RunningCluster> {
    const { runningVersions } = await import('./upgrade/read-running.ts')
    return runningVersions(flags, (line) => this.printStatusLine(line))
  }

  private async upgrade(
    typed: string,
    target: string,
    flags: ProfileFlags & UpgradeFlags,
  ): Promise<object> {
    const { root } = this.config
    const of = flags.several ? `${typed}: ` : ''
    const isFile = isProfileFile(typed)
    if (flags.write) checkWrite(flags, typed)
    const edited = isFile
      ? readEditedProfile(typed, { root, within: flags.root }).edited
      : undefined
    const request = { target, acceptUntested: flags['accept-untested'] }
    const planned = runCheck(
      (layers, ...rest) => {
        const { cluster } = flags
        if (!cluster) {
          const plan = planUpgrade([layers, ...rest], request)
          return { ...plan.before, plan, running: undefined }
        }
        const own = compile(layers, ...rest)
        const running = runningOf(cluster, own.facts.spec.kubelet.labels, flags.several)
        for (const line of runningLines(running, own.facts.spec.kubernetes))
          this.printStatus(`${of}${line}`)
        const plan = planUpgrade([[...layers, layerOfRunning(running)], ...rest], request)
        return { ...plan.before, plan, running }
      },
      typed,
      flags,
      { root, today: this.today(flags['as-of']) },
    )
    const unread = problemsOfFile(planned.findings, planned.plan.before.findings)
    if (unread.length > 0) {
      this.setExit('rejected')
      this.printFindings({ findings: unread })
      return { findings: findingsJson(unread) }
    }
    const { plan, running } = planned
    const from = plan.before.facts.spec.kubernetes.version
    // A version that cannot be read is replaced by the default, which may be newer.
    const misread = planned.findings.filter(
      (one) => rejects([one]) && one.path.join('.') === 'kubernetes.version',
    )
    if (isOfLaterMinor(from, target) && misread.length > 0) {
      this.setExit('rejected')
      this.printFindings({ findings: misread })
      return { findings: findingsJson(misread) }
    }
    if (isOfLaterMinor(from, target))
      throw new Failure(
        'usage',
        `${running ? 'a node' : 'the profile'} has Kubernetes ${from}, which is newer than ${target}`,
        ['to go back: docs/upgrade-a-fleet.md, section "Roll back"'],
      )
    const shared = running ? undefined : sharedFile(plan.before, edited?.file)
    if (shared !== undefined)
      this.printStatus(
        `${of}${shared} sets kubernetes.version; for every profile that extends it: ${upgradeCommand(shared, flags.to ?? target)}`,
      )
    const steps = await stepsOf(plan, edited && { ...edited, name: typed }, staticFiles(root))
    const folder = flags.several ? `./out/${plan.before.facts.spec.name}` : './win-node'
    const todo = (step: UpgradeStep) =>
      todoOf(step, {
        profile: typed,
        target: flags.to ?? target,
        isFile: isFile && !running,
        folder,
      })
    for (const [at, step] of steps.entries()) {
      const title = `${of}STEP ${at + 1} of ${steps.length}: nodes to ${step.to}`
      const text = upgradeStep({ ...step, title, todo: todo(step) }, this.screen('stdout'))
      this.print(at === 0 && !flags.several ? text : `\n${text}`)
    }
    if (steps.length === 0 && !plan.refused) {
      this.printStatus(`${running ? 'every node' : typed} has Kubernetes ${from}: nothing to do`)
      const errors = planned.findings.filter((one) => rejects([one]) && !one.asks)
      if (errors.length > 0) {
        this.setExit('rejected')
        this.printFindings({ findings: errors })
      }
    }
    const refused = plan.refused && this.tellRefusal(plan.refused, of)
    const [first] = steps
    let written = false
    if (flags.write && edited && first?.profile) {
      writeEdited(typed, edited, first.profile.text)
      this.printStatus(`wrote ${typed}`)
      written = true
    }
    return {
      from,
      to: target,
      ...(running && { running: runningJson(running) }),
      steps: steps.map(stepJson),
      refused: refused ?? null,
      written,
    }
  }

  private tellRefusal({ to, findings: unsafe }: Refusal, of: string): object {
    this.setExit('rejected')
    const findings = concealed(unsafe)
    const screen = this.screen('stderr')
    this.printError(`${of}no step to ${to}:`)
    for (const finding of findings) this.printError(findingBlock(finding, screen))
    if (!hasErrors(findings)) this.printError('--accept-untested accepts this combination')
    this.nameExplain(findings)
    return { to, findings: findingsJson(findings) }
  }
}

/** The file that sets the version, if the profile has it from a file that it extends. */
function sharedFile({ origin }: Compiled, own: string | undefined): string | undefined {
  const layer = origin(['kubernetes', 'version'])
  if (!layer?.file || layer.file.path === own) return undefined
  return relative(process.cwd(), layer.file.path)
}

/** Of several profiles, each has the nodes with its labels; of one, all that --selector leaves. */
function runningOf(
  cluster: RunningCluster,
  labels: Readonly<Record<string, string>>,
  several: boolean,
): Running {
  const own = several ? labels : {}
  const words = Object.entries(own).map(([key, value]) => `${key}=${value}`)
  if (several && words.length === 0)
    throw new Failure(
      'usage',
      'the profile sets no kubelet.labels, which distinguish its nodes from others',
      ['set kubelet.labels, or run winnode upgrade for this profile alone, with --selector'],
    )
  const running = runningWith(cluster, own)
  if (!running)
    throw new Failure('usage', `the cluster has no Windows nodes with ${words.join(',')}`)
  return running
}

function runningJson({ apiServer, nodes, kubeProxies }: Running): object {
  return {
    apiServer,
    nodes: Object.fromEntries(nodes),
    kubeProxies: Object.fromEntries(kubeProxies),
  }
}

interface UpgradeFlags {
  /** What runs in the cluster, if the command line names one. */
  readonly cluster: RunningCluster | undefined
  readonly to?: string | undefined
  readonly write: boolean
  readonly 'accept-untested': boolean
  readonly 'as-of'?: string | undefined
  /** Whether the command line names several profiles. */
  readonly several: boolean
}

/** MAJOR.MINOR.PATCH */
function targetOf(flags: {
  readonly to?: string | undefined
  readonly latest: boolean
  readonly 'allow-newer': boolean
}): string {
  if (flags.latest) return newestKubernetes().newestPatch
  const { to } = flags
  if (to === undefined) throw new Failure('usage', '--to VERSION or --latest is missing')
  const known = `${kubernetesMinors[0].minor} to ${kubernetesMinors.at(-1)?.minor}`
  const version = parseVersion(to)
  if (!version)
    throw new Failure('usage', `--to ${to} is not a version`, [
      'write it as 1.37 or 1.37.1; --latest is the newest supported version',
    ])
  const { row, exact } = kubernetesOf(version.text)
  if (!exact && !flags['allow-newer'])
    throw new Failure('usage', `--to ${to}: winnode knows Kubernetes ${known}`)
  return exact && isPartial(to) ? row.newestPatch : version.text
}

function stepJson({ to, controlPlane, change, versions, profile, bundle, added }: UpgradeStep) {
  return {
    to,
    controlPlane,
    change,
    versions,
    profileDiff: profile?.diff ?? null,
    bundle: bundle ? { changes: bundle.changes, need: bundle.need } : null,
    added: findingsJson(concealed(added)),
  }
}
