// Every word that `winnode explain` knows for a subject: the table, network plugins, Windows releases, groups of findings.
import { cniNames } from '../../cni/index.ts'
import { relatedNames } from '../../matrix/related-names.ts'
import { windowsReleases } from '../../matrix/windows.ts'
import type { Rule } from '../../model/rule.ts'
import { fields } from '../../profile/catalogue.ts'
import { rules } from '../../rules/index.ts'

interface Row {
  readonly words: readonly string[]
  readonly names: readonly string[]
}

const versions = ['kubernetes.version', 'containerd.version', 'version-has-advisory']

const rows: readonly Row[] = [
  ...relatedNames,
  ...cniNames.map(pluginRow),
  {
    words: windowsReleases.map(({ id }) => id),
    names: ['windows.release', ...idsOf(({ id }) => id.startsWith('windows-'))],
  },
  { words: ['upgrade', 'version'], names: [...versions, ...idsOf((rule) => rule.untested)] },
  // Groups of findings.
  { words: ['exposure'], names: idsOf(({ exposure }) => exposure) },
  { words: ['defects', 'defect'], names: idsOf(({ countedAs }) => countedAs === 'defect') },
]

function idsOf(isSelected: (rule: Rule) => boolean | undefined): readonly string[] {
  return rules.filter(isSelected).map(({ id }) => id)
}

/** With the rules of a network plugin, whose names begin with its own. */
function pluginRow(cni: string): Row {
  const own = idsOf(({ id }) => id.startsWith(`${cni}-`))
  const group = fields.some(({ path }) => path.join('.') === `network.${cni}`)
  return { words: [cni], names: [...(group ? [`network.${cni}`] : []), 'network.cni', ...own] }
}

/** Each word with its names. */
export const wordRows: readonly (readonly [word: string, names: readonly string[]])[] =
  rows.flatMap(({ words, names }) => words.map((word) => [word, names] as const))
