// Credentials: what a user of a kubeconfig shows to the API server: headers, a client certificate.
//
// https://github.com/kubernetes/client-go/blob/master/transport/round_trippers.go
import { validateHeaderValue } from 'node:http'
import type { Access } from './access.ts'
import type { Given } from './exec-answer.ts'
import { type AskPlugin, runPlugin } from './exec-plugin.ts'
import type { User } from './kubeconfig/entries.ts'
import { dataOf, fileOf } from './pem-file.ts'
import { ClusterProblem } from './problem.ts'

export interface Credentials {
  readonly headers: Readonly<Record<string, string | readonly string[]>>
  readonly certificate: Given['certificate']
  /** What no text may show. */
  readonly secrets: readonly string[]
  /** They came from a plugin, which may know newer ones. */
  readonly renewable: boolean
}

export async function credentialsOf(access: Access, ask: AskPlugin): Promise<Credentials> {
  const { user } = access
  if (!user) return { headers: {}, certificate: undefined, secrets: [], renewable: false }
  const own = ownOf(user)
  // What the kubeconfig itself holds wins over a plugin: exec.go, UpdateTransportConfig.
  const asked = own.token === undefined && own.basic === undefined && !own.certificate
  if (asked && user.authProvider !== undefined) throw builtIn(user.authProvider)
  const given = asked && user.exec ? await runPlugin(user.exec, access, ask) : own
  const authorization =
    given.token === undefined ? own.basic && `Basic ${own.basic}` : `Bearer ${given.token}`
  if (authorization !== undefined) checkHeader(authorization)
  return {
    headers: {
      ...(authorization === undefined ? {} : { Authorization: authorization }),
      ...impersonation(user),
    },
    certificate: given.certificate,
    secrets: [given.token, user.password, own.basic, given.certificate?.key].flatMap((secret) =>
      secret === undefined || secret === '' ? [] : secret,
    ),
    renewable: asked && user.exec !== undefined,
  }
}

function ownOf(user: User): Given & { readonly basic: string | undefined } {
  const cert = dataOf(user.certificate, 'client-certificate')?.toString()
  const key = dataOf(user.key, 'client-key')?.toString()
  const { username, password } = user
  return {
    token: tokenOf(user),
    basic:
      username + password === ''
        ? undefined
        : Buffer.from(`${username}:${password}`).toString('base64'),
    certificate: cert === undefined || key === undefined ? undefined : { cert, key },
  }
}

/** The file wins where both are given and it can be read: token_source.go. */
function tokenOf({ token, tokenFile }: User): string | undefined {
  if (tokenFile === '') return token || undefined
  try {
    const read = fileOf(tokenFile, 'tokenFile').toString().trim()
    if (read !== '') return read
  } catch (thrown) {
    if (token === '') throw thrown
  }
  if (token !== '') return token
  throw new ClusterProblem('kubeconfig', `tokenFile ${tokenFile} is empty`)
}

function impersonation({ impersonate: { user, uid, groups, extra } }: User) {
  if (user === '') return {}
  return {
    'Impersonate-User': user,
    ...(uid === '' ? {} : { 'Impersonate-Uid': uid }),
    ...(groups.length === 0 ? {} : { 'Impersonate-Group': groups }),
    ...Object.fromEntries(
      extra.map(([key, values]) => [`Impersonate-Extra-${headerKey(key)}`, values]),
    ),
  }
}

/** The API server takes the escapes away; brackets are no part of a header's name either. */
function headerKey(key: string): string {
  return encodeURIComponent(key).replaceAll('(', '%28').replaceAll(')', '%29')
}

/** Node would name the header, and other libraries its value. */
function checkHeader(value: string): void {
  try {
    validateHeaderValue('Authorization', value)
  } catch {
    throw new ClusterProblem('credentials', 'the token has characters that no token has')
  }
}

function builtIn(name: string): ClusterProblem {
  return new ClusterProblem(
    'credentials',
    `the user needs the auth-provider ${JSON.stringify(name)}, which is part of kubectl`,
    ['give the user an exec plugin or a token instead'],
  )
}
