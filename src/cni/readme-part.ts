// Sections of a bundle's README files, and rows for its files.
import { compareText } from '../model/finding.ts'
import type { Decision, Part, PlannedFile, View } from '../model/plan.ts'
import type { CniName } from '../model/plugin-settings.ts'

export function part(name: string, view: View = {}): Part {
  return { template: `cluster/readme/${name}.md.hbs`, view }
}

/** A section of a network plugin, from its folder in `templates/cni`. */
export function pluginPart(plugin: CniName, name: string, view: View = {}): Part {
  return { template: `cni/${plugin}/${name}.md.hbs`, view }
}

/** The reason of a decision may contain one command, in backticks. */
export function decisionRow({ subject, value, reason }: Decision) {
  const [words = '', command = '', rest = ''] = reason.split('`')
  return { subject, value, reason: words, command, rest }
}

export function listed(files: readonly PlannedFile[], below: RegExp) {
  return files
    .filter(({ path }) => below.test(path))
    .map(({ path, summary }) => ({ path, summary }))
    .sort((a, b) => compareText(a.path, b.path))
}
