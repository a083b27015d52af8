// Read: one kubeconfig file to its entries, as client-go decodes it.
//
// https://github.com/kubernetes/client-go/blob/master/tools/clientcmd/api/v1/types.go
import { dirname, isAbsolute, join, sep } from 'node:path'
import { readSource } from '../../io/source.ts'
import { ClusterProblem } from '../problem.ts'
import type {
  Cluster,
  Context,
  DataOrFile,
  Entry,
  ExecPlugin,
  Kubeconfig,
  User,
} from './entries.ts'
import { type Fields, fieldsOf } from './fields.ts'

/** `path` is absolute; `file` is what a person calls it. */
export function readKubeconfig(bytes: Uint8Array, path: string, file: string): Kubeconfig {
  const top = fieldsOf(decoded(bytes, file), file)
  const kind = top.text('kind')
  const version = top.text('apiVersion')
  if ((kind !== '' && kind !== 'Config') || (version !== '' && version !== 'v1'))
    throw new ClusterProblem('kubeconfig', `${file} is no kubeconfig: those are of kind Config, v1`)
  const resolve = (reference: string) => resolved(reference, dirname(path))
  return {
    clusters: named(top, 'clusters', 'cluster', file, (fields) => clusterOf(fields, resolve)),
    users: named(top, 'users', 'user', file, (fields) => userOf(fields, resolve)),
    contexts: named(top, 'contexts', 'context', file, contextOf),
    currentContext: top.text('current-context'),
  }
}

/** A line of a kubeconfig may be a secret: only its number is said. */
function decoded(bytes: Uint8Array, file: string) {
  const { layer, findings } = readSource(bytes, file)
  const [first] = findings
  if (!first) return layer?.patch ?? {}
  if (first.id === 'empty-file') return {}
  const at = first.place ? `${file}:${first.place.line}:${first.place.column}` : file
  throw new ClusterProblem('kubeconfig', `${at}: cannot be read as a kubeconfig: ${first.id}`, [
    'the line is not shown here: it may hold a secret',
  ])
}

/** A name twice in one file is refused, as in conversion.go. */
function named<T>(
  top: Fields,
  list: string,
  key: string,
  file: string,
  read: (fields: Fields) => T,
): ReadonlyMap<string, Entry<T>> {
  const entries = new Map<string, Entry<T>>()
  for (const item of top.maps(list)) {
    const name = item.text('name')
    if (entries.has(name))
      throw new ClusterProblem('kubeconfig', `${file}: two ${list} have the name ${quoted(name)}`)
    entries.set(name, { value: read(item.map(key) ?? fieldsOf({}, file)), file })
  }
  return entries
}

function clusterOf(fields: Fields, resolve: Resolve): Cluster {
  const extension = fields
    .maps('extensions')
    .find((item) => item.text('name') === 'client.authentication.k8s.io/exec')
  return {
    server: fields.text('server'),
    tlsServerName: fields.text('tls-server-name'),
    insecure: fields.flag('insecure-skip-tls-verify'),
    ca: dataOrFile(fields, 'certificate-authority', resolve),
    proxyURL: fields.text('proxy-url'),
    disableCompression: fields.flag('disable-compression'),
    execConfig: extension?.json('extension'),
  }
}

function userOf(fields: Fields, resolve: Resolve): User {
  const extra = fields.map('as-user-extra')
  const exec = fields.map('exec')
  return {
    certificate: dataOrFile(fields, 'client-certificate', resolve),
    key: dataOrFile(fields, 'client-key', resolve),
    token: fields.text('token'),
    tokenFile: resolve(fields.text('tokenFile')),
    username: fields.text('username'),
    password: fields.text('password'),
    impersonate: {
      user: fields.text('as'),
      uid: fields.text('as-uid'),
      groups: fields.texts('as-groups'),
      extra: (extra?.keys() ?? []).map((key) => [key, extra?.texts(key) ?? []] as const),
    },
    authProvider: fields.map('auth-provider')?.text('name'),
    exec: exec && execOf(exec, resolve),
  }
}

/** Of the old versions of the API alone, an absent mode means `IfAvailable`: defaults.go. */
const optionalMode = /^client\.authentication\.k8s\.io\/v1(?:alpha|beta)1$/

function execOf(fields: Fields, resolve: Resolve): ExecPlugin {
  const command = fields.text('command')
  const apiVersion = fields.text('apiVersion')
  return {
    // A bare name is looked up in PATH.
    command: command.includes(sep) ? resolve(command) : command,
    args: fields.texts('args'),
    env: fields.maps('env').map((item) => ({ name: item.text('name'), value: item.text('value') })),
    apiVersion,
    installHint: fields.text('installHint'),
    provideClusterInfo: fields.flag('provideClusterInfo'),
    interactiveMode:
      fields.text('interactiveMode') || (optionalMode.test(apiVersion) ? 'IfAvailable' : ''),
  }
}

function contextOf(fields: Fields): Context {
  return { cluster: fields.text('cluster'), user: fields.text('user') }
}

type Resolve = (reference: string) => string

/** Relative to the folder of the file that says it; nothing stays nothing. */
function resolved(reference: string, folder: string): string {
  return reference === '' || isAbsolute(reference) ? reference : join(folder, reference)
}

function dataOrFile(fields: Fields, key: string, resolve: Resolve): DataOrFile {
  return { data: fields.bytes(`${key}-data`), file: resolve(fields.text(key)) || undefined }
}

export function quoted(name: string): string {
  return JSON.stringify(name)
}
