// Diagnoses of `winnode doctor`.
import { diagnoses } from '../../doctor/diagnoses.ts'
import { factsOf, type Topic } from './topic.ts'

export const diagnosisTopic: Topic = {
  subjects: () => diagnoses.map(({ id, cause }) => ({ name: id, note: cause })),
  explain: (name) =>
    diagnoses
      .filter(({ id }) => id === name)
      .map(({ id, cause, fix, severity, confidence, sign, causedBy = [], note, see }) => ({
        kind: 'diagnosis',
        name: id,
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
      })),
}
