// winnode upgrade: plans the steps of profiles to another Kubernetes version, and writes the first of them.
import * as Flags from '@oclif/core/flags'
import type { CheckInput } from '../check.ts'
import { compile } from '../compile.ts'
import { concealed } from '../io/finding-places.ts'
import { loadProfile } from '../io/profiles.ts'
import { staticFiles } from '../io/static-files.ts'
import { kubernetesOf, minorsWith } from '../matrix/kubernetes.ts'
import { newestKubernetes } from '../matrix/newest.ts'
import { isBehind, isOfLaterMinor, writtenLike } from '../matrix/standing.ts'
import { isPartial, parseVersion } from '../matrix/version.ts'
import { errorsIn, errorsWithoutAsks, type Finding, hasErrors } from '../model/finding.ts'
import type { JsonObject } from '../model/json.ts'
import { findingsJson } from '../present/json.ts'
import { findingBlock } from '../present/pretty.ts'
import { upgradeStep } from '../present/upgrade.ts'
import { tablePatches } from '../upgrade/changes.ts'
import {
  type Hop,
  planTogether,
  planUpgrade,
  type Refusal,
  type UpgradePlan,
} from '../upgrade/plan-upgrade.ts'
import {
  changeOfProfile,
  layerOfRunning,
  type Live,
  type Running,
  type RunningCluster,
  runningLines,
  runningWith,
  withCatchUp,
} from '../upgrade/running.ts'
import { BaseCommand } from './base.ts'
import { problemsOfFile, runCheck } from './check-profile.ts'
import { checkWrite, isProfileFile } from './edited-profile.ts'
import { examples } from './examples.ts'
import { Failure } from './failure.ts'
import { kubeconfigFlags, selectorFlag } from './kubeconfig-flags.ts'
import { upgradeCommand, type UpgradeWords } from './next-commands.ts'
import { type ProfileFlags, profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { selectedProfiles } from './selected-profiles.ts'
import { type ProfileFiles, profileFiles } from './upgrade/profile-files.ts'
import type { RunningFlags } from './upgrade/read-running.ts'
import { stepsOf, type UpgradeStep } from './upgrade/steps.ts'
import { todoOf } from './upgrade/todo.ts'
import {
  groupsOf,
  type Move,
  profilesOf,
  writeGroup,
  type WriteRequest,
} from './upgrade/write-step.ts'

export default class Upgrade extends BaseCommand {
  static override summary = 'Plan an upgrade to another Kubernetes version.'
  static override examples = examples({
    'Plan the steps to a minor': 'upgrade ./node.yaml --to 1.37',
    'Plan the steps to the newest version, with all diffs':
      'upgrade ./node.yaml --latest --verbose',
    'Write the first step to the profile, and to files that it extends':
      'upgrade ./node.yaml --to 1.37 --write',
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
    write: Flags.boolean({ summary: 'Write the first step to the files of the profile.' }),
    ...kubeconfigFlags('Start at the versions in the cluster'),
    selector: selectorFlag('Read'),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Upgrade)
    const named = [...argv.map(String), ...(flags.profile ?? [])]
    const { profiles, several } = await selectedProfiles(this, named)
    const { layer: layers = [] } = flags
    const folders = { root: this.config.root, cwd: process.cwd(), within: flags.root }
    const target = targetOf(flags, () =>
      flags.facts === undefined &&
      profiles.some((profile) => loadProfile({ profile, layers, ...folders }).facts)
        ? [factsFileHint]
        : [],
    )
    const live = flags.kubeconfig !== undefined || flags.context !== undefined
    if (!live && (flags.selector !== undefined || flags.yes))
      throw new Failure('usage', '--selector and --yes need --kubeconfig or --context')
    const cluster = live ? await this.cluster(flags) : undefined
    const all = { ...flags, several, cluster }
    const { kubeconfig, context, selector, root, facts } = flags
    const words = {
      kubeconfig,
      context,
      selector,
      root,
      facts: facts?.file,
      asOf: flags['as-of'],
      acceptUntested: flags['accept-untested'],
      allowNewer: flags['allow-newer'],
    }
    const typed = flags.to ?? target
    // Up to a version that is reached, so that the command exits 0.
    const command = (some: readonly string[], to = target) =>
      upgradeCommand(some, writtenLike(typed, to, tablePatches), words)
    const request = { given: profiles, root: this.config.root, within: root, command }
    const given = await this.drafts(profiles, target, all)
    // Of several profiles each would read the whole root folder again.
    const [only] = several ? [] : groupsOf(firstMoves(given))
    const sharing = only && (await profilesOf(only, request))
    const others = (sharing ?? []).filter((profile) => !profiles.includes(profile))
    const drafts = new Map([...given, ...(await this.drafts(others, target, all))])
    const groups = groupsOf(firstMoves(drafts))
    const plans = plansOf(drafts, groups, all)
    // The steps of all profiles are known before the first is written: profiles may share a file.
    const settled = await Promise.allSettled(
      profiles.map(async (profile) => this.planned(drafts.get(profile), plans.get(profile))),
    )
    const results = new Map(profiles.map((profile, at) => [profile, settled[at]]))
    const writers = flags.write ? this.writers(groupsOf(movesOf(results)), request) : undefined
    const subjects = profiles.map((profile) => ({ profile }))
    return this.forEach(subjects, several, async ({ profile }) => {
      const planned = results.get(profile)
      if (planned?.status !== 'fulfilled') throw planned?.reason
      const group = groups.find((one) => one.some((move) => move.profile === profile))
      const own = sharing ?? group?.map((move) => move.profile) ?? [profile]
      const next = { words, command: (to: string) => command(own, to) }
      const result = this.printPlan(profile, planned.value, all, next)
      return { ...result, written: (await writers?.get(profile)?.()) ?? false }
    })
  }

  private async drafts(
    profiles: readonly string[],
    target: string,
    flags: ProfileFlags & UpgradeFlags,
  ): Promise<Drafts> {
    const settled = await Promise.allSettled(
      profiles.map((profile) => Promise.resolve().then(() => this.draft(profile, target, flags))),
    )
    return new Map(profiles.map((profile, at) => [profile, settled[at]]))
  }

  private async cluster(flags: RunningFlags): Promise<RunningCluster> {
    const { runningVersions } = await import('./upgrade/read-running.ts')
    return runningVersions(flags, (line) => this.printStatusLine(line))
  }

  /** By profile, what writes its first step, if it has one. */
  private writers(
    groups: readonly (readonly Move[])[],
    request: WriteRequest,
  ): ReadonlyMap<string, () => Promise<boolean>> {
    const writers = groups.flatMap((group) => {
      let written: Promise<boolean> | undefined
      const write = async () => {
        const names = await writeGroup(group, request)
        for (const name of names) this.printStatus(`wrote ${name}`)
        return names.length > 0
      }
      return group.map(({ profile }) => [profile, () => (written ??= write())] as const)
    })
    return new Map(writers)
  }

  /** Throws if the target is older than what the nodes have. */
  private draft(
    typed: string,
    target: string,
    flags: ProfileFlags & UpgradeFlags,
  ): Draft | Rejecting {
    const { root } = this.config
    if (flags.write) checkWrite(flags, typed)
    const files = isProfileFile(typed)
      ? profileFiles(typed, { root, within: flags.root })
      : undefined
    const request = { target, acceptUntested: flags['accept-untested'] }
    const planned = runCheck(
      (...input: CheckInput) => {
        const live = flags.cluster && liveOf(flags.cluster, input, flags.several)
        const plan = planUpgrade(live?.start ?? input, request)
        return { ...plan.before, input: live?.start ?? input, live, plan }
      },
      typed,
      flags,
      this.checkContext(flags['as-of']),
    )
    const { plan, live, input } = planned
    const rejecting = problemsOfFile(planned.findings, plan.before.findings)
    if (rejecting.length > 0) return { rejecting }
    const from = plan.before.facts.spec.kubernetes.version
    // A version that cannot be read is replaced by the default, which may be newer.
    const misread = errorsIn(planned.findings).filter(
      ({ path }) => path.join('.') === 'kubernetes.version',
    )
    const asksForPatch = flags.to !== undefined && !isPartial(flags.to)
    const isOlder = isOfLaterMinor(from, target) || (asksForPatch && isBehind(target, from))
    if (isOlder && misread.length > 0) return { rejecting: misread }
    if (isOlder)
      throw new Failure(
        'usage',
        `${live ? 'a node' : 'the profile'} has Kubernetes ${from}, which is newer than ${target}`,
        [
          flags.latest && !flags.facts && plan.before.facts.added
            ? factsFileHint
            : 'to go back: docs/upgrade-a-fleet.md, section "Roll back"',
        ],
      )
    return { from, target, plan, live, input, files, findings: planned.findings }
  }

  /** `plan` is that of profiles which are planned together. */
  private async planned(
    draft: PromiseSettledResult<Draft | Rejecting> | undefined,
    plan: UpgradePlan | undefined,
  ): Promise<Planned> {
    if (draft?.status !== 'fulfilled') throw draft?.reason
    const { value } = draft
    if ('rejecting' in value) return value
    const { live, target, files } = value
    const joint = plan ?? value.plan
    const whole = live ? withCatchUp(joint, live, target) : joint
    const read = staticFiles(this.config.root)
    const steps = await stepsOf(whole, files, (hop) => changeOf(hop, value), read)
    return { ...value, plan: whole, steps }
  }

  private printPlan(
    typed: string,
    planned: Planned,
    { several }: Pick<UpgradeFlags, 'several'>,
    next: Next,
  ): object {
    if ('rejecting' in planned) {
      const { rejecting } = planned
      this.reject({ findings: rejecting })
      return { findings: findingsJson(rejecting) }
    }
    const { from, plan, live, steps } = planned
    const running = live?.running
    const name = typed === '-' ? 'the profile of standard input' : typed
    const of = several ? `${name}: ` : ''
    if (live)
      for (const line of runningLines(live.running, live.own.facts.spec.kubernetes))
        this.printStatus(`${of}${line}`)
    const folder = several ? `./out/${plan.before.facts.spec.name}` : './win-node'
    const isFile = isProfileFile(typed)
    const [first] = steps
    if (first && first.round > 1)
      this.printStatus(`${of}no step 1: nodes of other profiles are older, and go first`)
    for (const [at, step] of steps.entries()) {
      const subject = step.isReached ? 'the profile' : 'nodes'
      const title = `${of}STEP ${step.round} of ${steps.at(-1)?.round}: ${subject} to ${step.to}`
      const todo = todoOf(step, { profile: typed, isFile, folder, ...next })
      const text = upgradeStep({ ...step, title, todo }, this.screen('stdout'))
      this.print(at === 0 && !several ? text : `\n${text}`)
    }
    if (plan.blockedBy !== undefined) {
      this.setExit('rejected')
      this.printError(
        `${of}no step to ${planned.target}: nodes with Kubernetes ${plan.blockedBy} go first`,
      )
    } else if (steps.length === 0 && !plan.refused) {
      this.printStatus(`${running ? 'every node' : name} has Kubernetes ${from}: nothing to do`)
      const errors = errorsWithoutAsks(planned.findings)
      if (errors.length > 0) this.reject({ findings: errors })
    }
    const refused = plan.refused && this.printRefusal(plan.refused, of)
    return {
      from,
      to: planned.target,
      ...(running && { running: runningJson(running) }),
      steps: steps.map(stepJson),
      refused: refused ?? null,
      blockedBy: plan.blockedBy ?? null,
      written: false,
    }
  }

  private printRefusal({ of: other, to, findings: unsafe }: Refusal, of: string): object {
    this.setExit('rejected')
    const findings = concealed(unsafe)
    const screen = this.screen('stderr')
    const which = other === undefined ? '' : ` of ${other}, which shares a file`
    this.printError(`${of}no step to ${to}${which}:`)
    for (const finding of findings) this.printError(findingBlock(finding, screen))
    if (!hasErrors(findings)) this.printError('--accept-untested accepts this combination')
    this.nameExplain(findings)
    return {
      profile: other ?? null,
      to,
      untested: !hasErrors(findings),
      findings: findingsJson(findings),
    }
  }
}

function liveOf(
  cluster: RunningCluster,
  input: CheckInput,
  several: boolean,
): Live & { readonly start: CheckInput } {
  const own = compile(...input)
  const running = runningOf(cluster, own.facts.spec.kubelet.labels, several)
  const [layers, ...rest] = input
  return { own, input, running, start: [[...layers, layerOfRunning(running)], ...rest] }
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

/** A profile that cannot be read. */
interface Rejecting {
  readonly rejecting: readonly Finding[]
}

/** The way of a profile to the target, planned for itself. */
interface Draft {
  /** What the nodes have. */
  readonly from: string
  readonly target: string
  readonly plan: UpgradePlan
  readonly live: Live | undefined
  /** Starts at the versions of a cluster, if there is one. */
  readonly input: CheckInput
  /** Absent for a built-in profile. */
  readonly files: ProfileFiles | undefined
  readonly findings: readonly Finding[]
}

type Drafts = ReadonlyMap<string, PromiseSettledResult<Draft | Rejecting> | undefined>

type Planned = Rejecting | (Draft & { readonly steps: readonly UpgradeStep[] })

type Plans = ReadonlyMap<string, PromiseSettledResult<Planned> | undefined>

function changeOf(hop: Hop | Refusal, { live }: Pick<Draft, 'live'>): JsonObject {
  return live ? changeOfProfile(hop, live.own.values) : hop.change
}

function readable(drafts: Drafts): readonly (readonly [profile: string, draft: Draft])[] {
  return [...drafts].flatMap(([profile, draft]) =>
    draft?.status !== 'fulfilled' || 'rejecting' in draft.value
      ? []
      : [[profile, draft.value] as const],
  )
}

function firstMoves(drafts: Drafts): readonly Move[] {
  return readable(drafts).flatMap(([profile, draft]) => {
    const { files, plan } = draft
    // A profile that is refused holds those that share its file.
    const first = plan.hops[0] ?? plan.refused
    return files && first ? [{ profile, files, change: changeOf(first, draft) }] : []
  })
}

/** Of profiles that share a file, or a cluster. */
function plansOf(
  drafts: Drafts,
  groups: readonly (readonly Move[])[],
  { cluster, 'accept-untested': acceptUntested }: UpgradeFlags,
): ReadonlyMap<string, UpgradePlan> {
  const all = readable(drafts)
  const groupOf = (profile: string) =>
    groups.find((group) => group.some((move) => move.profile === profile))
  const sets = cluster
    ? [all]
    : groups.map((group) => all.filter(([profile]) => groupOf(profile) === group))
  const plans = sets.flatMap((set) => {
    const [first] = set
    if (!first || set.length === 1) return []
    const members = set.map(([profile, { input }]) => ({
      name: profile,
      profile: input,
      group: groupOf(profile) ?? profile,
    }))
    const planned = planTogether(members, { target: first[1].target, acceptUntested })
    return set.map(([profile], at) => [profile, planned[at]] as const)
  })
  return new Map(plans.flatMap(([profile, plan]) => (plan ? [[profile, plan]] : [])))
}

/** The steps of each profile that can be written now. */
function movesOf(plans: Plans): readonly Move[] {
  return [...plans].flatMap(([profile, planned]): readonly Move[] => {
    if (planned?.status !== 'fulfilled' || 'rejecting' in planned.value) return []
    const { files, steps } = planned.value
    const now = steps.find(({ round }) => round === 1)
    return files && now ? [{ profile, files, change: now.change }] : []
  })
}

/** For commands to run next. */
interface Next {
  readonly words: UpgradeWords
  /** Writes the step to a version of all profiles that share a file with this one. */
  readonly command: (to: string) => string
}

interface UpgradeFlags {
  /** What runs in the cluster, if the command line names one. */
  readonly cluster: RunningCluster | undefined
  readonly to?: string | undefined
  readonly latest: boolean
  readonly write: boolean
  readonly 'accept-untested': boolean
  readonly 'as-of'?: string | undefined
  /** Whether the command line names several profiles. */
  readonly several: boolean
}

/** The target is the same for all profiles, so the facts of a profile do not count. */
const factsFileHint =
  'a version of a facts file needs --facts FILE, also if the profile names the file'

/** MAJOR.MINOR.PATCH; `hints` are about an unknown version. */
function targetOf(
  flags: Pick<UpgradeFlags & ProfileFlags, 'to' | 'latest' | 'allow-newer' | 'facts'>,
  hints: () => readonly string[],
): string {
  if (flags.latest) return newestKubernetes(flags.facts).newestPatch
  const { to } = flags
  if (to === undefined) throw new Failure('usage', '--to VERSION or --latest is missing')
  const minors = minorsWith(flags.facts)
  const known = `${minors[0].minor} to ${minors.at(-1)?.minor}`
  const version = parseVersion(to)
  if (!version)
    throw new Failure('usage', `--to ${to} is not a version`, [
      'write it as 1.37 or 1.37.1; --latest is the newest supported version',
    ])
  const { row, exact } = kubernetesOf(version.text, flags.facts)
  if (!exact && !flags['allow-newer'])
    throw new Failure('usage', `--to ${to}: winnode knows Kubernetes ${known}`, hints())
  return exact && isPartial(to) ? row.newestPatch : version.text
}

function stepJson(step: UpgradeStep): object {
  const { round, to, controlPlane, change, versions, profile, bundle, added } = step
  return {
    round,
    to,
    reached: step.isReached ?? false,
    controlPlane,
    change,
    versions,
    profileDiff: profile?.diff ?? null,
    bundle: bundle ? { changes: bundle.changes, need: bundle.need } : null,
    added: findingsJson(concealed(added)),
  }
}
