// The bill of materials: every download and image of a node.
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { hostProcessImage } from '../matrix/host-process-image.ts'
import type { Facts } from '../model/facts.ts'
import type { BillItem } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { parseImage } from '../go/image-reference.ts'
import { downloadOf } from './download.ts'
import { lockedImage } from '../model/locked-image.ts'
import { programsOf } from './programs.ts'

interface Image {
  readonly id: string
  /** The default is its repository. */
  readonly name?: string
  readonly image: string
  readonly licence: string
  readonly neededBy: readonly string[]
}

function imageItem({ spec: { artifacts } }: Facts, { image, ...row }: Image): BillItem {
  const url = lockedImage(image, artifacts)
  const { repository = '', tag = '', digest } = parseImage(url) ?? {}
  return {
    id: row.id,
    kind: 'image',
    name: row.name ?? repository,
    version: tag,
    url,
    digest,
    digestFrom: undefined,
    licence: row.licence,
    neededBy: row.neededBy,
  }
}

/** Images of add-ons: those that the profile enables. */
function addOnsOf({ cluster }: NodeSpec): readonly Image[] {
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
    .map(({ name, of: { image }, licence, file = `cluster-${name}` }) => ({
      id: `${name}-image`,
      name,
      image,
      licence,
      neededBy: [file],
    }))
}

/** Images of the profile, whose licenses winnode does not know. */
function pulledOf({ cluster, network }: NodeSpec): readonly Image[] {
  const { image: drift } = cluster.drift
  const ofPlugin = cniOf(network.cni).podImage?.(network)
  const images = [
    ...[...new Set(cluster.imagePull.images)].map((image, at) => ({
      id: `image-pull-${at + 1}`,
      image,
      neededBy: 'cluster-image-pull',
    })),
    drift !== undefined && { id: 'drift-image', image: drift, neededBy: 'cluster-drift' },
    ofPlugin !== undefined && { id: `${network.cni}-image`, ...ofPlugin },
  ]
  return images
    .filter((one) => one !== false)
    .map((one) => ({ ...one, licence: 'NOASSERTION', neededBy: [one.neededBy] }))
}

export function billOf(facts: Facts): readonly BillItem[] {
  const { spec } = facts
  const onHostProcessImage = [
    ...(kubeProxyRuns(spec) === 'daemonSet' ? ['join-cluster'] : []),
    ...(spec.cluster.imagePull.images.length > 0 ? ['cluster-image-pull'] : []),
  ]
  const images: readonly (Image | false)[] = [
    onHostProcessImage.length > 0 && {
      id: 'host-process-image',
      name: 'windows-host-process-containers-base-image',
      image: hostProcessImage,
      // The README of its repository: https://github.com/microsoft/windows-host-process-containers-base-image
      licence: 'CC0-1.0',
      neededBy: onHostProcessImage,
    },
    ...addOnsOf(spec),
    ...pulledOf(spec),
    // A provider's image has its own.
    cniOf(spec.network.cni).image === undefined && {
      id: 'sandbox-image',
      image: spec.sandboxImage,
      licence: 'Apache-2.0',
      neededBy: ['image-sandbox', 'file-containerd-config'],
    },
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
    ...images.filter((one) => one !== false).map((one) => imageItem(facts, one)),
  ]
}
