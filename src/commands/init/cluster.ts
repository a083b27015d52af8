// Detects settings from the cluster of a kubeconfig, before the first question.
import { detect, type Detection } from '../../cluster/detect.ts'
import { formatPath } from '../../model/path.ts'
import { printable } from '../../model/printable.ts'
import { type ClusterOptions, withCluster } from '../cluster.ts'

/** Throws a `Failure` where the cluster cannot be read. */
export function detectCluster(options: ClusterOptions): Promise<Detection> {
  return withCluster(options, detect)
}

/** Contradictions, notes and what could not be read, a line each. */
export function detectionLines({ detected, notes, unread }: Detection): readonly string[] {
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
