// The profile field with the paths of a program's credentials on the node.
import * as v from 'valibot'
import { nodePath, open } from './field.ts'
import { layout } from './layout.ts'

/** Paths on the node, of exactly one kind of credentials. `name` is the name of the default files. */
export function credentialsField(component: string, name: string) {
  return open(
    v.union(
      [
        v.strictObject({ kubeconfig: nodePath }),
        v.strictObject({ tokenFile: nodePath }),
        v.strictObject({ certificate: nodePath, key: nodePath }),
      ],
      'one of {kubeconfig: PATH}, {tokenFile: PATH} and {certificate: PATH, key: PATH}',
    ),
    {
      what: `Where ${component} finds its own credentials on the node.`,
      why: 'The kubelet’s credentials do not serve: the node authorizer hands out no endpoint slices, and from Kubernetes 1.32 on no other nodes.',
      derived: `tokenFile ${layout.kubernetes}\\${name}.token with join.endpoint, otherwise kubeconfig ${layout.kubernetes}\\${name}.conf`,
      example: { tokenFile: 'C:\\etc\\kubernetes\\token' },
    },
  )
}

export type WrittenCredentials = v.InferOutput<ReturnType<typeof credentialsField>>
