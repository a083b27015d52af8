// Access: the cluster and the user of a context, as `kubectl config view` shows them.
import { isList, isObject, type Json, type JsonObject, valueAt } from '../model/json.ts'
import { nearest } from '../model/nearest.ts'
import { errorOf, parsed } from './answer.ts'
import { concealing } from './conceal.ts'
import type { Kubectl } from './kubectl.ts'
import { ClusterProblem } from './problem.ts'

export interface Access {
  /** For people: which cluster of which file. */
  readonly where: string
  readonly server: URL
  /** What a node could not use: another name in the certificate, no certificate at all, a proxy. */
  readonly special: boolean
  /** PEM; absent means the roots of the system. */
  readonly ca: string | undefined
  readonly user: User
}

export interface User {
  /** The program that gives the credentials. */
  readonly exec: { readonly command: string; readonly args: readonly string[] } | undefined
  /** Whether anybody who gets the request could use its credentials; a client certificate cannot be used. */
  readonly hasToken: boolean
  /** What no message may show. */
  readonly secrets: readonly string[]
}

/**
 * Google's kubectl asks the server for its version before each command, even this one, and runs the exec plugin for
 * that. Where nothing can listen, over http, it sends nothing and runs nothing; the output does not depend on it.
 */
const offline = '--server=http://127.0.0.1:0'

/** The certificates of files are in its output too; the credentials of other contexts are not. */
const view = [offline, 'config', 'view', '--minify', '--flatten', '--raw', '--output=json']
const limits = { time: 30_000, bytes: 16 * 1024 * 1024 }

/** `flags` are --kubeconfig and --context; `called` is what a person calls the kubeconfig. */
export async function accessOf(
  kubectl: Kubectl,
  flags: readonly string[],
  called: string,
): Promise<Access> {
  const answer = await kubectl([...flags, ...view], limits)
  const config = answer.kind === 'ended' && answer.code === 0 ? parsed(answer.stdout) : undefined
  if (!config)
    throw answer.kind === 'ended'
      ? await refusal(kubectl, flags, errorOf(answer.stderr).replace(/^error: /, ''))
      : problem(`kubectl config view: ${answer.kind === 'late' ? 'no answer' : 'too much output'}`)
  const cluster = mapAt(config, ['clusters', 0, 'cluster'])
  const user = mapAt(config, ['users', 0, 'user'])
  return {
    where: `${called}, cluster ${JSON.stringify(valueAt(config, ['clusters', 0, 'name']))}`,
    server: serverOf(textAt(cluster, 'server')),
    special:
      cluster['insecure-skip-tls-verify'] === true ||
      textAt(cluster, 'tls-server-name') !== '' ||
      textAt(cluster, 'proxy-url') !== '',
    ca: decoded(textAt(cluster, 'certificate-authority-data')) || undefined,
    user: userOf(user),
  }
}

function userOf(user: JsonObject): User {
  const provider = valueAt(user, ['auth-provider', 'name'])
  if (provider !== undefined)
    throw new ClusterProblem(
      'credentials',
      `the user needs the auth-provider ${JSON.stringify(provider)}, which may run programs and changes the kubeconfig`,
      ['use an exec plugin or a token'],
    )
  const exec = mapAt(user, ['exec'])
  const args = exec['args']
  const secrets = [textAt(user, 'token'), textAt(user, 'password')].filter((one) => one !== '')
  return {
    exec: user['exec']
      ? { command: textAt(exec, 'command'), args: isList(args) ? args.map(String) : [] }
      : undefined,
    hasToken: secrets.length > 0 || textAt(user, 'tokenFile') !== '',
    secrets,
  }
}

/** Without a scheme kubectl takes http, and sends no credentials: DefaultServerURL in client-go's rest/url_utils.go. */
function serverOf(text: string): URL {
  const address = /^https?:\/\//i.test(text) ? text : `http://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url) throw problem('server is no address such as https://api.example.com:6443')
  if (url.username + url.password !== '')
    throw problem('server holds a name or a password; they belong to a user')
  return url
}

async function refusal(
  kubectl: Kubectl,
  flags: readonly string[],
  error: string,
): Promise<ClusterProblem> {
  const [, name = ''] = /^cannot locate context (.*)$/.exec(error) ?? []
  if (name === '' && !error.startsWith('current-context must exist'))
    return new ClusterProblem('kubeconfig', ...unreadable(error))
  const kept = flags.filter((flag) => !flag.startsWith('--context='))
  const all = await kubectl([...kept, offline, 'config', 'view', '--output=json'], limits)
  const config = all.kind === 'ended' ? parsed(all.stdout) : undefined
  const contexts = config?.['contexts']
  const names = isList(contexts)
    ? contexts.flatMap((one) => (isObject(one) ? textAt(one, 'name') : []))
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

/** Errors of decoders quote the text around them, which may be a secret. */
function unreadable(error: string): readonly [message: string, hints: readonly string[]] {
  if (/^(?:open|stat|read) .*: [a-z ]+$|^cannot locate /.test(error))
    return [`kubectl config view: ${concealing([])(error)}`, []]
  const [line] = /\bline \d+/.exec(error) ?? []
  return [
    `kubectl config view: the kubeconfig cannot be read${line === undefined ? '' : `: ${line}`}`,
    ['the text may hold a secret and is not shown: kubectl config view shows what is wrong'],
  ]
}

function problem(message: string, ...hints: readonly string[]): ClusterProblem {
  return new ClusterProblem('kubeconfig', message, hints)
}

function mapAt(value: Json, at: readonly (string | number)[]): JsonObject {
  const found = valueAt(value, at)
  return isObject(found) ? found : {}
}

function textAt(map: JsonObject, key: string): string {
  const value = map[key]
  return typeof value === 'string' ? value : ''
}

function decoded(base64: string): string {
  return Buffer.from(base64, 'base64').toString()
}
