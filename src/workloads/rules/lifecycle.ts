// Termination of containers: grace period, signals, messages.
import { textAt, valueAt } from '../../model/json.ts'
import { when } from '../../model/rule.ts'
import { defineWorkloadRule } from '../rule.ts'
import { isSet } from '../workload.ts'

const intro = 'https://kubernetes.io/docs/concepts/windows/intro/'

/** In seconds: what the API server fills in, and how long Windows waits for a container by default. */
const [defaultPeriod, windowsWaits] = [30, 5]

export const gracePeriod = defineWorkloadRule({
  id: 'grace-period',
  severity: 'info',
  harm: 'limits',
  summary: 'Images are built for the grace period of their pod.',
  remedy: 'Set WaitToKillServiceTimeout in the image, or handle the shutdown event in the program.',
  see: `${intro}#compatibility-v1-pod`,
  check: ({ spec, path }) => {
    const period = spec['terminationGracePeriodSeconds']
    return when(
      typeof period === 'number' && period > windowsWaits && period !== defaultPeriod,
      [...path, 'terminationGracePeriodSeconds'],
      `terminationGracePeriodSeconds is ${JSON.stringify(period)}; after the shutdown event, Windows waits as long as the image’s registry says: 5 s by default`,
    )
  },
})

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

const defaultMessagePath = '/dev/termination-log'

export const terminationMessage = defineWorkloadRule({
  id: 'termination-message-path',
  severity: 'warning',
  harm: 'limits',
  summary: 'Containers keep the default terminationMessagePath.',
  remedy: 'Delete it.',
  see: `${intro}#compatibility-v1-pod-spec-containers`,
  check: ({ containers }) =>
    containers.flatMap(({ spec, path, title }) => {
      const file = textAt(spec, ['terminationMessagePath'])
      return when(
        file !== '' && file !== defaultMessagePath,
        [...path, 'terminationMessagePath'],
        `${title}: terminationMessagePath is ${file}; Windows cannot mount a single file there`,
      )
    }),
})
