// The flags of init: one for every question.
import { fieldOf } from '../profile/catalogue.ts'
import { codecFor } from './row.ts'
import type { Flag } from './question.ts'
import { rows } from './rows.ts'

export const flags: readonly Flag[] = rows.map((row) => {
  const field = fieldOf(row.path)
  return {
    flag: row.id,
    question: row.id,
    summary: field?.what ?? row.title,
    kind: codecFor(row).kind,
    choices: field?.form.kind === 'choice' ? field.form.choices.map(String) : [],
  }
})
