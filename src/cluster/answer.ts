// Parses what `kubectl get --raw` printed: an object, a list, or an error.
import { isList, isObject, type JsonObject, parseObject } from '../model/json.ts'
import type { Redact } from './redact.ts'
import type { Limits, Outcome } from './kubectl.ts'
import { ClusterError, type Subject } from './cluster-error.ts'

type ServerErrorKind = 'missing' | 'forbidden' | 'unauthorized' | 'expired'

/** `message` is that of the server or kubectl, redacted. */
export type Refusal =
  | { readonly kind: ServerErrorKind; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string; readonly problem?: ClusterError }

export type Answer = { readonly kind: 'found'; readonly object: JsonObject } | Refusal
export type Listed = { readonly kind: 'found'; readonly items: readonly JsonObject[] } | Refusal

export function answerOf(outcome: Outcome, limits: Limits, redact: Redact): Answer {
  if (outcome.kind !== 'ended') return unended(outcome.kind, limits)
  if (outcome.code !== 0) return refusalOf(errorOf(outcome.stderr), redact)
  const object = parseObject(outcome.stdout)
  if (!object) return failed('the answer is not JSON: this is not an API server')
  return isFailureStatus(object) ? statusRefusal(object, redact) : { kind: 'found', object }
}

function unended(kind: 'late' | 'too-long', { time }: Limits): Refusal {
  return failed(
    kind === 'late'
      ? `no answer within ${time / 1000} seconds`
      : 'the answer is too long for an API server',
  )
}

/** kubectl prints any body of a 200 response, even a Status of failure. */
function isFailureStatus({ kind, status }: JsonObject): boolean {
  return kind === 'Status' && status === 'Failure'
}

const kindByCode: Readonly<Record<number, ServerErrorKind>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'missing',
  410: 'expired',
}

function statusRefusal({ code, message }: JsonObject, redact: Redact): Refusal {
  const text = redact(typeof message === 'string' ? message : 'it answered with a failure')
  const kind = typeof code === 'number' ? kindByCode[code] : undefined
  return kind === undefined ? failed(text) : { kind, message: text }
}

/**
 * Errors of the API server, in the forms of StandardErrorMessage in
 * https://github.com/kubernetes/kubectl/blob/master/pkg/cmd/util/helpers.go
 */
const serverErrors: readonly (readonly [form: RegExp, kind: ServerErrorKind])[] = [
  [/^Error from server \(NotFound\): /, 'missing'],
  [/^Error from server \(Forbidden\): /, 'forbidden'],
  [/^Error from server \((?:Expired|Gone)\): /, 'expired'],
  [/^error: (?=You must be logged in to the server)/, 'unauthorized'],
]

/** Errors of kubectl itself; the first matching form counts. */
const localErrors: readonly (readonly [
  form: RegExp,
  subject: Subject,
  wording: (message: string) => string,
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
    'run a kubectl command with this context to see its output',
  ],
  // Some Go versions quote the value, which is the token.
  [
    /^.*invalid header field value.*/,
    'credentials',
    () => 'the token has characters that no token has',
  ],
  // kubectl prompts for a user name and password: tools/clientcmd/auth_loaders.go in client-go.
  [/^error: EOF$/, 'kubeconfig', () => 'the user of the kubeconfig has no credentials'],
  // A broken connection has an error of this form too.
  [
    /^error: (?!unexpected EOF|.*(?:canceled|deadline|http2?:|stream|read tcp))/,
    'kubeconfig',
    (message) => `kubectl: ${message}`,
  ],
]

/** kubectl's paragraph about a missing exec plugin; the kubeconfig's installHint follows it. */
const execHelp = /It looks like you are trying[^]*?#client-go-credential-plugins/

export type Ran = { readonly kind: 'found'; readonly text: string } | Refusal

