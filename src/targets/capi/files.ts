// Files that the bootstrap data writes: credentials from a Secret, and the machine's name.
import { apiClientsOf } from '../../cni/api-clients.ts'
import { credentialFiles } from '../../cni/kubeconfig.ts'
import type { JsonObject } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'

/** The host name in the machine's metadata; cloudbase-init substitutes it. */
export const localHostname = '{{ v1.local_hostname }}'

/** Keys of the Secret, by path on the node; the paths `a b` and `a.b` would have the same. */
export function secretFiles(spec: NodeSpec): ReadonlyMap<string, string> {
  const paths = apiClientsOf(spec).flatMap(({ credentials }) => credentialFiles(credentials))
  const keys = new Map<string, string>()
  for (const path of new Set(paths)) {
    const key = keyOf(path)
    const same = [...keys.keys()].filter((other) => keyOf(other) === key)
    keys.set(path, same.length === 0 ? key : `${key}-${same.length + 1}`)
  }
  return keys
}

/** Derived from the whole path, as two folders may have a file of the same name. */
function keyOf(path: string): string {
  return path.replace(/^[^\\/]+[\\/]/, '').replace(/[^\w.-]/g, '.')
}

export function bootstrapFiles(spec: NodeSpec, secret: string): readonly JsonObject[] {
  const { nodeName } = spec.kubelet
  const credentials = [...secretFiles(spec)].map(([path, key]) =>
    file(path, { contentFrom: { secret: { name: secret, key } } }),
  )
  // kubeadm gets the same name, and the two must be equal.
  const own = typeof nodeName === 'object' ? [file(nodeName.file, { content: localHostname })] : []
  return [...credentials, ...own]
}

/** cloudbase-init warns about a file without permissions; on Windows 0644 only means "not read-only". */
function file(path: string, from: JsonObject): JsonObject {
  return { path: path.replaceAll('\\', '/'), permissions: '0644', ...from }
}
