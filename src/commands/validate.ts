// winnode validate: says what is wrong with a profile, and writes nothing.
import * as Flags from '@oclif/core/flags'
import type { Finding } from '../model/finding.ts'
import { findingsJson } from '../present/json.ts'
import { findingLines } from '../present/lines.ts'
import { prettyFindings } from '../present/pretty.ts'
import type { Screen } from '../present/screen.ts'
import { BaseCommand } from './base.ts'
import { compileProfile, rejects } from './compile-profile.ts'
import { profileArgument, profileFlags, strictFlag } from './profile-flags.ts'
import { jsonText } from './report.ts'

type Format = (findings: readonly Finding[], screen: Screen, strict: boolean) => string

const formats: Readonly<Record<string, Format>> = {
  pretty: prettyFindings,
  lines: findingLines,
  json: (findings) => jsonText(findingsJson(findings)),
}

export default class Validate extends BaseCommand {
  static override summary = 'Say what is wrong with a profile, and what is worth knowing.'
  static override examples = [
    {
      description: 'Check a built-in profile',
      command: '<%= config.bin %> validate ws2022-flannel-overlay',
    },
    {
      description: 'Check a file of yours, one finding a line',
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
    format: Flags.string({
      options: Object.keys(formats),
      default: 'pretty',
      summary: 'How findings are printed.',
    }),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Validate)
    const today = this.today(flags['as-of'])
    const { findings } = compileProfile(args.profile, flags, {
      root: this.config.root,
      today,
    })
    if (rejects(findings, flags.strict)) this.end('rejected')
    this.data(formats[flags.format]?.(findings, this.screen('stdout'), flags.strict) ?? '')
    return { findings: findingsJson(findings) }
  }
}
