// Entries: the parts of a kubeconfig that a client reads, after its names and types.
import type { Json } from '../../model/json.ts'

/** Data wins nowhere: a kubeconfig that gives both is refused. */
export interface DataOrFile {
  readonly data: Buffer | undefined
  /** Absolute. */
  readonly file: string | undefined
}

export interface Cluster {
  readonly server: string
  readonly tlsServerName: string
  readonly insecure: boolean
  readonly ca: DataOrFile
  readonly proxyURL: string
  readonly disableCompression: boolean
  /** What the cluster tells exec plugins: its extension `client.authentication.k8s.io/exec`. */
  readonly execConfig: Json | undefined
}

export interface ExecPlugin {
  readonly command: string
  readonly args: readonly string[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
  readonly apiVersion: string
  readonly installHint: string
  readonly provideClusterInfo: boolean
  readonly interactiveMode: string
}

export interface User {
  readonly certificate: DataOrFile
  readonly key: DataOrFile
  readonly token: string
  readonly tokenFile: string
  readonly username: string
  readonly password: string
  readonly impersonate: {
    readonly user: string
    readonly uid: string
    readonly groups: readonly string[]
    readonly extra: readonly (readonly [key: string, values: readonly string[]])[]
  }
  /** The name of a provider, which client-go has built in. */
  readonly authProvider: string | undefined
  readonly exec: ExecPlugin | undefined
}

export interface Context {
  readonly cluster: string
  readonly user: string
}

/** Each with the file that gave it. */
export interface Entry<T> {
  readonly value: T
  readonly file: string
}

export interface Kubeconfig {
  readonly clusters: ReadonlyMap<string, Entry<Cluster>>
  readonly users: ReadonlyMap<string, Entry<User>>
  readonly contexts: ReadonlyMap<string, Entry<Context>>
  readonly currentContext: string
}
