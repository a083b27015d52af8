// Cluster: what the cluster of a kubeconfig says, asked before the wizard asks a person.
import * as Flags from '@oclif/core/flags'
import { detect, type Detection } from '../../cluster/detect.ts'
import { openCluster } from '../../cluster/open.ts'
import { ClusterProblem } from '../../cluster/problem.ts'
import { printable } from '../../model/printable.ts'
import { typedLines } from '../../prompts/typed-lines.ts'
import { Failure } from '../failure.ts'

export const clusterFlags = {
  'from-cluster': Flags.boolean({
    summary: 'Propose what the cluster of your kubeconfig says; it is only read.',
    helpGroup: 'CLUSTER',
  }),
  kubeconfig: Flags.string({
    helpValue: 'FILE',
    dependsOn: ['from-cluster'],
    summary: 'The kubeconfig, in place of KUBECONFIG and ~/.kube/config.',
    helpGroup: 'CLUSTER',
  }),
  context: Flags.string({
    helpValue: 'NAME',
    dependsOn: ['from-cluster'],
    summary: 'The context in it, in place of the current one.',
    helpGroup: 'CLUSTER',
  }),
}

interface Asked {
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  /** Whether the program that a kubeconfig names for credentials may run without a question. */
  readonly yes: boolean
}

/** Throws a `Failure` where the cluster cannot be asked. */
export async function askCluster({ yes, ...named }: Asked): Promise<Detection> {
  const { env } = process
  const allow = (command: string) => (yes ? Promise.resolve(true) : mayRun(command))
  const { signal } = new AbortController()
  try {
    const client = await openCluster({ ...named, cwd: process.cwd(), env, allow, signal })
    try {
      return await detect(client)
    } finally {
      client.close()
    }
  } catch (thrown) {
    if (!(thrown instanceof ClusterProblem)) throw thrown
    const { concerns, message, hints } = thrown
    throw new Failure(concerns === 'kubeconfig' ? 'usage' : 'failure', message, hints)
  }
}

/** What was noticed and what could not be read, a line each. */
export function wordsOf({ detected, notes, unread }: Detection): readonly string[] {
  return [
    `found in the cluster: ${detected.length} settings`,
    ...notes.map(({ message, where }) => `${where}: ${message}`),
    ...unread.map(({ what, message }) => `${what} could not be read: ${message}`),
  ].map(printable)
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
