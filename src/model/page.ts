// Page: a part of cluster/README.md, and files of a bundle as rows in it.
import { compareText } from './finding.ts'
import type { Part, PlannedFile, View } from './plan.ts'

export function part(name: string, view: View = {}): Part {
  return { template: `cluster/readme/${name}.md.hbs`, view }
}

export function listed(files: readonly PlannedFile[], below: RegExp) {
  return files
    .filter(({ path }) => below.test(path))
    .map(({ path, summary }) => ({ path, summary }))
    .sort((a, b) => compareText(a.path, b.path))
}
