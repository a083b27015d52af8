// winnode validate: checks a profile.
import { findingsJson, ignoredJson } from '../present/json.ts'
import { BaseCommand } from './base.ts'
import { checkProfile, rejects } from './check-profile.ts'
import { exampleProfile } from './example.ts'
import { formatFindings } from './formats/findings.ts'
import { formatFlag } from './formats/flag.ts'
import { profileArgument, profileFlags, strictFlag } from './profile-flags.ts'

export default class Validate extends BaseCommand {
  static override summary = 'Check a profile.'
  static override examples = [
    {
      description: 'Check a built-in profile',
      command: `<%= config.bin %> validate ${exampleProfile}`,
    },
    {
      description: 'Check a file, one finding per line',
      command: '<%= config.bin %> validate ./node.yaml --format lines',
    },
    {
      description: 'Fail on warnings too, as of a day',
      command: '<%= config.bin %> validate ./node.yaml --strict --as-of 2027-01-01',
    },
  ]
  static override args = { profile: profileArgument }
  static override flags = {
    ...profileFlags,
    strict: strictFlag,
    format: formatFlag('Output format.'),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Validate)
    const today = this.today(flags['as-of'])
    const { findings, ignored } = checkProfile(args.profile, flags, {
      root: this.config.root,
      today,
    })
    if (rejects(findings, flags.strict)) this.setExit('rejected')
    const { strict, format, quiet } = flags
    const brief = quiet && format === 'pretty'
    const shown = brief ? findings.filter((finding) => rejects([finding], strict)) : findings
    const found = { findings: shown, ignored: brief ? [] : ignored, strict }
    const { version } = this.config
    const about = { command: 'validate', version, profile: args.profile }
    if (!brief || shown.length > 0)
      this.print(await formatFindings(format, found, { ...about, screen: this.screen('stdout') }))
    return { findings: findingsJson(findings), ignored: ignoredJson(ignored) }
  }
}
