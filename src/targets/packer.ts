// Target packer: a template that builds an image with the bundle, with a known builder or one that the user supplies.
import { windowsVersion } from '../matrix/windows.ts'
import type { Facts } from '../model/facts.ts'
import { packerBuilders, type SysprepMode, type TargetSettings } from '../model/target-settings.ts'
import { expression, type Expression } from '../render/hcl-text.ts'
import { bundleDigest } from '../render/bundle-digest.ts'
import { mirrorFiles } from '../steps/preflight.ts'
import { buildBlock } from './packer/build.ts'
import { builders } from './packer/builders.ts'
import { platformOf } from './packer/cloudbase-init.ts'
import { hclFile } from './packer/hcl-file.ts'
import { scriptFiles } from './packer/scripts.ts'
import { type Source, sourceFiles, sourceOf } from './packer/source.ts'
import type { Variable } from './packer/variables.ts'
import { defineTarget, refused, type Input, type Refusal } from './target.ts'

type Settings = TargetSettings['packer']

export const packer = defineTarget({
  name: 'packer',
  single: false,
  make: async (input) => {
    const { facts, bundle } = input
    const { name } = facts.spec
    const settings = facts.spec.targets.packer
    const label = sourceLabel(settings, name)
    const row = rowOf(settings)
    const refusals = [...refusalsOf(settings, label), ...idleFields(input, row)]
    if (refusals.length > 0) return refused(...refusals)
    const source = row && sourceOf(input, label, row)
    const sysprep = row?.sysprep ?? sysprepScript(settings.sysprep, label)
    const build = buildBlock({
      source: label,
      sysprep,
      settings,
      imageData: { ...imageData(facts, bundleDigest(bundle)), ...origin(label, source) },
    })
    const files = [
      hclFile('winnode.pkr.hcl', `Builds the image ${name}; sources are beside it.`, [build]),
      ...(source ? sourceFiles(source) : []),
      ...(await scriptFiles(input, { row, sysprep, platform: platformOf(label) })),
    ]
    return { kind: 'made', files, next: nextSteps(input, source?.variables ?? []) }
  },
})

/** `undefined` for the user's own source block. */
function rowOf({ builder }: Settings) {
  return builder === undefined || builder === 'other' ? undefined : builders[builder]
}

/** `TYPE.NAME` of the source block. */
function sourceLabel({ builder, source }: Settings, name: string): string {
  return builder === 'other' ? (source ?? '') : `${builder}.${name}`
}

function refusalsOf(
  { builder, source, cloudbaseInit }: Settings,
  label: string,
): readonly Refusal[] {
  if (builder === undefined)
    return [
      {
        path: ['targets', 'packer', 'builder'],
        message: 'targets.packer.builder is not set',
        remedy: `Set it to one of: ${packerBuilders.join(', ')}.`,
      },
    ]
  if (builder === 'other' && source === undefined)
    return [
      {
        path: ['targets', 'packer', 'source'],
        message: 'targets.packer.source is not set',
        remedy: 'Set it to your source block beside the template, such as qemu.windows.',
      },
    ]
  return cloudbaseInit && platformOf(label) === undefined
    ? [
        {
          path: ['targets', 'packer', 'cloudbaseInit'],
          message: `no configuration of cloudbase-init is known for ${label}`,
          remedy:
            'Install and configure cloudbase-init with targets.packer.provision, or in the image that you start from.',
        },
      ]
    : []
}

/** What is set, and changes nothing in the template. */
function idleFields(
  input: Input,
  row: (typeof builders)[keyof typeof builders] | undefined,
): readonly Refusal[] {
  const { builder, omit } = input.facts.spec.targets.packer
  const others = row ? ['source', 'sysprep'] : ['settings', 'blocks', 'omit']
  const idle = builder === undefined ? [] : others
  const attributes = row?.settings(input) ?? {}
  const unknown = row ? omit.filter((name) => !Object.hasOwn(attributes, name)) : []
  return [
    ...idle.flatMap((field) =>
      input.isSet(['targets', 'packer', field])
        ? [
            {
              path: ['targets', 'packer', field],
              message: `${field} has no effect: builder ${builder} has no such setting`,
              remedy: `Remove targets.packer.${field}.`,
            },
          ]
        : [],
    ),
    ...unknown.map((name) => ({
      path: ['targets', 'packer', 'omit'],
      message: `omit has no effect on ${name}: winnode does not write it for ${builder}`,
      remedy: `Remove it, or write one of ${Object.keys(attributes).join(', ')}.`,
    })),
  ]
}

const sysprepScripts: Readonly<Record<SysprepMode, string | undefined>> = {
  windows: 'sysprep.ps1',
  ec2launch: 'sysprep-amazon.ps1',
  none: undefined,
}

/** Of a source that the user supplies. */
function sysprepScript(way: SysprepMode | undefined, source: string): string | undefined {
  if (way !== undefined) return sysprepScripts[way]
  const [, platform] = /^(azure|amazon|vsphere|hyperv)-/.exec(source) ?? []
  return sysprepScripts[platform === 'amazon' ? 'ec2launch' : platform ? 'windows' : 'none']
}

/** The custom data of Packer's manifest. */
function imageData({ spec, windows }: Facts, digest: string): Readonly<Record<string, string>> {
  return {
    bundle: digest,
    name: spec.name,
    kubernetes: spec.kubernetes.version,
    containerd: spec.containerd.version,
    windows: windowsVersion(windows),
  }
}

/** The image that the build starts from, and the day: known to Packer only while it builds. */
function origin(label: string, source: Source | undefined): Readonly<Record<string, Expression>> {
  const type = label.replace(/\..*/, '')
  const image = isBuilder(type) ? builders[type].image : undefined
  const [, needed] = /\bvar\.(\w+)/.exec(image ?? '') ?? []
  const isMissing = needed !== undefined && !source?.variables.some(({ name }) => name === needed)
  return {
    ...(image !== undefined && !isMissing && { source: expression(image) }),
    date: expression('formatdate("YYYY-MM-DD", timestamp())'),
  }
}

function isBuilder(type: string): type is keyof typeof builders {
  return Object.hasOwn(builders, type)
}

function nextSteps({ facts }: Input, variables: readonly Variable[]): readonly string[] {
  const { provision } = facts.spec.targets.packer
  const required = variables.filter(({ fallback }) => fallback === undefined)
  const names = required.map(({ name }) => name).join(', ')
  return [
    // Install refuses to start without them, and no provisioner runs before it.
    ...mirrorFiles(facts).map(
      (file) => `the image or media that the build starts from needs ${file}`,
    ),
    ...provision.map((file) => `the build runs ${file}, relative to the output folder`),
    ...(names === ''
      ? []
      : [`set the variables ${names} (-var-file FILE, or PKR_VAR_NAME in the environment)`]),
    'in the output folder, run packer init . && packer build .',
  ]
}
