// winnode validate: says what is wrong with a profile, and writes nothing.
import * as Flags from '@oclif/core/flags'
import { findingsJson, ignoredJson } from '../present/json.ts'
import { findingLines } from '../present/lines.ts'
import { prettyFindings, type Told } from '../present/pretty.ts'
import type { Screen } from '../present/screen.ts'
import { BaseCommand } from './base.ts'
import { compileProfile, rejects } from './compile-profile.ts'
import { profileArgument, profileFlags, strictFlag } from './profile-flags.ts'
import { jsonText } from './report.ts'

type Format = (told: Told, screen: Screen) => string

const formats: Readonly<Record<string, Format>> = {
  pretty: prettyFindings,
  lines: ({ findings }) => findingLines(findings),
  json: ({ findings }) => jsonText(findingsJson(findings)),
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
    const { findings, ignored } = compileProfile(args.profile, flags, {
      root: this.config.root,
      today,
    })
    if (rejects(findings, flags.strict)) this.end('rejected')
    const told = { findings, ignored, strict: flags.strict }
    this.data(formats[flags.format]?.(told, this.screen('stdout')) ?? '')
    return { findings: findingsJson(findings), ignored: ignoredJson(ignored) }
  }
}
