// The table from flags to questions: every question can be answered on the command line.
import { fieldOf } from '../profile/catalogue.ts'
import { writingFor } from './row.ts'
import type { Flag } from './question.ts'
import { rows } from './rows.ts'

export const flags: readonly Flag[] = rows.map((row) => {
  const field = fieldOf(row.path)
  return {
    flag: row.id,
    question: row.id,
    summary: field?.what ?? row.title,
    kind: writingFor(row).kind,
    choices: field?.form.kind === 'choice' ? field.form.choices.map(String) : [],
  }
})
