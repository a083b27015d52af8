// winnode upgrade: plans the steps of profiles to another Kubernetes version, and writes the first of them.
import * as Flags from '@oclif/core/flags'
import { writtenLike } from '../matrix/standing.ts'
import { findingsJson } from '../present/json.ts'
import { tablePatches } from '../upgrade/changes.ts'
import type { RunningCluster } from '../upgrade/running.ts'
import { BaseCommand } from './base.ts'
import { examples } from './examples.ts'
import { Failure } from './failure.ts'
import { kubeconfigFlags, selectorFlag } from './kubeconfig-flags.ts'
import { upgradeCommand } from './next-commands.ts'
import { profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { selectedProfiles } from './selected-profiles.ts'
import { planProfiles, type ProfileResult } from './upgrade/plan-profiles.ts'
import { planJson, printPlan } from './upgrade/print-plan.ts'
import type { RunningFlags } from './upgrade/read-running.ts'
import { targetOf } from './upgrade/target.ts'
import { filesOf, groupsOf, writeGroup, type WriteRequest } from './upgrade/write-step.ts'

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
    const { root } = this.config
    const target = targetOf(flags, profiles, root)
    const cluster = await this.cluster(flags)
    const words = {
      kubeconfig: flags.kubeconfig,
      context: flags.context,
      selector: flags.selector,
      root: flags.root,
      facts: flags.facts?.file,
      asOf: flags['as-of'],
      acceptUntested: flags['accept-untested'],
      allowNewer: flags['allow-newer'],
    }
    // Up to a version that is reached, so that the command exits 0.
    const command = (some: readonly string[], to = target) =>
      upgradeCommand(some, writtenLike(flags.to ?? target, to, tablePatches), words)
    const request = { given: profiles, root, within: flags.root, command }
    const today = this.today(flags['as-of'])
    // The steps of all profiles are known before the first is written: profiles may share a file.
    const results = await planProfiles({ ...request, several, target, cluster, flags, today })
    const writers = flags.write ? this.writers(results, request) : undefined
    return this.forEach(results, several, async (result) => {
      if (result.kind === 'failed') throw result.thrown
      if (result.kind === 'rejected') {
        const { findings } = result
        this.reject({ findings })
        return { findings: findingsJson(findings), written: false }
      }
      printPlan(this, result, { several, target, words, command })
      const written = (await writers?.get(result.profile)?.()) ?? false
      return { ...planJson(result, target), written }
    })
  }

  /** What runs in the cluster, if the command line names one. */
  private async cluster(flags: RunningFlags): Promise<RunningCluster | undefined> {
    if (flags.kubeconfig !== undefined || flags.context !== undefined) {
      const { runningVersions } = await import('./upgrade/read-running.ts')
      return runningVersions(flags, (line) => this.printStatusLine(line))
    }
    if (flags.selector !== undefined || flags.yes)
      throw new Failure('usage', '--selector and --yes need --kubeconfig or --context')
    return undefined
  }

  /** By profile, what writes its first step, if it has one. */
  private writers(
    results: readonly ProfileResult[],
    request: WriteRequest,
  ): ReadonlyMap<string, () => Promise<boolean>> {
    const changes = results.flatMap((result) => {
      if (result.kind !== 'planned') return []
      const { profile, files, steps } = result
      const now = steps.find(({ round }) => round === 1)
      return files && now ? [{ profile, files, change: now.change }] : []
    })
    const writers = groupsOf(changes, filesOf).flatMap((group) => {
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
}
