// Reads the checksum files of publishers, over https.
import { Readable } from 'node:stream'
import { publishedDigest } from '../downloads/mirror.ts'
import type { Checksum } from '../model/fetched.ts'

type Published = Extract<Checksum, { readonly kind: 'published' }>

/** The largest checksum file has a few hundred lines. */
export const limits = { bytes: 1024 * 1024, milliseconds: 30_000, redirects: 5 }

/** Why a publisher's checksum is unknown. */
export class UnpublishedError extends Error {}

/** Lower-case hexadecimal. Throws `UnpublishedError`. */
export async function fetchDigest(checksum: Published): Promise<string> {
  return digestIn(await fetchText(checksum.url), checksum)
}

/** The digest in the text of a checksum file. Throws `UnpublishedError` for a text without one, such as an error page. */
export function digestIn(text: string, checksum: Published): string {
  const sha256 = publishedDigest(text, checksum)
  if (sha256 !== undefined) return sha256
  const what = /^\s*</.test(text) ? 'HTML in place of a checksum' : `no SHA-256 of ${checksum.name}`
  throw new UnpublishedError(what)
}

async function fetchText(address: string): Promise<string> {
  const signal = AbortSignal.timeout(limits.milliseconds)
  try {
    let url = new URL(address)
    for (let count = 0; count <= limits.redirects; count += 1) {
      if (url.protocol !== 'https:')
        throw new UnpublishedError(`redirected to ${url.href}, not https`)
      const answer = await fetch(url, { redirect: 'manual', signal })
      const { status, headers } = answer
      const location = headers.get('location')
      if (status === 200) return await checksumText(answer.body ?? Readable.from([]))
      await answer.body?.cancel()
      if (status < 300 || status > 399 || location === null)
        throw new UnpublishedError(`HTTP status ${status}${remedies[status] ?? ''}`)
      url = new URL(location, url)
    }
    throw new UnpublishedError(`more than ${limits.redirects} redirects`)
  } catch (thrown) {
    if (thrown instanceof UnpublishedError) throw thrown
    throw new UnpublishedError(reasonOf(thrown), { cause: thrown })
  }
}

const remedies: Readonly<Record<number, string>> = {
  404: ' (not found): the publisher has no such version',
  429: ' (too many requests): run it again later',
}

/** The body as text; throws `UnpublishedError` beyond the limit. `fetch` itself rejects a truncated body. */
export async function checksumText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > limits.bytes) throw new UnpublishedError(`more than ${limits.bytes} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The cause of a failed `fetch`, whose message is only `fetch failed`. */
export function reasonOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown)
  if (thrown.name === 'TimeoutError') return `no complete answer in ${limits.milliseconds / 1000} s`
  const { cause } = thrown
  return cause instanceof Error && cause.message !== '' ? cause.message : thrown.message
}
