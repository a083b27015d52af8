// The bill of materials of a bundle, as a table, SPDX 2.3 and CycloneDX 1.6.
import { parseImage } from '../go/image-reference.ts'
import { artifactSource } from '../matrix/artifact-sources.ts'
import type { BillItem } from '../model/plan.ts'
import type { Screen } from './screen.ts'
import { table } from './table.ts'

export const bomFormats = ['table', 'json', 'spdx', 'cyclonedx'] as const

export interface Bom {
  /** Name of the bundle. */
  readonly name: string
  readonly components: readonly BillItem[]
  /** The scripts of the bundle, which winnode wrote. */
  readonly scripts: readonly BomScript[]
  /** Version of winnode. */
  readonly version: string
  /** YYYY-MM-DD; given by the caller, so that the output does not depend on the clock. */
  readonly day: string
  /** Computed from the content, so that equal bills of materials have equal IDs. */
  readonly uuid: string
}

interface BomScript {
  readonly path: string
  readonly sha1: string
  readonly sha256: string
}

interface Component extends BillItem {
  readonly licenceSee?: string
  readonly purl?: string
  readonly sha256?: string
}

const publicDomain = {
  licenseId: 'LicenseRef-public-domain',
  name: 'Public domain',
  // Its README: https://nssm.cc/
  extractedText: 'NSSM is public domain.',
}

/** Package URLs only where they are certain: for the release tag of a program's source, and for an image with a digest. */
function componentOf(item: BillItem): Component {
  const sha256 = item.digest?.replace('sha256:', '')
  if (item.kind === 'download') {
    const { licenceSee, purl } = artifactSource(item.id)
    return {
      ...item,
      licenceSee,
      ...(purl !== undefined && { purl: purl.replace('{version}', item.version) }),
      ...(sha256 !== undefined && { sha256 }),
    }
  }
  const { registry, repository, tag } = parseImage(item.url) ?? {}
  if (sha256 === undefined || registry === undefined || repository === undefined) return item
  // https://github.com/package-url/purl-spec/blob/main/types-doc/oci-definition.md
  const query = new URLSearchParams({
    repository_url: `${registry}/${repository}`,
    ...(tag !== undefined && { tag }),
  })
  const name = repository.slice(repository.lastIndexOf('/') + 1)
  return { ...item, purl: `pkg:oci/${name}@sha256%3A${sha256}?${query.toString()}`, sha256 }
}

export function bomTable({ components }: Bom, screen: Screen): string {
  return table(
    ['COMPONENT', 'VERSION', 'LICENSE', 'CHECKSUM', 'FROM'],
    components.map(({ name, version, licence, digest, digestFrom, url }) => [
      name,
      version,
      licence,
      digest !== undefined ? 'pinned' : digestFrom !== undefined ? 'published' : 'none',
      url,
    ]),
    screen,
  )
}

