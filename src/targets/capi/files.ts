// Files that a machine gets by its bootstrap document: credentials out of a Secret, and its own name.
import { credentialFiles } from '../../cni/kubeconfig.ts'
import { cniOf } from '../../cni/index.ts'
import type { JsonObject } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'

/** The name by which the metadata of the machine knows it, as cloudbase-init fills it in. */
export const localHostname = '{{ v1.local_hostname }}'

/** Keys of the Secret by the files on the node that they become. */
export function secretFiles({ kubeProxy, network }: NodeSpec): ReadonlyMap<string, string> {
  const cni = cniOf(network.cni)
  const plugin = cni.credentials(network)
  const paths = [
    ...(plugin ? credentialFiles(plugin) : []),
    ...(cni.kubeProxy ? credentialFiles(kubeProxy.credentials) : []),
  ]
  return new Map(paths.map((path) => [path, keyOf(path)]))
}

/** Of the whole path, since two folders may have a file of one name. */
function keyOf(path: string): string {
  return path.replace(/^[^\\/]+[\\/]/, '').replace(/[^\w.-]/g, '.')
}

/** Where they go on a machine. */
export function bootstrapPaths(spec: NodeSpec): readonly string[] {
  const { nodeName } = spec.kubelet
  return [...secretFiles(spec).keys(), ...(typeof nodeName === 'object' ? [nodeName.file] : [])]
}

/** In the order of their paths; write_files makes the folders. */
export function bootstrapFiles(spec: NodeSpec, secret: string): readonly JsonObject[] {
  const { nodeName } = spec.kubelet
  const brought = [...secretFiles(spec)].map(([path, key]) =>
    file(path, { contentFrom: { secret: { name: secret, key } } }),
  )
  // kubeadm is told the same name, and the two have to be one.
  const own = typeof nodeName === 'object' ? [file(nodeName.file, { content: localHostname })] : []
  return [...brought, ...own]
}

/** cloudbase-init warns of a file without permissions; on Windows they mean no more than "not read-only". */
function file(path: string, from: JsonObject): JsonObject {
  return { path: path.replaceAll('\\', '/'), permissions: '0644', ...from }
}
