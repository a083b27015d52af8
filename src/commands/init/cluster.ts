// Detects settings from the cluster of a kubeconfig, before the first question.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { accessOf } from '../../cluster/access.ts'
import { ClusterError } from '../../cluster/cluster-error.ts'
import { kubectlOf } from '../../cluster/kubectl.ts'
import { redactedCommand } from '../../cluster/redact-command.ts'
import { detect, type Detection } from '../../cluster/detect.ts'
import { everyCni, titleWithModes } from '../../cni/index.ts'
import { formatPath } from '../../model/path.ts'
import { escapeControls } from '../../text/printable.ts'
import type { OfferedCluster } from '../../prompts/ending.ts'
import { type ClusterOptions, withCluster } from '../cluster.ts'
import { Failure } from '../failure.ts'

/** The cluster of the kubeconfig that kubectl uses; `undefined` where there is none, or kubectl cannot read it. */
export async function offeredCluster(env: NodeJS.ProcessEnv): Promise<OfferedCluster | undefined> {
  const home = join(env['HOME'] ?? env['USERPROFILE'] ?? '', '.kube', 'config')
  const files = [env['KUBECONFIG'], home].find(Boolean)?.split(delimiter) ?? []
  if (!files.some((file) => existsSync(file))) return undefined
  try {
    const { cluster, user } = await accessOf(kubectlOf(env), [], 'kubeconfig')
    return {
      name: cluster,
      program: user.exec && redactedCommand(user.exec.command, user.exec.args),
    }
  } catch (thrown) {
    if (thrown instanceof ClusterError) return undefined
    throw thrown
  }
}

/** Throws a `Failure` where the cluster cannot be read, or runs a network plugin that is not supported. */
export async function detectCluster(options: ClusterOptions): Promise<Detection> {
  const detection = await withCluster(options, detect)
  const { unsupported } = detection.network
  if (unsupported) {
    const { title, where, reason, instead } = unsupported
    throw new Failure('rejected', `the cluster runs ${title} (${where}), which ${reason}`, [
      instead,
      `supported network plugins: ${everyCni.map(titleWithModes).join(', ')}`,
      'winnode init --cni none prepares a node for a plugin whose DaemonSet supports Windows',
    ])
  }
  return detection
}

/** Contradictions, notes and what could not be read, a line each; objects that the cluster lacks are one line. */
export function detectionLines(detection: Detection): readonly string[] {
  const { detected, notes, unread, network } = detection
  const missing = unread.filter(({ why }) => why === 'missing')
  const refused = unread.filter(({ why }) => why !== 'missing')
  return [
    `found in the cluster: ${detected.length} settings`,
    ...detected.flatMap(({ path, value, where, others }) =>
      others.map(
        (other) =>
          `${formatPath(path)}: ${JSON.stringify(value)} in ${where}, but ${JSON.stringify(other.value)} in ${other.where}`,
      ),
    ),
    ...notes.map(({ message, where }) => `${where}: ${message}`),
    ...refused.map(({ what, message }) => `${what} could not be read: ${message}`),
    ...(missing.length > 0 ? [`not found: ${missing.map(({ what }) => what).join(', ')}`] : []),
    ...(network.cni.length > 0
      ? []
      : ['network plugin: no known DaemonSet found; check network.cni in the profile']),
  ].map(escapeControls)
}
