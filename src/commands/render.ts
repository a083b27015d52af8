// winnode render: renders the bundle of a profile.
import * as Flags from '@oclif/core/flags'
import { downloadsOf } from '../downloads/mirror.ts'
import { below } from '../io/native-path.ts'
import { errorsIn, type Finding, hasErrors } from '../model/finding.ts'
import { findingsJson, ignoredJson } from '../present/json.ts'
import { oneLine } from '../present/one-line.ts'
import { targetNames } from '../targets/index.ts'
import { BaseCommand } from './base.ts'
import { type CompiledProfile, compileProfile } from './compile-profile.ts'
import { exampleProfile, examples } from './examples.ts'
import { formatFindings } from './formats/findings.ts'
import type { Findings } from './formats/write.ts'
import { severalOf } from './flags.ts'
import { formatFlag } from './formats/flag.ts'
import {
  offlineFlag,
  profileFlags,
  profilesArgument,
  profilesFlag,
  strictFlag,
} from './profile-flags.ts'
import { deliver } from './render/deliver.ts'
import { type Rendered, renderTargets } from './render/targets.ts'
import { checkRequest, type RenderRequest } from './render/request.ts'
import { refuseSame, selectedProfiles } from './selected-profiles.ts'
import { mirrorFlag, verifyDownloads } from './verify-mirror.ts'

export default class Render extends BaseCommand {
  static override summary = 'Render the bundle for a Windows Server machine.'
  static override examples = examples({
    'Write a bundle from a built-in profile': `render ${exampleProfile} --out ./win-node`,
    'Change one field, as a dry run': `render ${exampleProfile} --set kubernetes.version=1.36 --out ./win-node --dry-run`,
    'Print what would change': 'render ./node.yaml --out ./win-node --diff',
    'Exit 4 if a committed bundle is outdated': 'render ./node.yaml --out ./win-node --check',
    'Write a bundle for each profile of a folder: out/NAME': 'render ./nodes --out ./out',
    'Print one file': 'render ./node.yaml --only files/containerd/config.toml --out -',
    'Write one archive, from a profile on stdin': 'render - --for zip --out ./node < node.yaml',
  })
  // The profile can be repeated.
  static override strict = false
  static override args = { profile: profilesArgument }
  static override flags = {
    ...profileFlags,
    offline: offlineFlag,
    profile: profilesFlag,
    strict: strictFlag,
    for: severalOf(targetNames, 'Output target; several write one folder each.'),
    out: Flags.string({
      char: 'o',
      required: true,
      helpValue: 'DIR',
      summary: 'Write to this folder, of several profiles to DIR/NAME; - prints one file.',
    }),
    only: Flags.string({
      helpValue: 'FILE',
      summary: 'Print only this file; needs --out -.',
    }),
    format: formatFlag('Output format; all but pretty print findings to stdout.', {
      exclusive: ['diff', 'only'],
    }),
    'dry-run': Flags.boolean({ summary: 'List what would be written; write nothing.' }),
    diff: Flags.boolean({ summary: 'Print a diff of the folder; write nothing.' }),
    check: Flags.boolean({
      exclusive: ['dry-run', 'force', 'only'],
      summary: 'Exit 4 if the folder differs from the profile; write nothing.',
    }),
    'verify-mirror': mirrorFlag({
      summary: 'Write nothing unless this mirror has every download.',
    }),
    force: Flags.boolean({ char: 'f', summary: 'Overwrite files that were modified by hand.' }),
  }

  async run(): Promise<object> {
    const { argv, flags } = await this.parse(Render)
    const { root, version } = this.config
    const { strict, format, profile: named = [], 'verify-mirror': mirror } = flags
    const { profiles, several } = await selectedProfiles(this, [...argv.map(String), ...named])
    const request = checkRequest(flags, several)
    const context = this.checkContext(flags['as-of'])
    const compiled = profiles.map((profile) => ({
      profile,
      strict,
      command: 'render',
      version,
      ...compileProfile(profile, flags, context),
    }))
    if (several) checkUnique(compiled, request)
    const how = { screen: this.screen('stdout'), several }
    const reports: Findings[] = []
    const writeReports = async () => {
      if (format !== 'pretty') this.print(await formatFindings(format, reports, how))
    }
    if (mirror !== undefined) {
      const accepted = compiled.filter(({ plan }) => plan).map(({ facts }) => facts)
      const verified = await verifyDownloads(this, {
        place: mirror,
        files: downloadsOf(accepted),
        // stdout may be a file of the bundle, or findings.
        stream: 'stderr',
      })
      if (!verified.complete) {
        const refused = compiled.filter(({ findings }) => hasErrors(findings, strict))
        for (const { findings } of refused)
          this.reject({ findings: errorsIn(findings, strict), strict })
        reports.push(...compiled)
        await writeReports()
        this.printError(oneLine(`${mirror} lacks downloads: nothing written`))
        return {
          ...verified.json,
          findings: refused.flatMap(({ findings }) => findingsJson(findings)),
        }
      }
    }
    try {
      return await this.forEach(compiled, several, async (one) => {
        const rendered = await renderTargets(one, request.targets, root)
        const at = reports.push(rendered) - 1
        const out = several ? below(request.out, one.name) : request.out
        return this.deliverOne(rendered, { ...request, out }, (more) => {
          reports[at] = { ...rendered, findings: [...rendered.findings, ...more] }
        })
      })
    } finally {
      await writeReports()
    }
  }

  private async deliverOne(
    compiled: CompiledProfile & Rendered,
    request: RenderRequest,
    report: (findings: readonly Finding[]) => void,
  ): Promise<object> {
    const findings = findingsJson(compiled.findings)
    const ignored = ignoredJson(compiled.ignored)
    const { strict, format, quiet, targets } = request
    const reported = format !== 'pretty'
    const { plan, output } = compiled
    if (!plan || !output || hasErrors(compiled.findings, strict)) {
      if (reported) this.setExit('rejected')
      else this.reject({ ...compiled, strict })
      this.printError(oneLine(`${compiled.name}: nothing written`))
      return { findings, ignored }
    }
    if (!reported && !quiet && compiled.findings.length + ignored.length > 0)
      this.printFindings({ ...compiled, strict })
    const delivery = { compiled, plan, output, request: { ...request, reported }, report }
    const result = await deliver(this, delivery)
    return { findings, ignored, decisions: plan.decisions, targets, ...result }
  }
}

/** Throws where two profiles have one folder, or one address for the archives of their bundles. */
function checkUnique(
  compiled: readonly (CompiledProfile & { readonly profile: string })[],
  { out, targets }: RenderRequest,
): void {
  refuseSame(
    compiled.map(({ profile, name }) => ({ profile, value: name })),
    {
      effect: (name) => `write ${below(out, name)}`,
      hint: 'set another name in one of them; nothing was written',
    },
  )
  for (const target of ['userdata', 'capi'] as const) {
    if (!targets.includes(target)) continue
    refuseSame(
      compiled.map(({ profile, facts }) => ({
        profile,
        value: facts.spec.targets[target].bundleURL,
      })),
      {
        effect: (url) => `have the bundle ${url}`,
        hint: `set another targets.${target}.bundleURL in one of them; nothing was written`,
      },
    )
  }
}
