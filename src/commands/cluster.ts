// Cluster: asks the cluster of a kubeconfig, and tells in words why it cannot be asked.
import { type Client, openClient } from '../cluster/client.ts'
import { kubectlOf } from '../cluster/kubectl.ts'
import { ClusterProblem } from '../cluster/problem.ts'
import { typedLines } from '../prompts/typed-lines.ts'
import { Failure } from './failure.ts'

export interface AskedCluster {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  /** Whether the program that a kubeconfig names for credentials may run without a question. */
  readonly yes: boolean
  /** What a person should know before a long wait. */
  readonly tell: (line: string) => void
}

/** Throws a `Failure` where the cluster cannot be asked. */
export async function onCluster<T>(
  { yes, ...named }: AskedCluster,
  ask: (client: Client) => Promise<T>,
): Promise<T> {
  const allow = (command: string) => (yes ? Promise.resolve(true) : mayRun(command))
  try {
    return await ask(await openClient({ ...named, kubectl: kubectlOf(process.env), allow }))
  } catch (thrown) {
    if (!(thrown instanceof ClusterProblem)) throw thrown
    const { concerns, message, hints } = thrown
    throw new Failure(concerns === 'kubeconfig' ? 'usage' : 'failure', message, hints)
  }
}

/** Without a terminal nobody can allow it. */
async function mayRun(command: string): Promise<boolean> {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) {
    throw new ClusterProblem('kubeconfig', `the kubeconfig runs a program: ${command}`, [
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
