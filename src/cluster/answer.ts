// Answer: what `kubectl get --raw` printed: an object, a list, or why not.
import { isList, isObject, type JsonObject } from '../model/json.ts'
import type { Conceal } from './conceal.ts'
import type { Limits, Outcome } from './kubectl.ts'
import { ClusterProblem, type Concerns } from './problem.ts'

/** `message` is the server's or kubectl's own sentence, without secrets. */
export type Refusal =
  | {
      readonly kind: 'missing' | 'forbidden' | 'unauthorized' | 'expired'
      readonly message: string
    }
  | { readonly kind: 'failed'; readonly message: string; readonly problem?: ClusterProblem }

export type Answer = { readonly kind: 'found'; readonly object: JsonObject } | Refusal
export type Listed = { readonly kind: 'found'; readonly items: readonly JsonObject[] } | Refusal

export function answerOf(outcome: Outcome, limits: Limits, conceal: Conceal): Answer {
  if (outcome.kind !== 'ended')
    return failed(
      outcome.kind === 'late'
        ? `no answer within ${limits.time / 1000} seconds`
        : 'the answer is longer than any of an API server',
    )
  if (outcome.code !== 0) return refusalOf(errorOf(outcome.stderr), conceal)
  const object = parsed(outcome.stdout)
  if (!object) return failed('the answer is no JSON: this is no API server')
  return isFailure(object) ? failedStatus(object, conceal) : { kind: 'found', object }
}

/** kubectl prints any body that comes with 200, a refusal too. */
function isFailure({ kind, status }: JsonObject): boolean {
  return kind === 'Status' && status === 'Failure'
}

const codes: Readonly<Record<number, 'missing' | 'forbidden' | 'unauthorized' | 'expired'>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  410: 'expired',
}

function failedStatus({ code, message }: JsonObject, conceal: Conceal): Refusal {
  const said = conceal(typeof message === 'string' ? message : 'it answered with a failure')
  const kind = typeof code === 'number' ? codes[code] : undefined
  return kind === undefined ? failed(said) : { kind, message: said }
}

/**
 * The forms of kubectl's errors: StandardErrorMessage in
 * https://github.com/kubernetes/kubectl/blob/master/pkg/cmd/util/helpers.go
 */
const refusals: readonly (readonly [
  form: RegExp,
  kind: 'missing' | 'forbidden' | 'unauthorized' | 'expired',
])[] = [
  [/^Error from server \(NotFound\): /, 'missing'],
  [/^Error from server \(Forbidden\): /, 'forbidden'],
  [/^Error from server \((?:Expired|Gone)\): /, 'expired'],
  [/^error: (?=You must be logged in to the server)/, 'unauthorized'],
]

/** Errors of kubectl on this machine; the first form that fits counts. */
const causes: readonly (readonly [
  form: RegExp,
  concerns: Concerns,
  says: (message: string) => string,
  hint?: string,
])[] = [
  // plugin/pkg/client/auth/exec/exec.go in client-go
  [
    /^error: (?=exec plugin: invalid apiVersion)/,
    'credentials',
    (message) => `kubectl: ${message}`,
    'client.authentication.k8s.io/v1 needs kubectl 1.22 or newer',
  ],
  [
    /^.*getting credentials: (?:exec: )?/,
    'credentials',
    (message) => `no credentials from the exec plugin: ${message}`,
    'run a kubectl command with this context to see what it says',
  ],
  // Some versions of Go quote the value, which is a secret.
  [
    /^.*invalid header field value.*/,
    'credentials',
    () => 'the token has characters that no token has',
  ],
  // kubectl asks for a name and a password: tools/clientcmd/auth_loaders.go in client-go.
  [/^error: EOF$/, 'kubeconfig', () => 'the user of the kubeconfig has no credentials'],
  // An answer that breaks off is an error of this form too.
  [
    /^error: (?!unexpected EOF|.*(?:canceled|deadline|http2?:|stream|read tcp))/,
    'kubeconfig',
    (message) => `kubectl: ${message}`,
  ],
]

/** What kubectl says to whoever lacks the program; the hint of the kubeconfig comes after it. */
const boilerplate = /It looks like you are trying[^]*?#client-go-credential-plugins/

function refusalOf(error: string, conceal: Conceal): Refusal {
  const refused = refusals.find(([form]) => form.test(error))
  if (refused) return { kind: refused[1], message: conceal(error.replace(refused[0], '')) }
  const known = causes.find(([form]) => form.test(error))
  if (!known) return failed(conceal(error.replace(/^error: /, '')))
  const [form, concerns, says, hint] = known
  const message = conceal(error.replace(form, '').replace(boilerplate, ''))
  return broken(new ClusterProblem(concerns, says(message), hint === undefined ? [] : [hint]))
}

function failed(message: string): Refusal {
  return broken(new ClusterProblem('connection', `kubectl: ${message}`))
}

function broken(problem: ClusterProblem): Refusal {
  return { kind: 'failed', message: problem.message, problem }
}

const begins =
  /^(?:error: |Error (?:from server|in configuration)|Unable to connect to the server|The connection to the server)/

/** The last error: an exec plugin writes to the same stream before. */
export function errorOf(stderr: string): string {
  const lines = stderr.trim().split(/\r?\n/)
  const first = lines.findLastIndex((line) => begins.test(line))
  return first < 0 ? 'it failed without an error' : lines.slice(first).join('\n')
}

export function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const pageSize = 100

type Get = (path: string) => Promise<Answer>

interface Paging {
  readonly pages: number
  /** Called where the list has more than one page. */
  readonly onMore: (pageSize: number) => void
}

/** A continue token that expired between two pages: the list is read again, once. */
export async function listOf(get: Get, path: string, paging: Paging): Promise<Listed> {
  const first = await pagesOf(get, path, paging)
  return first.kind === 'expired' ? pagesOf(get, path, paging) : first
}

async function pagesOf(get: Get, path: string, { pages, onMore }: Paging): Promise<Listed> {
  const items: JsonObject[] = []
  const slim = slimmer()
  let next = ''
  for (let page = 0; page < pages; page += 1) {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`
    const answer = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}${more}`)
    if (answer.kind !== 'found') return answer
    const { items: some, metadata } = answer.object
    if (!isList(some) && some !== null) return failed('the answer is no list')
    items.push(...(some ?? []).filter(isObject).map(slim))
    const token = isObject(metadata) ? metadata['continue'] : undefined
    if (typeof token !== 'string' || token === '') return { kind: 'found', items }
    if (page === 0) onMore(pageSize)
    next = token
  }
  return failed(`the list has more than ${pages * pageSize} items`)
}

/**
 * Most bytes of ten thousand nodes are managed fields and image names. Only the names are read, and most nodes have
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
