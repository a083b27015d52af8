// Cluster: what the cluster of a kubeconfig says, asked before the wizard asks a person.
import * as Flags from '@oclif/core/flags'
import { detect, type Detection } from '../../cluster/detect.ts'
import { printable } from '../../model/printable.ts'
import { type AskedCluster, onCluster } from '../cluster.ts'

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
    helpValue: 'CONTEXT',
    dependsOn: ['from-cluster'],
    summary: 'The context in it, in place of the current one.',
    helpGroup: 'CLUSTER',
  }),
}

/** Throws a `Failure` where the cluster cannot be asked. */
export function askCluster(asked: AskedCluster): Promise<Detection> {
  return onCluster(asked, detect)
}

/** What was noticed and what could not be read, a line each. */
export function wordsOf({ detected, notes, unread }: Detection): readonly string[] {
  return [
    `found in the cluster: ${detected.length} settings`,
    ...notes.map(({ message, where }) => `${where}: ${message}`),
    ...unread.map(({ what, message }) => `${what} could not be read: ${message}`),
  ].map(printable)
}
