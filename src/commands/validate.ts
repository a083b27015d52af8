// winnode validate: checks a profile.
import { findingsJson, ignoredJson } from '../present/json.ts'
import { BaseCommand } from './base.ts'
import { checkProfile, rejects } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { formatFindings, profileCounts } from './formats/findings.ts'
import { formatFlag } from './formats/flag.ts'
import { profileFlags, profilesArgument, profilesFlag, strictFlag } from './profile-flags.ts'
import { selectedProfiles, skippedLines } from './selected-profiles.ts'

export default class Validate extends BaseCommand {
  static override summary = 'Check a profile.'
  static override examples = examples({
    'Check a built-in profile': `validate ${exampleProfile}`,
    'Check a file, one finding per line': 'validate ./node.yaml --format lines',
    'Check all profiles of a folder': 'validate ./nodes',
    'Fail on warnings too, as of a day': 'validate ./node.yaml --strict --as-of 2027-01-01',
  })
  // The profile can be repeated.
  static override strict = false
  static override args = { profile: profilesArgument }
  static override flags = {
    ...profileFlags,
    profile: profilesFlag,
    strict: strictFlag,
    format: formatFlag('Output format.'),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Validate)
    const { root, version } = this.config
    const today = this.today(flags['as-of'])
    const { strict, format, quiet, profile: named = [] } = flags
    const selection = await selectedProfiles([...argv.map(String), ...named], 'validate', root)
    const { profiles, several } = selection
    for (const line of skippedLines(selection)) this.printStatus(line)
    const checked = profiles.map((profile) => ({
      profile,
      ...checkProfile(profile, flags, { root, today }),
    }))
    const screen = this.screen('stdout')
    const brief = quiet && format === 'pretty'
    const reports = checked.map(({ profile, findings, ignored }) => ({
      command: 'validate',
      version,
      profile,
      strict,
      findings: brief ? findings.filter((finding) => rejects([finding], strict)) : findings,
      ignored: brief ? [] : ignored,
    }))
    const shown = brief ? reports.filter(({ findings }) => findings.length > 0) : reports
    if (!brief || shown.length > 0)
      this.print(await formatFindings(format, shown, { screen, several }))
    if (several && format === 'pretty' && !quiet)
      this.print(`\n${screen.paint('bold', profileCounts(reports))}\n`)
    return this.forEach(checked, several, ({ findings, ignored }) => {
      if (rejects(findings, strict)) this.setExit('rejected')
      return { findings: findingsJson(findings), ignored: ignoredJson(ignored) }
    })
  }
}
