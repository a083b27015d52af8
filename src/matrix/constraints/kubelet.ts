// What the kubelet on Windows asks of its configuration before it starts, in the order of their topics.
import type { Constraint } from '../../model/constraint.ts'
import { evictionConstraints } from './kubelet-eviction.ts'
import { kubeletLate } from './kubelet-late.ts'
import { kubeletNumbers } from './kubelet-numbers.ts'
import { kubeletTogether } from './kubelet-together.ts'
import { kubeletWords } from './kubelet-words.ts'
import { loggingConstraints } from './logging.ts'

export const kubeletConstraints = (): readonly Constraint[] => [
  ...kubeletNumbers(),
  ...kubeletWords(),
  ...kubeletTogether(),
  ...kubeletLate(),
  ...evictionConstraints(),
  ...loggingConstraints(),
]
