// Diagnoses of `winnode doctor`.
import { diagnoses } from '../../doctor/diagnoses.ts'
import { factsOf, topicOf } from './topic.ts'

export const diagnosisTopic = topicOf(
  () => diagnoses.map((one) => ({ ...one, summary: one.cause })),
  ({ cause, fix, severity, confidence, sign, causedBy = [], note, see }) => ({
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
  }),
)
