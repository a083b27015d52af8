// The field that lists accepted findings.
import * as v from 'valibot'
import { day, field, text } from '../../model/field.ts'

export const ignore = field(
  v.record(
    v.string(),
    v.strictObject({
      reason: text(/\S/, 'a reason, as one sentence'),
      until: v.optional(day),
    }),
  ),
  {},
  {
    what: 'Warnings and notes to hide, by rule id, each with a reason and an optional last day.',
    why: 'Accepted findings are not shown, and `--strict` passes. Errors cannot be ignored. `--verbose` still shows them, and the bundle does not contain the list.',
    example: {
      'kubelet-port-open-to-all': {
        reason: 'The network firewall allows only the control plane.',
        until: '2027-06-30',
      },
    },
  },
)
