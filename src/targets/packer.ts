// Target packer: a template that builds an image with the bundle, with a known builder or one that the user supplies.
import type { Facts } from '../model/facts.ts'
import type { RenderedFile, View } from '../model/plan.ts'
import type { SysprepWay } from '../model/target-settings.ts'
import { encodeText } from '../render/encode.ts'
import { hclText, type Block, type HclValue } from '../render/hcl-text.ts'
import { bundleDigest } from './bundle-digest.ts'
import { buildBlock, buildScripts } from './packer/build.ts'
import type { Builder } from './packer/builder.ts'
import { builders } from './packer/builders.ts'
import { cloudbaseInitView, platformOf } from './packer/cloudbase-init.ts'
import { variableBlock } from './packer/variables.ts'
import { updatesView } from './packer/windows-updates.ts'
import { defineTarget, type Input, type TargetResult } from './target.ts'
import { inPowerShellTags } from './userdata/channel-files.ts'

export const packer = defineTarget({
  name: 'packer',
  summary: 'A Packer template that installs the bundle, restarts, verifies and seals an image.',
  single: false,
  limits: [],
  reads: [
    'builder',
    'source',
    'sysprep',
    'cloudbaseInit.version',
    'cloudbaseInit.sha256',
    'windowsUpdates.categories',
    'windowsUpdates.kbs',
    'provision',
    'settings',
    'omit',
    'blocks',
  ],
  make,
})

async function make(input: Input): Promise<TargetResult> {
  const { facts, bundle, render } = input
  const { builder, source } = facts.spec.targets.packer
  if (builder === undefined)
    return refused('targets.packer.builder is not set', [
      `set it to ${Object.keys(builders).join(', ')}, or to other with targets.packer.source`,
    ])
  if (builder === 'other' && source === undefined)
    return refused('targets.packer.source is not set', [
      'it names the source block that you add beside the template, such as qemu.windows',
    ])
  const row = builder === 'other' ? undefined : builders[builder]
  const name = row ? `${builder}.${facts.spec.name}` : (source ?? '')
  const { cloudbaseInit, windowsUpdates, provision } = facts.spec.targets.packer
  const platform = platformOf(name)
  const updates = windowsUpdates.categories.length + windowsUpdates.kbs.length > 0
  if (cloudbaseInit && platform === undefined)
    return refused(`targets.packer.cloudbaseInit has no configuration for ${name}`, [
      'install and configure cloudbase-init with targets.packer.provision, or in the image that you start from',
    ])
  const sysprep = row?.sysprep ?? sysprepScript(facts.spec.targets.packer.sysprep, name)
  const scripts = [
    ...buildScripts,
    ...(sysprep === undefined ? [] : [sysprep]),
    ...(row?.files ?? []),
  ]
  const copy = (path: string, from: string) =>
    render({ path, body: { kind: 'static', source: `packer/${from}` } })
  const written = (script: string, view: View) => {
    const body = { kind: 'template', template: `targets/${script}.hbs`, view } as const
    return render({ path: `scripts/${script}`, body })
  }
  const build = buildBlock({
    source: name,
    sysprep,
    windowsUpdates: updates,
    cloudbaseInit: cloudbaseInit !== undefined,
    provision,
    imageData: imageData(facts, bundleDigest(bundle)),
  })
  const files = [
    hclFile('winnode.pkr.hcl', `Builds the image ${facts.spec.name}; sources are beside it.`, [
      build,
    ]),
    ...(row && builder !== 'other' ? sourceFiles(input, builder, row) : []),
    ...(await Promise.all(scripts.map((one) => copy(`scripts/${one}`, one)))),
    ...(updates ? [await written('windows-updates.ps1', updatesView(windowsUpdates))] : []),
    ...(cloudbaseInit && platform
      ? [await written('cloudbase-init.ps1', cloudbaseInitView(platform, cloudbaseInit))]
      : []),
    ...(await Promise.all((row?.beside ?? []).map((one) => copy(one, one)))),
    ...(row?.userData === undefined
      ? []
      : [userDataOf(await copy('', row.userData), row.userData)]),
  ]
  return { kind: 'made', files, next: nextSteps(input, row) }
}

