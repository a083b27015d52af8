// The source block of a known builder, with the variables and the plugin that it needs.
import type { RenderedFile } from '../../model/plan.ts'
import { hclText, type Block, type HclValue } from '../../render/hcl-text.ts'
import type { Input } from '../target.ts'
import type { Builder } from './builder.ts'
import { hclFile } from './hcl-file.ts'
import { variableBlock, type Variable } from './variables.ts'

export interface Source {
  readonly row: Builder
  /** The first part of the builder's type, by which Packer knows its plugin. */
  readonly plugin: string
  readonly block: Block
  readonly locals: readonly Block[]
  /** Those that the blocks use. */
  readonly variables: readonly Variable[]
}

/** With the settings of the profile. `label` is `TYPE.NAME`. */
export function sourceOf(input: Input, label: string, row: Builder): Source {
  const { settings, blocks, omit } = input.facts.spec.targets.packer
  const [type = '', name = ''] = label.split(/\.(.*)/s)
  const block: Block = {
    type: 'source',
    labels: [type, name],
    attributes: { ...without(row.settings(input), omit), ...settings },
    blocks: [
      ...(row.blocks?.(input) ?? []).filter((one) => !(one.type in blocks)),
      ...Object.entries(blocks).map(([one, attributes]) => ({ type: one, attributes })),
    ],
  }
  const locals: readonly Block[] = row.locals ? [{ type: 'locals', attributes: row.locals }] : []
  const text = hclText('', [...locals, block])
  const variables = row
    .variables(input)
    .filter((one) => new RegExp(`\\bvar\\.${one.name}\\b`).test(text))
  return { row, plugin: type.replace(/-.*/, ''), block, locals, variables }
}

function without(
  attributes: Readonly<Record<string, HclValue>>,
  omit: readonly string[],
): Readonly<Record<string, HclValue>> {
  return Object.fromEntries(Object.entries(attributes).filter(([name]) => !omit.includes(name)))
}

export function sourceFiles({
  row,
  plugin,
  block,
  locals,
  variables,
}: Source): readonly RenderedFile[] {
  const plugins = { type: 'required_plugins', attributes: { [plugin]: row.plugin } }
  return [
    hclFile('source.pkr.hcl', `Where the image comes from: ${row.see}`, [
      ...variables.map(variableBlock),
      ...locals,
      block,
    ]),
    hclFile('plugins.pkr.hcl', 'For packer init; a Packer before 1.7 does not know it.', [
      { type: 'packer', blocks: [plugins] },
    ]),
  ]
}
