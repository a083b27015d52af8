// Which volumes are on NFS, which Kubernetes does not support on Windows: by their source, or by a claim of the manifests.
import { type Json, textAt, valueAt } from '../model/json.ts'
import { type Manifest, namespaceOf } from './manifest.ts'
import { isSet } from './workload.ts'

/** CSI drivers that mount NFS, and have no part for Windows. */
const drivers = ['nfs.csi.k8s.io', 'efs.csi.aws.com']

export interface NfsClaims {
  /** Whether the spec of a claim names a volume or a class on NFS. */
  readonly hasSpec: (spec: Json | undefined) => boolean
  readonly has: (namespace: string, claim: string) => boolean
}

/** For a volume of a pod, or the spec of a PersistentVolume. */
export function isOnNfs(volume: Json | undefined): boolean {
  return (
    isSet(valueAt(volume ?? null, ['nfs'])) || drivers.includes(textAt(volume, ['csi', 'driver']))
  )
}

/** Claims whose volume or class is in the manifests, too. */
export function nfsClaimsOf(manifests: readonly Manifest[]): NfsClaims {
  const of = (kind: string, group = '') =>
    manifests.filter((one) => one.kind === kind && one.group === group)
  const volumes = of('PersistentVolume').filter(({ value }) => isOnNfs(value['spec']))
  const classes = of('StorageClass', 'storage.k8s.io').filter(({ value }) =>
    drivers.includes(textAt(value, ['provisioner'])),
  )
  const namesOf = (some: readonly Manifest[]) => new Set(some.map(({ name }) => name))
  const [volumeNames, classNames] = [namesOf(volumes), namesOf(classes)]
  const hasSpec = (spec: Json | undefined) =>
    volumeNames.has(textAt(spec, ['volumeName'])) ||
    classNames.has(textAt(spec, ['storageClassName']))
  const claims = of('PersistentVolumeClaim').filter(({ value }) => hasSpec(value['spec']))
  const keys = new Set(claims.map((one) => `${namespaceOf(one)}/${one.name}`))
  return { hasSpec, has: (namespace, claim) => keys.has(`${namespace}/${claim}`) }
}
