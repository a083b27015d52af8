// What the kubelet and kube-proxy ask of `logging`, which both take from component-base.
import type { Constraint } from '../../model/constraint.ts'

const see = 'https://github.com/kubernetes/component-base/blob/master/logs/api/v1/options.go'
const most = 2_147_483_647

export const loggingConstraints = (): readonly Constraint[] => [
  // Older minors panic at what newer ones refuse.
  { path: 'logging.flushFrequency', above: '0s', see },
  { path: 'logging.format', oneOf: ['text', 'json'], see },
  {
    path: 'logging.format',
    gate: 'LoggingBetaOptions',
    when: { path: 'logging.format', is: 'json' },
    see,
  },
  { path: 'logging.verbosity', most, see },
  {
    path: 'logging.vmodule',
    never: 'only the format text knows it',
    when: { path: 'logging.format', is: 'json' },
    see,
  },
  { path: 'logging.vmodule[]', form: 'module of logs', see },
  { path: 'logging.vmodule[].verbosity', most, see },
  ...(['json', 'text'] as const).flatMap((format): readonly Constraint[] => [
    {
      path: `logging.options.${format}.infoBufferSize`,
      gate: 'LoggingAlphaOptions',
      unless: '0',
      see,
    },
    {
      path: `logging.options.${format}.splitStream`,
      ignored: `the flag --log-${format}-split-stream comes over it`,
      when: { path: `logging.options.${format}.splitStream`, is: true },
      see,
    },
  ]),
]
