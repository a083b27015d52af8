// Files that are created in the cluster and must be copied to each node.
import { apiClientsOf, type ApiClient } from '../cni/api-clients.ts'
import { layout } from '../model/layout.ts'
import type { NodeSpec } from '../model/spec.ts'

interface FileToCopy {
  /** Its name where it is made. */
  readonly file: string
  /** Where the node reads it. */
  readonly path: string
  /** Join deletes it. */
  readonly once?: true
}

export function credentialFilesOf({ name, credentials }: ApiClient): readonly FileToCopy[] {
  switch (credentials.kind) {
    case 'kubeconfig':
      return [{ file: `${name}.conf`, path: credentials.kubeconfig }]
    case 'tokenFile':
      return [{ file: `${name}.token`, path: credentials.tokenFile }]
    case 'clientCertificate':
      return [
        { file: `${name}.crt`, path: credentials.certificate },
        { file: `${name}.key`, path: credentials.key },
      ]
  }
}

/** Whether Join gets the token when it is run, and not from a file that the profile names. */
export function takesToken({ join }: NodeSpec): boolean {
  return join.method === 'kubeadm' && join.tokenFile === undefined
}

export function filesToCopy(spec: NodeSpec): readonly FileToCopy[] {
  const { join } = spec
  const files: readonly (FileToCopy | false)[] = [
    join.discoveryFile !== undefined && { file: 'discovery.conf', path: join.discoveryFile },
    ...apiClientsOf(spec).flatMap(credentialFilesOf),
    join.tokenFile !== undefined && { file: 'token', path: join.tokenFile, once: true },
    join.method === 'bootstrapKubeconfig' && {
      file: 'bootstrap-kubelet.conf',
      path: layout.bootstrapKubeconfig,
      once: true,
    },
  ]
  return files.filter((file) => file !== false)
}
