// Node-drift: the parts that every difference of a node has.
import type { Drift } from '../model/drift.ts'
import { withoutSecrets } from '../text/secrets.ts'

type Said = Pick<Drift, 'id' | 'severity' | 'subject' | 'message' | 'weight'> & Partial<Drift>

/** Characters of one answer; nobody reads more, and a node may write what it likes. */
const longest = 1000

/** What a node wrote stands in the message. */
export function told({ message, ...said }: Said): Drift {
  return { path: [], ...said, message: harmless(message) }
}

/** Words of a node: no secret of it is told, and no end of one that is cut. */
export function harmless(text: string, most = longest): string {
  if (text.length <= most) return withoutSecrets(text)
  return `${withoutSecrets(text.slice(0, 2 * most)).slice(0, most - 1)}…`
}
