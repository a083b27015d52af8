// Cluster: what the cluster of a kubeconfig says, asked before the wizard asks a person.
import { detect, type Detection } from '../../cluster/detect.ts'
import { formatPath } from '../../model/path.ts'
import { printable } from '../../model/printable.ts'
import { type AskedCluster, onCluster } from '../cluster.ts'

/** Throws a `Failure` where the cluster cannot be asked. */
export function askCluster(asked: AskedCluster): Promise<Detection> {
  return onCluster(asked, detect)
}

/** What was noticed and what could not be read, a line each. */
export function wordsOf({ detected, notes, unread }: Detection): readonly string[] {
  return [
    `found in the cluster: ${detected.length} settings`,
    ...detected.flatMap(({ path, value, where, others }) =>
      others.map(
        (other) =>
          `${formatPath(path)}: ${where} says ${JSON.stringify(value)}, and ${other.where} says ${JSON.stringify(other.value)}`,
      ),
    ),
    ...notes.map(({ message, where }) => `${where}: ${message}`),
    ...unread.map(({ what, message }) => `${what} could not be read: ${message}`),
  ].map(printable)
}
