// winnode validate: checks a profile.
import { findingsJson, ignoredJson } from '../present/json.ts'
import { targetNames, targetsOf } from '../targets/index.ts'
import { BaseCommand } from './base.ts'
import { type CheckContext, type CheckedProfile, checkProfile } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { severalOf } from './flags.ts'
import { formatFindings, profileCounts } from './formats/findings.ts'
import { compareFindings, errorsIn, hasErrors } from '../model/finding.ts'
import { withoutIgnored } from '../rules/ignore.ts'
import { findingsTogether } from '../rules/together.ts'
import { formatFlag } from './formats/flag.ts'
import {
  offlineFlag,
  type ProfileFlags,
  profileFlags,
  profilesArgument,
  profilesFlag,
  strictFlag,
} from './profile-flags.ts'
import { selectedProfiles } from './selected-profiles.ts'

export default class Validate extends BaseCommand {
  static override summary = 'Check a profile.'
  static override examples = examples({
    'Check a built-in profile': `validate ${exampleProfile}`,
    'Check a file, one finding per line': 'validate ./node.yaml --format lines',
    'Check all profiles of a folder': 'validate ./nodes',
    'Check what Cluster API needs, too': 'validate ./node.yaml --for capi',
    'Fail on warnings too, as of a day': 'validate ./node.yaml --strict --as-of 2027-01-01',
  })
  // The profile can be repeated.
  static override strict = false
  static override args = { profile: profilesArgument }
  static override flags = {
    ...profileFlags,
    offline: offlineFlag,
    profile: profilesFlag,
    strict: strictFlag,
    for: severalOf(targetNames, 'Output target of render; also checks what it needs.'),
    format: formatFlag('Output format.'),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Validate)
    const { version } = this.config
    const { strict, format, quiet, profile: named = [] } = flags
    const { profiles, several } = await selectedProfiles(this, [...argv.map(String), ...named])
    const context = this.checkContext(flags['as-of'])
    const alone = await Promise.all(
      profiles.map(async (profile) => ({
        profile,
        ...(flags.for
          ? await checkForTargets(profile, flags, context, targetsOf(flags.for))
          : checkProfile(profile, flags, context)),
      })),
    )
    const together = findingsTogether(alone)
    const checked = alone.map((one, index) => {
      const { findings, ignored } = withoutIgnored(one.place(together[index] ?? []), one.facts)
      return {
        ...one,
        findings: [...one.findings, ...findings].toSorted(compareFindings),
        ignored: [...one.ignored, ...ignored],
      }
    })
    const screen = this.screen('stdout')
    const brief = quiet && format === 'pretty'
    const reports = checked.map(({ profile, complete, findings, ignored }) => ({
      command: 'validate',
      version,
      profile,
      strict,
      complete,
      findings: brief ? errorsIn(findings, strict) : findings,
      ignored: brief ? [] : ignored,
    }))
    const shown = brief ? reports.filter(({ findings }) => findings.length > 0) : reports
    if (!brief || shown.length > 0)
      this.print(await formatFindings(format, shown, { screen, several }))
    if (several && format === 'pretty' && !quiet)
      this.print(`\n${screen.paint('bold', profileCounts(reports))}\n`)
    if (format === 'pretty') this.nameExplain(reports.flatMap((report) => report.findings))
    return this.forEach(checked, several, ({ findings, ignored }) => {
      if (hasErrors(findings, strict)) this.setExit('rejected')
      return { findings: findingsJson(findings), ignored: ignoredJson(ignored) }
    })
  }
}

/** With the findings of `render --for`; the code that renders is loaded only here. */
async function checkForTargets(
  profile: string,
  flags: ProfileFlags,
  context: CheckContext,
  targets: readonly string[],
): Promise<CheckedProfile> {
  const { compileProfile } = await import('./compile-profile.ts')
  const { renderTargets } = await import('./render/targets.ts')
  return renderTargets(compileProfile(profile, flags, context), targets, context.root)
}
