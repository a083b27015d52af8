// The signal that ends a container.
import { valueAt } from '../../model/json.ts'
import { when } from '../../model/rule.ts'
import { defineWorkloadRule } from '../rule.ts'
import { isSet } from '../workload.ts'

export const stopSignal = defineWorkloadRule({
  id: 'stop-signal',
  severity: 'warning',
  harm: 'limits',
  summary: 'Containers set no stop signal.',
  remedy: 'Delete it.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/apis/core/validation/validation.go',
  check: ({ containers }) =>
    containers.flatMap(({ spec, path, title }) =>
      when(
        isSet(valueAt(spec, ['lifecycle', 'stopSignal'])),
        [...path, 'lifecycle', 'stopSignal'],
        `${title}: the API server drops lifecycle.stopSignal`,
      ),
    ),
})
