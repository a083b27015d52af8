// Answer: what the API server makes of a GET: an object, a list, or why not.
import { isList, isObject, type JsonObject } from '../model/json.ts'
import type { Conceal } from './conceal.ts'
import type { ClusterProblem } from './problem.ts'
import type { Reply } from './transport.ts'

/** `message` is the server's own sentence, without secrets. */
export type Refusal =
  | {
      readonly kind: 'missing' | 'forbidden' | 'unauthorized' | 'expired'
      readonly message: string
    }
  | { readonly kind: 'failed'; readonly message: string; readonly problem?: ClusterProblem }

export type Answer = { readonly kind: 'found'; readonly object: JsonObject } | Refusal
export type Listed = { readonly kind: 'found'; readonly items: readonly JsonObject[] } | Refusal

const kinds: Readonly<Record<number, 'missing' | 'forbidden' | 'unauthorized' | 'expired'>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  410: 'expired',
}

export function answerOf({ status, body }: Reply, conceal: Conceal): Answer {
  const object = parsed(body)
  if (status === 200 && !object)
    return { kind: 'failed', message: 'the answer is no JSON: this is no API server' }
  if (status === 200 && object && !refuses(object)) return { kind: 'found', object }
  return refusalOf(status === 200 ? codeOf(object) : status, object, conceal)
}

/** client-go takes the word of the object, too: `transformResponse` of rest/request.go. */
function refuses({ kind, status }: JsonObject): boolean {
  return kind === 'Status' && status === 'Failure'
}

function codeOf(refusal: JsonObject | undefined): number {
  const code = refusal?.['code']
  return typeof code === 'number' ? code : 500
}

function refusalOf(status: number, object: JsonObject | undefined, conceal: Conceal): Refusal {
  const said = object?.['message']
  const message = typeof said === 'string' ? conceal(said) : `it answered ${status}`
  const kind = kinds[status]
  if (kind) return { kind, message }
  return {
    kind: 'failed',
    message: `it answered ${status}${message === `it answered ${status}` ? '' : `: ${message}`}`,
  }
}

function parsed(body: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const pageSize = 100

type Get = (path: string) => Promise<Answer>

/** A list that changed too much between two pages is begun anew, once. */
export async function listOf(get: Get, path: string, pages: number): Promise<Listed> {
  const first = await pagesOf(get, path, pages)
  return first.kind === 'expired' ? pagesOf(get, path, pages) : first
}

async function pagesOf(get: Get, path: string, pages: number): Promise<Listed> {
  const items: JsonObject[] = []
  const slim = slimmer()
  let next = ''
  for (let page = 0; page < pages; page += 1) {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`
    const answer = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}${more}`)
    if (answer.kind !== 'found') return answer
    const { items: some, metadata } = answer.object
    if (!isList(some) && some !== null) return { kind: 'failed', message: 'the answer is no list' }
    items.push(...(some ?? []).filter(isObject).map(slim))
    const token = isObject(metadata) ? metadata['continue'] : undefined
    if (typeof token !== 'string' || token === '') return { kind: 'found', items }
    next = token
  }
  return { kind: 'failed', message: `the list has more than ${pages * pageSize} items` }
}

/**
 * Of ten thousand nodes, most bytes are these, which nobody reads. Of images the names are read, and most nodes have
 * the same ones: each is held once.
 */
function slimmer(): (item: JsonObject) => JsonObject {
  const known = new Map<string, string>()
  const once = (name: string) => known.get(name) ?? (known.set(name, name), name)
  return ({ metadata, status, ...item }) => ({
    ...item,
    ...(isObject(metadata) && { metadata: without(metadata, 'managedFields') }),
    ...(isObject(status) && { status: { ...status, ...imagesOf(status, once) } }),
  })
}

/** All names together, as if they were of one image. */
function imagesOf({ images }: JsonObject, once: (name: string) => string): JsonObject {
  if (!isList(images)) return {}
  const names = images
    .filter(isObject)
    .flatMap((image) => (isList(image['names']) ? image['names'] : []))
  return { images: [{ names: names.filter((name) => typeof name === 'string').map(once) }] }
}

function without(object: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}
