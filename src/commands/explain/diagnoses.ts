// Diagnoses of `winnode doctor`.
import { diagnoses, type Diagnosis } from '../../doctor/diagnoses.ts'
import type { Explanation } from '../../present/explanation.ts'
import { factsOf, topicOf } from './topic.ts'

export const diagnosisTopic = topicOf(
  () => diagnoses.map((one) => ({ ...one, summary: one.cause })),
  explain,
)

/** What a line of a log, or the text of a check, is evidence of. */
export function messageExplanations(text: string): readonly Explanation[] {
  return diagnoses
    .filter(({ messages }) =>
      // A pattern of what must be absent matches nearly every text.
      messages.some((pattern) => pattern.test(text) && !pattern.test('')),
    )
    .map((one) => ({ name: one.id, ...explain(one) }))
}

function explain(row: Diagnosis): Omit<Explanation, 'name'> {
  const { cause, fix, severity, confidence, sign, causedBy = [], note, see } = row
  return {
    kind: 'diagnosis',
    what: cause,
    facts: factsOf({
      severity,
      confidence,
      fix,
      'looks at': [...new Set(sign.needs)].join(', '),
      'not reported with': causedBy.join(', '),
      note,
    }),
    see: [see],
  }
}