/** The output of any other command. */
export function ranOf(outcome: Outcome, limits: Limits, redact: Redact): Ran {
  if (outcome.kind !== 'ended') return unended(outcome.kind, limits)
  const { code, stdout, stderr } = outcome
  if (code === 0) return { kind: 'found', text: stdout }
  // The program in the container failed, not kubectl.
  const [, output] = /^([^]*)command terminated with exit code \d+\s*$/.exec(stderr) ?? []
  if (output === undefined) return refusalOf(errorOf(stderr), redact)
  return { kind: 'failed', message: redact(output.trim() || stderr) }
}

function refusalOf(error: string, redact: Redact): Refusal {
  const refused = serverErrors.find(([form]) => form.test(error))
  if (refused) return { kind: refused[1], message: redact(error.replace(refused[0], '')) }
  const known = localErrors.find(([form]) => form.test(error))
  if (!known) return failed(redact(error.replace(/^error: /, '')))
  const [form, subject, wording, hint] = known
  const message = redact(error.replace(form, '').replace(execHelp, ''))
  return failedWith(new ClusterError(subject, wording(message), hint === undefined ? [] : [hint]))
}

/** kubectl could not be started, for example because it was replaced during the run. */
export function refusalOfError(thrown: unknown): Refusal {
  if (thrown instanceof ClusterError) return failedWith(thrown)
  throw thrown
}

function failed(message: string): Refusal {
  return failedWith(new ClusterError('connection', `kubectl: ${message}`))
}

function failedWith(problem: ClusterError): Refusal {
  return { kind: 'failed', message: problem.message, problem }
}

const errorStart =
  /^(?:error: |Error (?:from server|in configuration)|Unable to connect to the server|The connection to the server)/

/** The last error of stderr, to which an exec plugin writes too. */
export function errorOf(stderr: string): string {
  const lines = stderr.trim().split(/\r?\n/)
  const first = lines.findLastIndex((line) => errorStart.test(line))
  if (first >= 0) return lines.slice(first).join('\n')
  // Not kubectl but a script in its place, or a crash.
  const last = lines.at(-1)?.trim() ?? ''
  return last === '' ? 'it failed without an error' : last
}

const pageSize = 100

type Get = (path: string) => Promise<Answer>

interface Paging {
  readonly pages: number
  /** Called where the list has more than one page. */
  readonly onMore: (pageSize: number) => void
}

/** Reads the list again if its continue token expires between two pages. */
export async function listOf(get: Get, path: string, paging: Paging): Promise<Listed> {
  const first = await pagesOf(get, path, paging)
  return first.kind === 'expired' ? pagesOf(get, path, paging) : first
}

async function pagesOf(get: Get, path: string, { pages, onMore }: Paging): Promise<Listed> {
  const items: JsonObject[] = []
  const trim = trimmer()
  let next = ''
  for (let page = 0; page < pages; page += 1) {
    const more = next === '' ? '' : `&continue=${encodeURIComponent(next)}`
    const answer = await get(`${path}${path.includes('?') ? '&' : '?'}limit=${pageSize}${more}`)
    if (answer.kind !== 'found') return answer
    const { items: some, metadata } = answer.object
    if (!isList(some) && some !== null) return failed('the answer is not a list')
    items.push(...(some ?? []).filter(isObject).map(trim))
    const token = isObject(metadata) ? metadata['continue'] : undefined
    if (typeof token !== 'string' || token === '') return { kind: 'found', items }
    if (page === 0) onMore(pageSize)
    next = token
  }
  return failed(`the list has more than ${pages * pageSize} items`)
}

/**
 * Trims items to keep memory small: most bytes of ten thousand nodes are managed fields and images. Of images only
 * names are used, and each distinct name is kept once.
 */
function trimmer(): (item: JsonObject) => JsonObject {
  const known = new Map<string, string>()
  const once = (name: string) => known.get(name) ?? (known.set(name, name), name)
  return ({ metadata, status, ...item }) => ({
    ...item,
    ...(isObject(metadata) && { metadata: without(metadata, 'managedFields') }),
    ...(isObject(status) && { status: { ...status, ...imagesOf(status, once) } }),
  })
}

/** All names, as the names of a single image. */
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
