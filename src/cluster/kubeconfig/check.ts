// Check: what client-go refuses of the cluster and the user of a context.
//
// https://github.com/kubernetes/client-go/blob/master/tools/clientcmd/validation.go
import type { Cluster, DataOrFile, User } from './entries.ts'

const given = ({ data, file }: DataOrFile): boolean => data !== undefined || file !== undefined
const twice = ({ data, file }: DataOrFile): boolean => data !== undefined && file !== undefined

type Check<T> = readonly [refuses: (entry: T) => boolean, says: string]

const ofCluster: readonly Check<Cluster>[] = [
  [({ server }) => server === '', 'has no server'],
  [
    ({ ca }) => twice(ca),
    'has certificate-authority and certificate-authority-data, where one is enough',
  ],
  // transport.go, TLSConfigFor
  [
    ({ ca, insecure }) => given(ca) && insecure,
    'has insecure-skip-tls-verify and a certificate authority, which contradict each other',
  ],
  [
    ({ proxyURL }) => proxyURL !== '' && !/^(?:https?|socks5):\/\/[^/]/i.test(proxyURL),
    'has a proxy-url that does not begin with http://, https:// or socks5://',
  ],
]

const ofUser: readonly Check<User>[] = [
  [
    ({ token, username, password }) => token !== '' && username + password !== '',
    'has a token and a password, where only one can be sent',
  ],
  [
    ({ certificate }) => twice(certificate),
    'has client-certificate and client-certificate-data, where one is enough',
  ],
  [
    ({ certificate, key }) => given(certificate) && twice(key),
    'has client-key and client-key-data, where one is enough',
  ],
  [
    ({ certificate, key }) => given(certificate) && !given(key),
    'has a client certificate without its client-key',
  ],
  [
    ({ exec, authProvider }) => exec !== undefined && authProvider !== undefined,
    'has an exec plugin and an auth-provider, where only one can be asked',
  ],
  [({ exec }) => exec?.command === '', 'has an exec plugin without a command'],
  [({ exec }) => exec?.apiVersion === '', 'has an exec plugin without an apiVersion'],
  [
    ({ exec }) => exec?.env.some(({ name }) => name === '') ?? false,
    'has an exec plugin with a variable that has no name',
  ],
  [
    ({ exec }) => !['Never', 'IfAvailable', 'Always'].includes(exec?.interactiveMode ?? 'Never'),
    'has an exec plugin whose interactiveMode is none of Never, IfAvailable and Always',
  ],
  [
    ({ impersonate: { user, uid, groups, extra } }) =>
      user === '' && (uid !== '' || groups.length > 0 || extra.length > 0),
    'has as-uid, as-groups or as-user-extra without as',
  ],
]

export function complaintsOfCluster(cluster: Cluster): readonly string[] {
  return complaints(ofCluster, cluster)
}

export function complaintsOfUser(user: User): readonly string[] {
  return complaints(ofUser, user)
}

function complaints<T>(checks: readonly Check<T>[], entry: T): readonly string[] {
  return checks.filter(([refuses]) => refuses(entry)).map(([, says]) => says)
}
