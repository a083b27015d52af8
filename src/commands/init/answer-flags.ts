// A flag for every question of the wizard.
import * as Flags from '@oclif/core/flags'
import type { Kind } from '../../wizard/question.ts'
import { flags } from '../../wizard/flags.ts'

const values: Readonly<Partial<Record<Kind, string>>> = {
  list: 'A,B',
  pairs: 'KEY=VALUE,...',
  confirm: 'yes|no',
  block: 'TEXT',
}

const byQuestion = Object.fromEntries(
  flags.map(({ flag, kind, summary }) => {
    const helpValue = values[kind]
    return [
      flag,
      Flags.string({
        summary,
        helpGroup: 'ANSWERS',
        ...(helpValue !== undefined && { helpValue }),
      }),
    ]
  }),
)

export const answerFlags = {
  unset: Flags.string({
    helpValue: 'ANSWER',
    multiple: true,
    dependsOn: ['from'],
    summary: 'Take this setting out of the profile again: the name of an answer below, or a field.',
  }),
  ...byQuestion,
}

/** The answers given by flags, in the order of the questions. */
export function answersIn(
  given: Readonly<Record<string, unknown>>,
): readonly { readonly flag: string; readonly question: string; readonly text: string }[] {
  return flags.flatMap(({ flag, question }) => {
    const text = given[flag]
    return typeof text === 'string' ? [{ flag, question, text }] : []
  })
}