const sysprepScripts: Readonly<Record<SysprepWay, string | undefined>> = {
  windows: 'sysprep.ps1',
  ec2launch: 'sysprep-amazon.ps1',
  none: undefined,
}

/** Of a source that the user supplies. */
function sysprepScript(way: SysprepWay | undefined, source: string): string | undefined {
  const platform = platformOf(source)
  const derived = platform === 'amazon' ? 'ec2launch' : platform === undefined ? 'none' : 'windows'
  return sysprepScripts[way ?? derived]
}

function userDataOf({ content }: RenderedFile, name: string): RenderedFile {
  const text = inPowerShellTags(new TextDecoder().decode(content))
  return { path: `scripts/${name.replace(/\.ps1$/, '.txt')}`, content: encodeText(text) }
}

/** The source block with the settings of the profile, and the variables and locals that it uses. */
function sourceOf(input: Input, type: string, row: Builder) {
  const { name, targets } = input.facts.spec
  const { settings, blocks, omit } = targets.packer
  const own = (row.blocks?.(input) ?? []).filter((block) => !(block.type in blocks))
  const source: Block = {
    type: 'source',
    labels: [type, name],
    attributes: { ...without(row.settings(input), omit), ...settings },
    blocks: [
      ...own,
      ...Object.entries(blocks).map(([block, attributes]) => ({
        type: block,
        attributes,
      })),
    ],
  }
  const locals: readonly Block[] = row.locals ? [{ type: 'locals', attributes: row.locals }] : []
  const used = hclText('', [...locals, source])
  const variables = row
    .variables(input)
    .filter((one) => new RegExp(`\\bvar\\.${one.name}\\b`).test(used))
  return { source, locals, variables }
}

function without(
  attributes: Readonly<Record<string, HclValue>>,
  omit: readonly string[],
): Readonly<Record<string, HclValue>> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !omit.includes(name)))
}

function sourceFiles(input: Input, type: string, row: Builder): readonly RenderedFile[] {
  const { source, locals, variables } = sourceOf(input, type, row)
  const plugin = { [type.replace(/-.*/, '')]: row.plugin }
  return [
    hclFile('source.pkr.hcl', `Where the image comes from: ${row.see}`, [
      ...variables.map(variableBlock),
      ...locals,
      source,
    ]),
    hclFile('plugins.pkr.hcl', 'For packer init; a Packer before 1.7 does not know it.', [
      { type: 'packer', blocks: [requiredPlugins(plugin)] },
    ]),
  ]
}

function requiredPlugins(plugin: Readonly<Record<string, Builder['plugin']>>): Block {
  return { type: 'required_plugins', attributes: plugin }
}

/** The custom data of Packer's manifest. */
function imageData({ spec, windows }: Facts, digest: string): Readonly<Record<string, string>> {
  return {
    bundle: digest,
    name: spec.name,
    kubernetes: spec.kubernetes.version,
    containerd: spec.containerd.version,
    windows: `10.0.${windows.build}`,
  }
}

function nextSteps(input: Input, row: Builder | undefined): readonly string[] {
  const variables = row ? sourceOf(input, '', row).variables : []
  const asked = variables.filter(({ fallback }) => fallback === undefined)
  const names = asked.map(({ name }) => name).join(', ')
  return [
    ...(names === ''
      ? []
      : [`set the variables ${names} (-var-file FILE, or PKR_VAR_NAME in the environment)`]),
    'in the output folder, run packer init . && packer build .',
  ]
}

function hclFile(path: string, comment: string, blocks: readonly Block[]): RenderedFile {
  return { path, content: encodeText(hclText(comment, blocks)) }
}

function refused(message: string, hints: readonly string[]): TargetResult {
  return { kind: 'refused', message, hints }
}
