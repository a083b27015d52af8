// The bill of materials: every download and image of a node.
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { hostProcessImage } from '../matrix/host-process-image.ts'
import type { Facts } from '../model/facts.ts'
import type { BillItem } from '../model/plan.ts'
import { parseImage } from '../go/image-reference.ts'
import { downloadOf } from './download.ts'
import { lockedImage } from '../model/locked-image.ts'
import { programsOf } from './programs.ts'

/** Images of add-ons: those that the profile enables. */
function addOnsOf({ spec: { cluster, artifacts } }: Facts): readonly BillItem[] {
  const addOns = [
    {
      name: 'smb-csi-registrar',
      of: { enabled: cluster.smbCsi.enabled, image: cluster.smbCsi.registrarImage },
      licence: 'Apache-2.0',
      file: 'cluster-smb-csi',
    },
    {
      name: 'fluent-bit',
      of: { ...cluster.fluentBit, image: cluster.fluentBit.image ?? '' },
      licence: 'Apache-2.0',
    },
    { name: 'smb-csi', of: cluster.smbCsi, licence: 'Apache-2.0' },
    { name: 'windows-exporter', of: cluster.windowsExporter, licence: 'MIT' },
    { name: 'csr-approver', of: cluster.csrApprover, licence: 'MIT' },
  ]
  return addOns
    .filter(({ of }) => of.enabled)
    .map(({ name, of, licence, file = `cluster-${name}` }): BillItem => {
      const url = lockedImage(of.image, artifacts)
      const { tag = '', digest } = parseImage(url) ?? {}
      return {
        id: `${name}-image`,
        kind: 'image',
        name,
        version: tag,
        url,
        digest,
        digestFrom: undefined,
        licence,
        neededBy: [file],
      }
    })
}

/** Images of the profile, whose licenses winnode does not know. */
function pulledOf({ spec: { cluster, network, artifacts } }: Facts): readonly BillItem[] {
  const ofPlugin = cniOf(network.cni).podImage?.(network)
  const pulled = [...new Set(cluster.imagePull.images)].map((image, at) => ({
    id: `image-pull-${at + 1}`,
    image,
    neededBy: 'cluster-image-pull',
  }))
  const drift = cluster.drift.image
  const images = [
    ...pulled,
    ...(drift === undefined
      ? []
      : [{ id: 'drift-image', image: drift, neededBy: 'cluster-drift' }]),
    ...(ofPlugin ? [{ id: `${network.cni}-image`, ...ofPlugin }] : []),
  ]
  return images.map(({ id, image, neededBy }) => {
    const url = lockedImage(image, artifacts)
    const { repository = '', tag = '', digest } = parseImage(url) ?? {}
    return {
      id,
      kind: 'image',
      name: repository,
      version: tag,
      url,
      digest,
      digestFrom: undefined,
      licence: 'NOASSERTION',
      neededBy: [neededBy],
    }
  })
}

export function billOf(facts: Facts): readonly BillItem[] {
  const { spec, sandbox } = facts
  const onHostProcessImage = [
    ...(kubeProxyRuns(spec) === 'daemonSet' ? ['join-cluster'] : []),
    ...(spec.cluster.imagePull.images.length > 0 ? ['cluster-image-pull'] : []),
  ]
  return [
    ...programsOf(facts).map((program): BillItem => {
      const { url, checksum, licence } = downloadOf(program.source, program.version, spec.artifacts)
      return {
        id: program.source,
        kind: 'download',
        name: program.source,
        version: program.version,
        url,
        digest: checksum?.kind === 'pinned' ? `sha256:${checksum.sha256}` : undefined,
        digestFrom: checksum?.kind === 'published' ? checksum.url : undefined,
        licence,
        neededBy: [program.neededBy],
      }
    }),
    ...(onHostProcessImage.length > 0
      ? [
          {
            id: 'host-process-image',
            kind: 'image' as const,
            name: 'windows-host-process-containers-base-image',
            version: hostProcessImage.split(':').at(-1) ?? '',
            url: hostProcessImage,
            digest: undefined,
            digestFrom: undefined,
            // The README of its repository: https://github.com/microsoft/windows-host-process-containers-base-image
            licence: 'CC0-1.0',
            neededBy: onHostProcessImage,
          },
        ]
      : []),
    ...addOnsOf(facts),
    ...pulledOf(facts),
    // A provider's image has its own.
    ...(cniOf(spec.network.cni).image
      ? []
      : [
          {
            id: 'sandbox-image',
            kind: 'image' as const,
            name: sandbox.repository,
            version: sandbox.tag ?? '',
            url: spec.sandboxImage,
            digest: sandbox.digest,
            digestFrom: undefined,
            licence: 'Apache-2.0',
            neededBy: ['image-sandbox', 'file-containerd-config'],
          },
        ]),
  ]
}
