// Open: from what a person typed to a client of one cluster.
import { accessOf } from './access.ts'
import { type Client, type ClientOptions, openClient } from './client.ts'
import { loadKubeconfig } from './kubeconfig/load.ts'

export interface Asked extends ClientOptions {
  /** `--kubeconfig` */
  readonly kubeconfig: string | undefined
  /** `--context` */
  readonly context: string | undefined
  readonly cwd: string
}

/** Throws a `ClusterProblem` that says what to look at; nothing is sent to the cluster yet. */
export async function openCluster(asked: Asked): Promise<Client> {
  const { kubeconfig, context, cwd, env } = asked
  const access = accessOf(loadKubeconfig({ file: kubeconfig, cwd, env }), context)
  return openClient(access, asked)
}
