// Properties common to all differences of a node.
import type { Drift } from '../model/drift.ts'
import { redactSecrets } from '../text/secrets.ts'

type NodeDrift = Pick<Drift, 'id' | 'severity' | 'subject' | 'message' | 'weight'> & Partial<Drift>

/** Maximum characters of a message: the content comes from the node and can be of any length. */
const longest = 1000

/** A difference whose message contains text from a node: redacted, and shortened. */
export function nodeDrift({ message, ...rest }: NodeDrift): Drift {
  return { path: [], ...rest, message: harmless(message) }
}

/** Redacts secrets in text from a node, and also the part of a secret at the cut. */
export function harmless(text: string, most = longest): string {
  if (text.length <= most) return redactSecrets(text)
  return `${redactSecrets(text.slice(0, 2 * most)).slice(0, most - 1)}…`
}
