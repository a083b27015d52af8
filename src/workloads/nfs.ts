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

/**
 * Makes volumes on NFS: a driver, or a provisioner, whose Helm chart names it after its release.
 * https://github.com/kubernetes-sigs/nfs-subdir-external-provisioner/blob/0dd0a93ce18ec1d254fb4bc1df6b12d2080dffcd/charts/nfs-subdir-external-provisioner/templates/_helpers.tpl
 */
function provisionsNfs(provisioner: string): boolean {
  return (
    drivers.includes(provisioner) ||
    /^(?:k8s-sigs\.io|cluster\.local)\/.*nfs-subdir-external-provisioner/.test(provisioner)
  )
}

/** Claims whose volume or class is in the manifests, too. */
export function nfsClaimsOf(manifests: readonly Manifest[]): NfsClaims {
  const of = (kind: string, group = '') =>
    manifests.filter((one) => one.kind === kind && one.group === group)
  const all = of('PersistentVolume')
  const volumes = all.filter(({ value }) => isOnNfs(value['spec']))
  const volumeNames = new Set(volumes.map(({ name }) => name))
  const bound = new Set(volumes.map(({ value }) => claimOf(value)))
  // A claim can get any volume of its class.
  const mixed = new Set(
    all.filter(({ name }) => !volumeNames.has(name)).map(({ value }) => classOf(value)),
  )
  const provisioned = of('StorageClass', 'storage.k8s.io').filter(({ value }) =>
    provisionsNfs(textAt(value, ['provisioner'])),
  )
  const classNames = new Set([
    ...provisioned.map(({ name }) => name),
    ...volumes.map(({ value }) => classOf(value)).filter((name) => name !== '' && !mixed.has(name)),
  ])
  const hasSpec = (spec: Json | undefined) =>
    volumeNames.has(textAt(spec, ['volumeName'])) ||
    classNames.has(textAt(spec, ['storageClassName']))
  const claims = of('PersistentVolumeClaim').filter(({ value }) => hasSpec(value['spec']))
  const keys = new Set(claims.map((one) => `${namespaceOf(one)}/${one.name}`))
  return {
    hasSpec,
    has: (namespace, claim) => [keys, bound].some((some) => some.has(`${namespace}/${claim}`)),
  }
}

/** The claim that a PersistentVolume is reserved for. */
function claimOf(volume: Json): string {
  const textOf = (key: string) => textAt(volume, ['spec', 'claimRef', key])
  return `${textOf('namespace')}/${textOf('name')}`
}

function classOf(volume: Json): string {
  return textAt(volume, ['spec', 'storageClassName'])
}
