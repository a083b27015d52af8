// winnode matrix: what works with what, by the rules.
import * as Flags from '@oclif/core/flags'
import { backendNames, cniNames } from '../cni/index.ts'
import { containerdLines } from '../matrix/containerd.ts'
import { kubernetesMinors, minorsWith } from '../matrix/kubernetes.ts'
import { runsKubernetes, typedNames, windowsReleases, windowsWith } from '../matrix/windows.ts'
import { windowsIds } from '../model/choices.ts'
import { findingsJson } from '../present/json.ts'
import { matrixMarkdown, matrixText } from '../present/matrix.ts'
import { combinations, type Network } from '../support/combinations.ts'
import { BaseCommand } from './base.ts'
import { examplePlugin, examples } from './examples.ts'
import { Failure } from './failure.ts'
import { asOf, several, severalOf } from './flags.ts'
import { factsFlag } from './profile-flags.ts'
import { matrixNetworks } from './matrix/networks.ts'

const minors = kubernetesMinors.map(({ minor }) => minor)

export default class Matrix extends BaseCommand {
  static override summary = 'Show what works with what, and why.'
  static override examples = examples({
    'Show what is supported today': 'matrix',
    'Ask for one combination': `matrix --windows ws2025 --kubernetes 1.36 --cni ${examplePlugin}`,
    'Show the networks with VXLAN': 'matrix --backend vxlan',
    'Compare containerd lines': 'matrix --windows ws2022 --containerd 2.3,2.2,1.7',
    'Show everything, as Markdown': 'matrix --all --markdown',
  })
  static override flags = {
    windows: Flags.string({
      ...several,
      options: [...windowsIds],
      summary: 'Windows releases; default: all that are supported.',
      // Before oclif compares with the options.
      parse: (typed) =>
        Promise.resolve(
          windowsReleases.find((one) => typedNames(one).includes(typed))?.id ?? typed,
        ),
    }),
    kubernetes: severalOf(minors, 'Kubernetes minors; default: all that are supported.'),
    containerd: severalOf(
      containerdLines.map(({ line }) => line),
      'Lines of containerd; default: what a profile gets.',
    ),
    cni: severalOf(cniNames, 'Network plugins; default: all.'),
    backend: severalOf(backendNames, 'Backends of network plugins; default: all.'),
    all: Flags.boolean({ summary: 'Include versions out of support.' }),
    facts: factsFlag,
    'as-of': asOf(),
    markdown: Flags.boolean({ summary: 'Print Markdown.' }),
  }

  async run(): Promise<object> {
    const { flags } = await this.parse(Matrix)
    const today = this.today(flags['as-of'])
    const { all } = flags
    const known = minorsWith(flags.facts)
    const windows: readonly string[] =
      flags.windows ??
      windowsWith(flags.facts)
        .filter((one) => runsKubernetes(one) && (all || today <= one.extendedEnd))
        .map(({ id }) => id)
    const kubernetes =
      flags.kubernetes ??
      known.filter(({ endOfLife }) => all || today <= endOfLife).map(({ minor }) => minor)
    if (windows.length === 0 || kubernetes.length === 0)
      throw new Failure('usage', `nothing is supported on ${today}`, [
        'use --all to include versions out of support',
      ])
    const networks = matrixNetworks(flags.cni ?? cniNames, this.config.root)
    const wanted = networks.filter(
      ({ backend }) => !flags.backend || flags.backend.includes(backend),
    )
    if (wanted.length === 0) throw noSuchBackend(networks, flags.backend ?? [])
    const cells = combinations(
      {
        windows: windowsIds.filter((id) => windows.includes(id)).toReversed(),
        kubernetes: known
          .map(({ minor }) => minor)
          .filter((minor) => kubernetes.includes(minor))
          .toReversed(),
        containerd: flags.containerd ?? [undefined],
        networks: wanted,
      },
      { today, added: flags.facts },
    )
    this.print(flags.markdown ? matrixMarkdown(cells) : matrixText(cells, this.screen('stdout')))
    this.printStatus(
      `as of ${today}, for machines with all updates and the newest patch of each line`,
    )
    return {
      asOf: today,
      cells: cells.map(({ findings, ...cell }) => ({ ...cell, findings: findingsJson(findings) })),
    }
  }
}

function noSuchBackend(networks: readonly Network[], backends: readonly string[]): Failure {
  const plugins = [...new Set(networks.map(({ cni }) => cni))].join(', ')
  const known = [...new Set(networks.map(({ backend }) => backend))].filter(Boolean).join(', ')
  return new Failure('usage', `${plugins}: no backend ${backends.join(', ')}`, [
    known === '' ? 'winnode knows no backends of other plugins' : `use ${known}`,
  ])
}
