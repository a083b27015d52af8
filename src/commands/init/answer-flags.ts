// A flag for every question of the wizard.
import * as Flags from '@oclif/core/flags'
import type { Kind } from '../../wizard/question.ts'
import { flags } from '../../wizard/flags.ts'

/** The heading of these flags in the help. */
export const answerGroup = 'ANSWER'

/** What help shows for a value. */
const forms: Readonly<Partial<Record<Kind, string>>> = {
  list: 'A,B',
  pairs: 'KEY=VALUE,...',
  confirm: 'yes|no',
  block: 'TEXT',
}

/** Longer lists of choices come after the summary, so that it has room. */
const longestChoices = 12

const byQuestion = Object.fromEntries(
  flags.map(({ id, aliases, kind, summary, choices }) => {
    const listed = choices.join('|')
    const isLong = listed.length > longestChoices
    const helpValue = isLong ? 'NAME' : listed || (forms[kind] ?? 'VALUE')
    const text = isLong ? `${summary} One of: ${choices.join(', ')}.` : summary
    return [
      id,
      Flags.string({ aliases: [...aliases], summary: text, helpGroup: answerGroup, helpValue }),
    ]
  }),
)

export const answerFlags = {
  unset: Flags.string({
    helpValue: 'ANSWER',
    multiple: true,
    dependsOn: ['from'],
    summary:
      'Remove a setting of --from: an answer flag such as labels, or a field such as kubelet.maxPods.',
  }),
  ...byQuestion,
}

/** An empty answer removes what the base sets. */
export const answerNames: ReadonlySet<string> = new Set(
  Object.keys(byQuestion).map((name) => `--${name}`),
)

/** The answers given by flags, in the order of the questions. */
export function answersIn(
  given: Readonly<Record<string, unknown>>,
): readonly { readonly id: string; readonly text: string }[] {
  return flags.flatMap(({ id }) => {
    const text = given[id]
    return typeof text === 'string' ? [{ id, text }] : []
  })
}
