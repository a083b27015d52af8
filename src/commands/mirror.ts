// winnode mirror: lists what the nodes of profiles download, and verifies a folder with it.
import * as Flags from '@oclif/core/flags'
import { downloadsOf, imagesOf } from '../downloads/mirror.ts'
import { type MirrorResult, verifyMirror } from '../io/mirror.ts'
import { findingsJson } from '../present/json.ts'
import { mirrorFormats, type MirrorList, mirrorTexts } from '../present/mirror.ts'
import { prettyFindings } from '../present/pretty.ts'
import { table } from '../present/table.ts'
import { BaseCommand } from './base.ts'
import { checkProfile, rejects, requiredFields } from './check-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { Failure } from './failure.ts'
import { existingFolder, profileFlags, profilesArgument, profilesFlag } from './profile-flags.ts'
import { selectedProfiles, skippedLines } from './selected-profiles.ts'

export default class Mirror extends BaseCommand {
  static override summary = 'List what nodes download, or verify a mirror.'
  static override examples = examples({
    'List the files and images of a profile': `mirror ${exampleProfile}`,
    'Download the files of all profiles of a folder':
      'mirror ./nodes --format curl | curl --config -',
    'Verify a folder with the files': 'mirror ./nodes --verify ./mirror',
    'Pin what the folder has': 'mirror ./node.yaml --verify ./mirror --pins > pins.layer.yaml',
  })
  // The profile can be repeated.
  static override strict = false
  static override args = { profile: profilesArgument }
  static override flags = {
    ...profileFlags,
    profile: profilesFlag,
    verify: Flags.string({
      helpValue: 'DIR',
      exclusive: ['format'],
      summary: 'Verify the files in this folder.',
      parse: (folder) => Promise.resolve(existingFolder(folder)),
    }),
    pins: Flags.boolean({
      dependsOn: ['verify'],
      summary: 'Print the verified checksums as a layer for profiles.',
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
    // What only its reader knows, such as the API server endpoint, changes no download.
    const findings = checked
      .filter((one) => requiredFields(one.findings).length === 0)
      .flatMap((one) => one.findings.filter((finding) => rejects([finding])))
    if (findings.length > 0) {
      this.setExit('rejected')
      this.printError(prettyFindings({ findings }, this.screen('stderr')).trimEnd())
      return { findings: findingsJson(findings) }
    }
    const profiles = checked.map(({ facts }) => facts)
    const list = { files: downloadsOf(profiles), images: imagesOf(profiles) }
    if (verify !== undefined) return this.verify(verify, list, flags.pins)
    this.print(mirrorTexts[format ?? 'pretty'](list, this.screen('stdout')))
    return list
  }

  private async verify(folder: string, { files }: MirrorList, pins: boolean): Promise<object> {
    const results = await verifyMirror(folder, files)
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
    else if (pins) this.print(pinsText(results))
    this.printStatus(`${results.length - bad.length} of ${results.length} files are verified`)
    return { folder, files: results.map(resultJson) }
  }
}

/** Throws if the profiles need two versions of a program. */
function pinsText(results: readonly MirrorResult[]): string {
  const sha256 = new Map<string, string>()
  for (const { file, sha256: found = '' } of results) {
    const id = file.program?.id ?? ''
    if ((sha256.get(id) ?? found) !== found)
      throw new Failure('usage', `the profiles need two versions of ${id}: --pins prints one`)
    sha256.set(id, found)
  }
  const lines = Array.from(sha256, ([id, found]) => `    ${id}: ${found}\n`)
  return `apiVersion: winnode/v1\nkind: NodeProfile\nartifacts:\n  sha256:\n${lines.join('')}`
}

function resultJson({ file, verdict, why, sha256 }: MirrorResult) {
  const { path, url, program } = file
  return { path, url, id: program?.id, verdict, why: why ?? null, sha256: sha256 ?? null }
}
