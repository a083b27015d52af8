// The field of findings that somebody has considered, and accepts.
import * as v from 'valibot'
import { day, field } from '../../model/field.ts'

export const ignore = field(
  v.record(
    v.string(),
    v.strictObject({
      reason: v.pipe(v.string(), v.regex(/\S/, 'a reason, as one sentence')),
      until: v.optional(day),
    }),
  ),
  {},
  {
    what: 'Warnings and notes that are not shown any more, by rule, each with the reason and, if it should not hold for ever, the last day.',
    why: 'What was considered once need not be read at every run, and `--strict` passes. Errors cannot be ignored. `--verbose` still shows them, and nothing of it enters the bundle.',
    example: {
      'kubelet-port-open-to-all': {
        reason: 'The network lets only the control plane through.',
        until: '2027-06-30',
      },
    },
  },
)
