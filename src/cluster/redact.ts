// Redacts secrets from foreign text, removes control characters, and shortens it.
import { escapeControls } from '../text/printable.ts'
import { redactSecrets } from '../text/secrets.ts'

export type Redact = (text: string) => string

const maxLength = 300

/** Shorter secrets would match parts of ordinary words. */
const minSecretLength = 4

/** Redacts `secrets`, which this run holds, and everything that has the form of a secret. */
export function redactor(secrets: readonly string[]): Redact {
  const known = secrets
    .flatMap((secret) => [secret, secret.trim(), Buffer.from(secret).toString('base64')])
    .filter((secret) => secret.length >= minSecretLength)
    .toSorted((a, b) => b.length - a.length)
  return (text) => {
    const open = known.reduce((shown, secret) => shown.replaceAll(secret, '***'), text)
    const line = escapeControls(redactSecrets(open)).replace(/\s+/g, ' ').trim()
    return line.length > maxLength ? `${line.slice(0, maxLength)}…` : line
  }
}
