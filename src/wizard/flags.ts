// The flags of init: one for every question.
import { fieldOf } from '../profile/catalogue.ts'
import { codecFor } from './row.ts'
import type { Flag } from './question.ts'
import { rows } from './rows.ts'

/** Last words of fields that mean something only with the group before them. */
const shared: ReadonlySet<string> = new Set(['version', 'release', 'model', 'method'])

/** The field's own word, as a flag: `--serving-certificate-approver`, `--kubernetes-version`. */
function wordOf(path: readonly string[]): string {
  const words = shared.has(path.at(-1) ?? '') ? path.slice(-2) : path.slice(-1)
  const apart = words.join('-').replace(/URLs|CIDRs?|DNS/g, (word) => `-${word.toLowerCase()}-`)
  return apart
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .split('-')
    .filter(Boolean)
    .join('-')
}

const taken: ReadonlySet<string> = new Set(rows.map(({ id }) => id))

export const flags: readonly Flag[] = rows.map((row) => {
  const field = fieldOf(row.path)
  return {
    id: row.id,
    aliases: [wordOf(row.path)].filter((word) => !taken.has(word)),
    summary: field?.what ?? row.title,
    kind: codecFor(row).kind,
    choices: row.listed ?? (field?.form.kind === 'choice' ? field.form.choices.map(String) : []),
  }
})
