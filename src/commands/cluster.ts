// Opens a client for the cluster of a kubeconfig, and turns its problems into failures.
import { type Client, openClient } from '../cluster/client.ts'
import { kubectlOf } from '../cluster/kubectl.ts'
import { ClusterError } from '../cluster/cluster-error.ts'
import { typedLines } from '../prompts/typed-lines.ts'
import { Failure } from './failure.ts'

export interface ClusterOptions {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  /** Run the exec plugin of the kubeconfig without confirmation. */
  readonly yes: boolean
  /** Prints a line before a long wait. */
  readonly log: (line: string) => void
}

/** Throws a `Failure` where the cluster cannot be read. */
export async function withCluster<T>(
  { yes, ...options }: ClusterOptions,
  read: (client: Client) => Promise<T>,
): Promise<T> {
  const allow = (command: string) => (yes ? Promise.resolve(true) : confirmExecPlugin(command))
  try {
    const client = await openClient({ ...options, kubectl: kubectlOf(process.env), allow })
    return await read(client).finally(client.stop)
  } catch (thrown) {
    if (!(thrown instanceof ClusterError)) throw thrown
    const { subject, message, hints } = thrown
    throw new Failure(subject === 'kubeconfig' ? 'usage' : 'failure', message, hints)
  }
}

/** Throws without a terminal to ask on. */
async function confirmExecPlugin(command: string): Promise<boolean> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new ClusterError('kubeconfig', `the kubeconfig runs a program: ${command}`, [
      '--yes lets it run',
    ])
  }
  stderr.write(`The kubeconfig runs a program for credentials: ${command}\nMay it run? [y/N] `)
  const lines = typedLines(stdin)
  try {
    return /^y(es)?$/i.test(((await lines.next()) ?? '').trim())
  } finally {
    lines.close()
  }
}
