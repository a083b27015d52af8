// Node-drift: the parts that every difference of a node has.
import type { Drift } from '../model/drift.ts'
import { withoutSecrets } from '../model/secret.ts'

type Said = Pick<Drift, 'id' | 'severity' | 'subject' | 'message' | 'weight'> & Partial<Drift>

export function told(said: Said): Drift {
  return { path: [], ...said, message: withoutSecrets(said.message) }
}