/** https://spdx.github.io/spdx-spec/v2.3/ */
export function spdxOf(bom: Bom): object {
  const root = 'SPDXRef-bundle'
  const all = bom.components.map(componentOf)
  const idOf = ({ id }: Component) => `SPDXRef-${id.replace(/[^A-Za-z0-9.-]/g, '-')}`
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: bom.name,
    documentNamespace: `urn:uuid:${bom.uuid}`,
    creationInfo: {
      created: `${bom.day}T00:00:00Z`,
      creators: [`Tool: winnode-${bom.version}`],
    },
    packages: [
      {
        SPDXID: root,
        name: bom.name,
        downloadLocation: 'NOASSERTION',
        filesAnalyzed: false,
        primaryPackagePurpose: 'INSTALL',
      },
      ...all.map((one) => ({
        SPDXID: idOf(one),
        name: one.name,
        versionInfo: one.version,
        downloadLocation: one.kind === 'download' ? one.url : 'NOASSERTION',
        filesAnalyzed: false,
        ...(one.sha256 !== undefined &&
          one.kind === 'download' && {
            checksums: [{ algorithm: 'SHA256', checksumValue: one.sha256 }],
          }),
        licenseConcluded: 'NOASSERTION',
        licenseDeclared: one.licence,
        ...(one.licenceSee !== undefined && { licenseComments: one.licenceSee }),
        copyrightText: 'NOASSERTION',
        primaryPackagePurpose: one.kind === 'download' ? 'APPLICATION' : 'CONTAINER',
        comment: commentOf(one),
        ...(one.purl !== undefined && {
          externalRefs: [
            {
              referenceCategory: 'PACKAGE-MANAGER',
              referenceType: 'purl',
              referenceLocator: one.purl,
            },
          ],
        }),
      })),
    ],
    files: bom.scripts.map(({ path, sha1, sha256 }, at) => ({
      SPDXID: `SPDXRef-script-${at + 1}`,
      fileName: `./${path}`,
      fileTypes: ['SOURCE'],
      checksums: [
        { algorithm: 'SHA1', checksumValue: sha1 },
        { algorithm: 'SHA256', checksumValue: sha256 },
      ],
      licenseConcluded: 'NOASSERTION',
      copyrightText: 'NOASSERTION',
    })),
    ...(all.some(({ licence }) => licence === publicDomain.licenseId) && {
      hasExtractedLicensingInfos: [publicDomain],
    }),
    relationships: [
      relation('SPDXRef-DOCUMENT', 'DESCRIBES', root),
      ...all.map((one) => relation(root, 'DEPENDS_ON', idOf(one))),
      ...bom.scripts.map((_, at) => relation(root, 'CONTAINS', `SPDXRef-script-${at + 1}`)),
    ],
  }
}

function relation(spdxElementId: string, relationshipType: string, relatedSpdxElement: string) {
  return { spdxElementId, relationshipType, relatedSpdxElement }
}

function commentOf({ kind, url, neededBy }: Component): string {
  const image = kind === 'image' ? `image ${url}; ` : ''
  return `${image}needed by ${neededBy.join(', ')}`
}

/** https://cyclonedx.org/docs/1.6/json/ */
export function cyclonedxOf(bom: Bom): object {
  const all = bom.components.map(componentOf)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${bom.uuid}`,
    version: 1,
    metadata: {
      timestamp: `${bom.day}T00:00:00Z`,
      tools: { components: [{ type: 'application', name: 'winnode', version: bom.version }] },
      component: { type: 'platform', 'bom-ref': 'bundle', name: bom.name },
    },
    components: [
      ...all.map((one) => ({
        type: one.kind === 'download' ? 'application' : 'container',
        'bom-ref': one.id,
        name: one.name,
        version: one.version,
        ...(one.sha256 !== undefined &&
          one.kind === 'download' && { hashes: [{ alg: 'SHA-256', content: one.sha256 }] }),
        ...(one.licence !== 'NOASSERTION' && { licenses: [{ license: licenseOf(one) }] }),
        ...(one.purl !== undefined && { purl: one.purl }),
        ...(one.kind === 'download' && {
          externalReferences: [{ type: 'distribution', url: one.url }],
        }),
        properties: [
          ...(one.kind === 'image' ? [{ name: 'winnode:image', value: one.url }] : []),
          ...one.neededBy.map((value) => ({ name: 'winnode:neededBy', value })),
        ],
      })),
      ...bom.scripts.map(({ path, sha1, sha256 }) => ({
        type: 'file',
        'bom-ref': path,
        name: path,
        hashes: [
          { alg: 'SHA-1', content: sha1 },
          { alg: 'SHA-256', content: sha256 },
        ],
      })),
    ],
    dependencies: [{ ref: 'bundle', dependsOn: all.map(({ id }) => id) }],
  }
}

function licenseOf({ licence, licenceSee }: Component): object {
  const named =
    licence === publicDomain.licenseId
      ? { name: publicDomain.name, text: { content: publicDomain.extractedText } }
      : { id: licence }
  return { ...named, ...(licenceSee !== undefined && { url: licenceSee }) }
}
