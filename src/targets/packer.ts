// Target packer: a template that builds an image with the bundle, with a known builder or one that the user supplies.
import type { Facts } from '../model/facts.ts'
import type { RenderedFile } from '../model/plan.ts'
import { encodeText } from '../render/encode.ts'
import { hclText, type Block } from '../render/hcl-text.ts'
import { bundleDigest } from './bundle-digest.ts'
import { buildBlock, buildScripts } from './packer/build.ts'
import type { Builder } from './packer/builder.ts'
import { builders } from './packer/builders.ts'
import { variableBlock } from './packer/variables.ts'
import { defineTarget, type Input, type TargetResult } from './target.ts'
import { inPowerShellTags } from './userdata/channel-files.ts'

export const packer = defineTarget({
  name: 'packer',
  summary: 'A Packer template that installs the bundle, restarts, verifies and seals an image.',
  single: false,
  limits: [],
  reads: ['builder', 'source'],
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
  const scripts = [...buildScripts, ...(row ? [row.sysprep, ...row.files] : [])]
  const copy = (path: string, from: string) =>
    render({ path, body: { kind: 'static', source: `packer/${from}` } })
  const build = buildBlock(name, row?.sysprep, imageData(facts, bundleDigest(bundle)))
  const files = [
    hclFile('winnode.pkr.hcl', `Builds the image ${facts.spec.name}; sources are beside it.`, [
      build,
    ]),
    ...(row && builder !== 'other' ? sourceFiles(input, builder, row) : []),
    ...(await Promise.all(scripts.map((one) => copy(`scripts/${one}`, one)))),
    ...(await Promise.all((row?.beside ?? []).map((one) => copy(one, one)))),
    ...(row?.userData === undefined
      ? []
      : [userDataOf(await copy('', row.userData), row.userData)]),
  ]
  return { kind: 'made', files, next: nextSteps(input, row) }
}

function userDataOf({ content }: RenderedFile, name: string): RenderedFile {
  const text = inPowerShellTags(new TextDecoder().decode(content))
  return { path: `scripts/${name.replace(/\.ps1$/, '.txt')}`, content: encodeText(text) }
}

function sourceFiles(input: Input, type: string, row: Builder): readonly RenderedFile[] {
  const source: Block = {
    type: 'source',
    labels: [type, input.facts.spec.name],
    attributes: row.settings(input),
    blocks: row.blocks?.(input) ?? [],
  }
  const variables = row.variables(input).map(variableBlock)
  const plugin = { [type.replace(/-.*/, '')]: row.plugin }
  const locals: readonly Block[] = row.locals ? [{ type: 'locals', attributes: row.locals }] : []
  return [
    hclFile('source.pkr.hcl', `Where the image comes from: ${row.see}`, [
      ...variables,
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
  const asked = row?.variables(input).filter(({ fallback }) => fallback === undefined) ?? []
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
