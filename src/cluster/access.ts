// Reads the cluster and the user of a context with `kubectl config view`.
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  textAt,
  valueAt,
  parseObject,
} from '../model/json.ts'
import { nearest } from '../text/nearest.ts'
import { errorOf } from './answer.ts'
import { redactor } from './redact.ts'
import type { Kubectl } from './kubectl.ts'
import { ClusterError } from './cluster-error.ts'

export interface Access {
  /** Names the cluster and the file in messages. */
  readonly where: string
  /** The name of the cluster in the kubeconfig. */
  readonly cluster: string
  readonly server: URL
  /** The connection needs settings that a node does not have: a TLS server name, no verification, or a proxy. */
  readonly indirect: boolean
  /** PEM; `undefined` for the system's roots. */
  readonly ca: string | undefined
  readonly user: User
}

interface User {
  /** The exec plugin. */
  readonly exec: { readonly command: string; readonly args: readonly string[] } | undefined
  /** Requests carry credentials that their receiver could reuse; a client certificate does not. */
  readonly hasToken: boolean
  /** Redacted from messages. */
  readonly secrets: readonly string[]
}

/**
 * Google's kubectl build asks the server for its version before each command, even this one, and runs the exec plugin
 * for it. For an http address on which nothing can listen, no plugin runs; the output is the same.
 */
const noServer = '--server=http://127.0.0.1:0'

/** --flatten includes certificate files, --minify leaves out other contexts. */
const view = [noServer, 'config', 'view', '--minify', '--flatten', '--raw', '--output=json']
const limits = { time: 30_000, bytes: 16 * 1024 * 1024 }

/** `flags` are --kubeconfig and --context; `called` is the kubeconfig's name in messages. */
export async function accessOf(
  kubectl: Kubectl,
  flags: readonly string[],
  called: string,
): Promise<Access> {
  const answer = await kubectl([...flags, ...view], limits)
  const config =
    answer.kind === 'ended' && answer.code === 0 ? parseObject(answer.stdout) : undefined
  if (!config)
    throw answer.kind === 'ended'
      ? await configError(kubectl, flags, errorOf(answer.stderr).replace(/^error: /, ''))
      : problem(`kubectl config view: ${answer.kind === 'late' ? 'no answer' : 'too much output'}`)
  const cluster = mapAt(config, ['clusters', 0, 'cluster'])
  const user = mapAt(config, ['users', 0, 'user'])
  const name = valueAt(config, ['clusters', 0, 'name'])
  return {
    where: `${called}, cluster ${JSON.stringify(name)}`,
    cluster: typeof name === 'string' ? name : '',
    server: serverOf(textAt(cluster, ['server'])),
    indirect:
      cluster['insecure-skip-tls-verify'] === true ||
      textAt(cluster, ['tls-server-name']) !== '' ||
      textAt(cluster, ['proxy-url']) !== '',
    ca: decoded(textAt(cluster, ['certificate-authority-data'])) || undefined,
    user: userOf(user),
  }
}

function userOf(user: JsonObject): User {
  const provider = valueAt(user, ['auth-provider', 'name'])
  if (provider !== undefined)
    throw new ClusterError(
      'credentials',
      `the user needs the auth-provider ${JSON.stringify(provider)}, which may run programs and changes the kubeconfig`,
      ['use an exec plugin or a token'],
    )
  const exec = mapAt(user, ['exec'])
  const args = exec['args']
  const secrets = [textAt(user, ['token']), textAt(user, ['password'])].filter((one) => one !== '')
  return {
    exec: user['exec']
      ? { command: textAt(exec, ['command']), args: isList(args) ? args.map(String) : [] }
      : undefined,
    hasToken: secrets.length > 0 || textAt(user, ['tokenFile']) !== '',
    secrets,
  }
}

/** kubectl defaults to http, without credentials: DefaultServerURL in client-go's rest/url_utils.go. */
function serverOf(text: string): URL {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url) throw problem('server is not a URL such as https://api.example.com:6443')
  if (url.username + url.password !== '')
    throw problem('server holds a name or a password; they belong to a user')
  return url
}

async function configError(
  kubectl: Kubectl,
  flags: readonly string[],
  error: string,
): Promise<ClusterError> {
  const [, name = ''] = /^cannot locate context (.*)$/.exec(error) ?? []
  if (name === '' && !error.startsWith('current-context must exist'))
    return new ClusterError('kubeconfig', ...readError(error))
  const kept = flags.filter((flag) => !flag.startsWith('--context='))
  const all = await kubectl([...kept, noServer, 'config', 'view', '--output=json'], limits)
  const config = all.kind === 'ended' ? parseObject(all.stdout) : undefined
  const contexts = config?.['contexts']
  const names = isList(contexts)
    ? contexts.flatMap((one) => (isObject(one) ? textAt(one, ['name']) : []))
    : []
  if (names.length === 0)
    return problem('no kubeconfig with a context found', 'name one with --kubeconfig')
  const meant = name === '' ? undefined : nearest(name, names)
  return problem(
    name === ''
      ? 'the kubeconfig has no current-context'
      : `the kubeconfig has no context ${JSON.stringify(name)}`,
    meant === undefined
      ? `choose one with --context: ${names.map((one) => JSON.stringify(one)).join(', ')}`
      : `did you mean ${JSON.stringify(meant)}?`,
  )
}

/** Decoder errors quote the text around them, which may be a secret: only the line number is kept. */
function readError(error: string): readonly [message: string, hints: readonly string[]] {
  if (/^(?:open|stat|read) .*: [a-z ]+$|^cannot locate /.test(error))
    return [`kubectl config view: ${redactor([])(error)}`, []]
  const [line] = /\bline \d+/.exec(error) ?? []
  return [
    `kubectl config view: the kubeconfig cannot be read${line === undefined ? '' : `: ${line}`}`,
    ['the text may hold a secret and is not shown: kubectl config view shows what is wrong'],
  ]
}

function problem(message: string, ...hints: readonly string[]): ClusterError {
  return new ClusterError('kubeconfig', message, hints)
}

function mapAt(value: Json, at: readonly (string | number)[]): JsonObject {
  const found = valueAt(value, at)
  return isObject(found) ? found : {}
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}
