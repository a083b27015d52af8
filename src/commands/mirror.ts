// winnode mirror: lists what the nodes of profiles download, and verifies a mirror with it.
import * as Flags from '@oclif/core/flags'
import { downloadsOf, imagesOf } from '../downloads/mirror.ts'
import { isAddress, type MirrorResult, verifyMirror } from '../io/mirror.ts'
import { findingsJson } from '../present/json.ts'
import { mirrorFormats, type MirrorList, mirrorTexts } from '../present/mirror.ts'
import { table } from '../present/table.ts'
import { BaseCommand } from './base.ts'
import { checkProfile, rejecting } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { existingFolder, profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { selectedProfiles, skippedLines } from './selected-profiles.ts'

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
    profile: profilesFlag,
    verify: Flags.string({
      helpValue: 'DIR|URL',
      exclusive: ['format'],
      summary: 'Verify the files of a folder or a mirror.',
      parse: (place) =>
        Promise.resolve(isAddress(place) ? mirrorAddress(place) : existingFolder(place)),
    }),
    format: Flags.option({ options: mirrorFormats, summary: 'Output format.' })(),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Mirror)
    const { root } = this.config
    const { profile: named = [], format, verify } = flags
    const selection = await selectedProfiles([...argv.map(String), ...named], 'mirror', root)
    for (const line of skippedLines(selection)) this.printStatus(line)
    const today = this.today(flags['as-of'])
    const checked = selection.profiles.map((profile) =>
      checkProfile(profile, flags, { root, today }),
    )
    const findings = rejecting(checked)
    if (findings.length > 0) {
      this.setExit('rejected')
      this.printFindings({ findings })
      return { findings: findingsJson(findings) }
    }
    const profiles = checked.map(({ facts }) => facts)
    const list = { files: downloadsOf(profiles), images: imagesOf(profiles) }
    if (verify !== undefined) return this.verify(verify, list)
    this.print(mirrorTexts[format ?? 'pretty'](list, this.screen('stdout')))
    return list
  }

  private async verify(place: string, { files }: MirrorList): Promise<object> {
    const results = await verifyMirror(place, files)
    const bad = results.filter(({ verdict }) => verdict !== 'same')
    if (bad.length > 0)
      this.print(
        table(
          ['RESULT', 'FILE', { prose: 'WHY' }],
          bad.map(({ file, verdict, why = '' }) => [verdict, file.path, why]),
          this.screen('stdout'),
        ),
      )
    if (bad.some(({ verdict }) => verdict === 'differs')) this.setExit('drift')
    else if (bad.length > 0) this.setExit('incomplete')
    this.printStatus(`${results.length - bad.length} of ${results.length} files are verified`)
    return { mirror: place, files: results.map(resultJson) }
  }
}

/** Paths are added to its end, and the output quotes it. */
function mirrorAddress(place: string): string {
  const url = URL.canParse(place) ? new URL(place) : undefined
  if (url && url.username + url.password + url.search + url.hash === '') return place
  throw new Error('an address of a mirror has a host, and no user and no query')
}

function resultJson({ file, verdict, why, sha256 }: MirrorResult) {
  const { path, url, program } = file
  return { path, url, id: program?.id, verdict, why: why ?? null, sha256: sha256 ?? null }
}
