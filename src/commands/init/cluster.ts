// Detects settings from the cluster of a kubeconfig, before the first question.
import { detect, type Detection } from '../../cluster/detect.ts'
import { everyCni, titleWithModes } from '../../cni/index.ts'
import { formatPath } from '../../model/path.ts'
import { printable } from '../../text/printable.ts'
import { type ClusterOptions, withCluster } from '../cluster.ts'
import { Failure } from '../failure.ts'

/** Throws a `Failure` where the cluster cannot be read, or runs a network plugin that is not supported. */
export async function detectCluster(options: ClusterOptions): Promise<Detection> {
  const detection = await withCluster(options, detect)
  const { unsupported } = detection.network
  if (unsupported) {
    const { title, where } = unsupported
    throw new Failure('rejected', `the cluster runs ${title} (${where}), which is not supported`, [
      `supported network plugins: ${everyCni.map(titleWithModes).join(', ')}`,
    ])
  }
  return detection
}

/** Contradictions, notes and what could not be read, a line each. */
export function detectionLines({ detected, notes, unread }: Detection): readonly string[] {
  return [
    `found in the cluster: ${detected.length} settings`,
    ...detected.flatMap(({ path, value, where, others }) =>
      others.map(
        (other) =>
          `${formatPath(path)}: ${JSON.stringify(value)} in ${where}, but ${JSON.stringify(other.value)} in ${other.where}`,
      ),
    ),
    ...notes.map(({ message, where }) => `${where}: ${message}`),
    ...unread.map(({ what, message }) => `${what} could not be read: ${message}`),
  ].map(printable)
}
