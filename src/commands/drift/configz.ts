// Configz: whether and how the kubelets themselves are asked, from the flags of a run.
import { resolve } from 'node:path'
import type { AskedKubelets } from '../../cluster/kubelets.ts'
import { isDescriptor } from '../../io/regular-file.ts'
import { Failure } from '../failure.ts'
import { namedText } from '../named-text.ts'

interface ConfigzFlags {
  readonly configz: string | undefined
  readonly 'kubelet-ca': string | undefined
  /** Undefined where it is not given. */
  readonly 'kubelet-insecure': boolean | undefined
}

/** `live` says whether a cluster is asked at all. */
export function askedKubelets(flags: ConfigzFlags, live: boolean): AskedKubelets | undefined {
  const { configz, 'kubelet-ca': ca, 'kubelet-insecure': insecure } = flags
  const trusts = [ca !== undefined, insecure].filter(Boolean).length
  if (configz !== undefined && !live)
    throw new Failure('usage', '--configz asks kubelets of a cluster', [
      'name it with --kubeconfig or --context',
    ])
  if (configz !== 'direct') {
    if (trusts > 0)
      throw new Failure('usage', '--kubelet-ca and --kubelet-insecure are for --configz direct')
    return configz === undefined ? undefined : { way: 'proxy' }
  }
  if (trusts !== 1)
    throw new Failure('usage', '--configz direct needs --kubelet-ca or --kubelet-insecure', [
      'kubeadm’s kubelets sign their certificates themselves, unless the profile names an approver',
    ])
  return { way: 'direct', ca: ca === undefined ? undefined : checkedCa(ca) }
}

function checkedCa(file: string): string {
  const path = resolve(file)
  if (isDescriptor(path))
    throw new Failure(
      'usage',
      `--kubelet-ca ${file}: kubectl reads it for each kubelet: name a file`,
    )
  if (namedText(file).includes('-----BEGIN CERTIFICATE-----')) return path
  throw new Failure('usage', `--kubelet-ca ${file} holds no certificate`)
}
