// How to read the kubelets' /configz, from the flags.
import { resolve } from 'node:path'
import type { KubeletAccess } from '../../cluster/kubelets.ts'
import { isDescriptor } from '../../io/disk.ts'
import { Failure } from '../failure.ts'
import { readFileArgument } from '../file-argument.ts'

interface ConfigzFlags {
  readonly configz: string | undefined
  readonly 'kubelet-ca': string | undefined
  readonly 'kubelet-insecure': boolean | undefined
}

/** `live`: a cluster is named. Throws a usage failure for flags that do not go together. */
export function kubeletAccess(flags: ConfigzFlags, live: boolean): KubeletAccess | undefined {
  const { configz, 'kubelet-ca': ca, 'kubelet-insecure': insecure } = flags
  const trusts = [ca !== undefined, insecure].filter(Boolean).length
  if (configz !== undefined && !live)
    throw new Failure('usage', '--configz asks kubelets of a cluster', [
      'name it with --kubeconfig or --context',
    ])
  if (configz !== 'direct') {
    if (trusts > 0)
      throw new Failure('usage', '--kubelet-ca and --kubelet-insecure are for --configz direct')
    return configz === undefined ? undefined : { via: 'proxy' }
  }
  if (trusts !== 1)
    throw new Failure('usage', '--configz direct needs --kubelet-ca or --kubelet-insecure', [
      'kubeadm’s kubelets sign their certificates themselves, unless the profile names an approver',
    ])
  return { via: 'direct', ca: ca === undefined ? undefined : caFile(ca) }
}

function caFile(file: string): string {
  const path = resolve(file)
  if (isDescriptor(path))
    throw new Failure(
      'usage',
      `--kubelet-ca ${file}: kubectl reads it for each kubelet: name a file`,
    )
  if (readFileArgument(file).includes('-----BEGIN CERTIFICATE-----')) return path
  throw new Failure('usage', `--kubelet-ca ${file} holds no certificate`)
}
