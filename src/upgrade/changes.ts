// The changes of a profile that move its nodes to a version, the smallest first.
import type { Checked } from '../check.ts'
import { programsOf } from '../downloads/programs.ts'
import { containerdLines, directUpgrades } from '../matrix/containerd.ts'
import { kubernetesMinors, minorsWith } from '../matrix/kubernetes.ts'
import { minorSteps } from '../matrix/skew.ts'
import { isBehind, isOfLaterMinor, writtenLike } from '../matrix/standing.ts'
import type { Facts } from '../model/facts.ts'
import { mergeJson, type JsonObject } from '../model/json.ts'
import type { AddedFacts } from '../model/tables.ts'
import { candidatesFor } from '../rules/upgrade-candidates.ts'

const patchesOf = (rows: readonly { readonly newestPatch: string }[]) =>
  rows.map(({ newestPatch }) => newestPatch)

/** The newest patch of each minor, oldest first, also of minors that `--facts` adds. */
export const kubernetesPatches = (added: AddedFacts | undefined) => patchesOf(minorsWith(added))

/** The patches that a profile gets where it sets the minor alone. */
export const tablePatches = patchesOf(kubernetesMinors)

const containerdPatches = patchesOf(containerdLines)

/** Versions that the profile leaves out follow by themselves; those that it sets are moved only where a rule asks for it. */
export function changesFor(to: string, from: Checked): readonly JsonObject[] {
  const kubernetes = { kubernetes: kubernetesFields(to, from) }
  return sandboxImages(from).flatMap((image) =>
    containerdVersions(from).map((containerd) => [image, containerd].reduce(mergeJson, kubernetes)),
  )
}

function kubernetesFields(to: string, { values, facts }: Checked): JsonObject {
  const { version = facts.kubernetes.minor, apiServer, kubeProxy, kubeadm } = values.kubernetes
  const now = facts.spec.kubernetes
  const server = controlPlaneSteps(to, facts).at(-1)
  // It joins nodes to a control plane of the same version, and no kubelet that is newer than itself.
  const joins = server ?? (isOfLaterMinor(to, now.kubeadm) ? now.apiServer : undefined)
  const rows = [
    ['apiServer', apiServer, server],
    ['kubeadm', kubeadm, joins],
    ['version', version, to],
    ['kubeProxy', kubeProxy, to],
  ] as const
  return Object.fromEntries(
    rows.flatMap(([name, before, after]) =>
      before === undefined || after === undefined
        ? []
        : [[name, writtenLike(before, after, tablePatches)]],
    ),
  )
}

/** The versions that a control plane goes through before nodes get the version. */
export function controlPlaneSteps(to: string, { spec, added }: Facts): readonly string[] {
  return minorSteps(kubernetesPatches(added), to, spec.kubernetes.apiServer)
}

/** Removes the checksums of downloads that the change replaces with another version. */
export function withoutOldChecksums(change: JsonObject, before: Facts, after: Facts): JsonObject {
  const versions = new Map(programsOf(after).map(({ source, version }) => [source, version]))
  const old = programsOf(before).filter(
    ({ source, version }) =>
      before.spec.artifacts.sha256[source] !== undefined && versions.get(source) !== version,
  )
  if (old.length === 0) return change
  const sha256 = Object.fromEntries(old.map(({ source }) => [source, null]))
  return mergeJson(change, { artifacts: { sha256 } })
}

/** As set, then the newest patch of its line, then lines to which containerd supports a direct upgrade. */
function containerdVersions({ values, facts }: Checked): readonly JsonObject[] {
  const { version } = values.containerd
  if (version === undefined) return [{}]
  const now = facts.spec.containerd.version
  const { newestPatch } = facts.containerd
  const newer = [
    ...(isBehind(now, newestPatch) ? [newestPatch] : []),
    ...directUpgrades(now, facts.added),
  ]
  return [
    {},
    ...newer.map((to) => ({
      containerd: { version: writtenLike(version, to, containerdPatches) },
    })),
  ]
}

/** As set, then other tags of the same image. */
function sandboxImages({ values: { sandboxImage }, facts }: Checked): readonly JsonObject[] {
  if (sandboxImage === undefined) return [{}]
  const name = `${facts.sandbox.registry}/${facts.sandbox.repository}:`
  const others = candidatesFor('sandboxImage', facts).flatMap(({ sandboxImage: image }) =>
    image?.startsWith(name) ? [{ sandboxImage: image }] : [],
  )
  return [{}, ...others]
}
