// Conceal: takes secrets, control characters and length out of text that others wrote.
import { printable } from '../model/printable.ts'
import { withoutSecrets } from '../model/secret.ts'

export type Conceal = (text: string) => string

const longest = 300

/** Shorter ones would take the words around them along. */
const shortestSecret = 4

/** `secrets` are those that this run holds; forms of secrets are known besides. */
export function concealing(secrets: readonly string[]): Conceal {
  const known = secrets
    .flatMap((secret) => [secret, secret.trim(), Buffer.from(secret).toString('base64')])
    .filter((secret) => secret.length >= shortestSecret)
    .toSorted((a, b) => b.length - a.length)
  return (text) => {
    const open = known.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
    const line = printable(withoutSecrets(open)).replace(/\s+/g, ' ').trim()
    return line.length > longest ? `${line.slice(0, longest)}…` : line
  }
}
