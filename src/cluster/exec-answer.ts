// Exec-answer: reads the ExecCredential that an exec plugin writes, without a word of it in an error.
import { isObject, type JsonObject } from '../model/json.ts'

/** What a user shows; at least one of both. */
export interface Given {
  readonly token: string | undefined
  readonly certificate: { readonly cert: string; readonly key: string } | undefined
}

/** `problem` makes the error; what the plugin wrote stays out of it. */
export function answerOf(text: string, apiVersion: string, problem: (why: string) => Error): Given {
  const answer = parsed(text)
  if (answer?.['kind'] !== 'ExecCredential') throw problem('did not write an ExecCredential')
  if (answer['apiVersion'] !== apiVersion)
    throw problem(`answered in another apiVersion than ${apiVersion}`)
  const status = answer['status']
  if (!isObject(status)) throw problem('wrote no status')
  const text_ = (key: string) => {
    const value = status[key]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const [token, cert, key] = [
    text_('token'),
    text_('clientCertificateData'),
    text_('clientKeyData'),
  ]
  if (token === undefined && cert === undefined && key === undefined)
    throw problem('wrote neither a token nor a certificate with its key')
  if ((cert === undefined) !== (key === undefined))
    throw problem('wrote only one of certificate and key')
  return {
    token,
    certificate: cert === undefined || key === undefined ? undefined : { cert, key },
  }
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
