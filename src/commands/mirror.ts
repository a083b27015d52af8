// winnode mirror: lists what the nodes of profiles download, and verifies a mirror with it.
import * as Flags from '@oclif/core/flags'
import { downloadsOf, imagesOf } from '../downloads/mirror.ts'
import { findingsJson } from '../present/json.ts'
import { mirrorFormats, mirrorTexts } from '../present/mirror.ts'
import { BaseCommand } from './base.ts'
import { checkProfile, rejectingErrors } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { offlineFlag, profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { selectedProfiles } from './selected-profiles.ts'
import { mirrorFlag, verifyDownloads } from './verify-mirror.ts'

export default class Mirror extends BaseCommand {
  static override summary = 'List what nodes download, or verify a mirror.'
  static override examples = examples({
    'List the files and images of a profile': `mirror ${exampleProfile}`,
    'Download the files of all profiles of a folder':
      'mirror ./nodes --format curl | curl --config -',
    'Verify a folder with the files': 'mirror ./nodes --verify ./mirror',
    'Verify a mirror': 'mirror ./nodes --verify https://files.example.com/mirror',
  })
  // The profile can be repeated.
  static override strict = false
  static override args = { profile: profilesArgument }
  static override flags = {
    ...profileFlags,
    offline: offlineFlag,
    profile: profilesFlag,
    verify: mirrorFlag({
      exclusive: ['format'],
      summary: 'Verify the files of a folder or a mirror.',
    }),
    format: Flags.option({
      options: mirrorFormats,
      exclusive: ['json'],
      summary: 'Output format.',
    })(),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Mirror)
    const { profile: named = [], format, verify } = flags
    const selected = await selectedProfiles(this, [...argv.map(String), ...named])
    const context = this.checkContext(flags['as-of'])
    const checked = selected.profiles.map((profile) => checkProfile(profile, flags, context))
    const findings = rejectingErrors(checked)
    if (findings.length > 0) {
      this.reject({ findings })
      return { findings: findingsJson(findings) }
    }
    const profiles = checked.map(({ facts }) => facts)
    const list = { files: downloadsOf(profiles), images: imagesOf(profiles) }
    if (verify !== undefined) {
      const { files } = list
      return (await verifyDownloads(this, { place: verify, files, stream: 'stdout' })).json
    }
    this.print(mirrorTexts[format ?? 'pretty'](list, this.screen('stdout')))
    return list
  }
}
