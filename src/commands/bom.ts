// winnode bom: prints the bill of materials of a profile's bundle.
import * as Flags from '@oclif/core/flags'
import { staticFiles } from '../io/static-files.ts'
import { tablesDate } from '../matrix/tables-date.ts'
import { errorsIn } from '../model/finding.ts'
import { bomFormats, bomTable, cyclonedxOf, spdxOf } from '../present/bom.ts'
import { findingsJson } from '../present/json.ts'
import { oneLine } from '../present/one-line.ts'
import { billOfMaterials } from '../render/bill-of-materials.ts'
import { digestFiles, digestOf } from '../render/digest.ts'
import { jsonText } from '../render/json-text.ts'
import { renderFiles } from '../render/render.ts'
import { BaseCommand } from './base.ts'
import { compileProfile } from './compile-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { profileArgument, profileFlags } from './profile-flags.ts'

export default class Bom extends BaseCommand {
  static override summary = 'Print the bill of materials of a bundle.'
  static override examples = examples({
    'List downloads and images, with licenses': `bom ${exampleProfile}`,
    'Write an SPDX document': 'bom ./node.yaml --format spdx > node.spdx.json',
    'Write a CycloneDX document': 'bom ./node.yaml --format cyclonedx > node.cdx.json',
  })
  static override args = { profile: profileArgument }
  static override flags = {
    ...profileFlags,
    format: Flags.option({
      options: bomFormats,
      default: 'table',
      summary: 'Output format: SPDX 2.3, CycloneDX 1.6; json is bom.json of the bundle.',
    })(),
  }

  async run(): Promise<object> {
    const { args, flags } = await this.parse(Bom)
    const { root, version } = this.config
    const asOf = flags['as-of']
    const context = this.checkContext(asOf)
    const { plan, findings, name } = compileProfile(args.profile, flags, context)
    if (!plan) {
      this.reject({ findings: errorsIn(findings) })
      this.printError(oneLine(`${name}: no bill of materials`))
      return { findings: findingsJson(findings) }
    }
    const files = await renderFiles(plan, staticFiles(root))
    const json = billOfMaterials(plan, digestFiles(files))
    const day = asOf ?? tablesDate
    const contents = new Map(files.map(({ path, content }) => [path, content]))
    const bom = {
      ...json,
      scripts: json.scripts.map((script) => ({
        ...script,
        sha1: digestOf(contents.get(script.path) ?? '', 'sha1'),
      })),
      version,
      day,
      uuid: uuidOf(digestOf(`${version} ${day} ${jsonText(json)}`)),
    }
    const documentOf = {
      json: () => json,
      spdx: () => spdxOf(bom),
      cyclonedx: () => cyclonedxOf(bom),
    }
    const { format } = flags
    if (format === 'table') this.print(bomTable(bom, this.screen('stdout')))
    else this.print(`${jsonText(documentOf[format]())}\n`)
    return { bom: documentOf[format === 'table' ? 'json' : format]() }
  }
}

/** Version 8, which is for any other way to make one: https://www.rfc-editor.org/rfc/rfc9562#section-5.8 */
function uuidOf(digest: string): string {
  return digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5')
}
