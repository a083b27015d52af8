// The SPDX document of a release: its files, and the packages that they contain.
// https://spdx.github.io/spdx-spec/v2.3/

import { linked } from './linked.mjs'

export function spdxOf({ name, version, license, home, day, files, bun, metafile, lock }) {
  const root = 'SPDXRef-winnode'
  const contained = [
    ...packagesIn(metafile, lock),
    // https://github.com/oven-sh/bun/blob/main/LICENSE.md
    { name: 'bun', version: bun, license: 'MIT', purl: `pkg:npm/bun@${bun}` },
  ]
  const own = contained.length
  contained.push(...linked.map(({ name, licence }) => ({ name, license: licence })))
  const ids = contained.map(
    ({ name, version }) =>
      `SPDXRef-${[name, version]
        .filter(Boolean)
        .join('-')
        .replace(/[^A-Za-z0-9.]+/g, '-')}`,
  )
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: `${name}-${version}`,
    documentNamespace: `${home}/releases/download/v${version}/winnode.spdx.json`,
    // The day of the tables in place of the clock, for a reproducible document.
    creationInfo: { created: `${day}T00:00:00Z`, creators: [`Tool: ${name}-${version}`] },
    packages: [
      { ...about({ name, version, license }), SPDXID: root, filesAnalyzed: false },
      ...contained.map((one, at) => ({ ...about(one), SPDXID: ids[at], filesAnalyzed: false })),
    ],
    files: files.map((file, at) => ({
      fileName: `./${file.name}`,
      SPDXID: `SPDXRef-File-${at}`,
      checksums: [
        { algorithm: 'SHA1', checksumValue: file.sha1 },
        { algorithm: 'SHA256', checksumValue: file.sha256 },
      ],
      licenseConcluded: 'NOASSERTION',
      copyrightText: 'NOASSERTION',
    })),
    relationships: [
      relation('SPDXRef-DOCUMENT', 'DESCRIBES', root),
      ...ids.slice(0, own).map((id) => relation(root, 'CONTAINS', id)),
      ...ids.slice(own).map((id) => relation(ids[own - 1], 'CONTAINS', id)),
      ...files.map((_, at) => relation(`SPDXRef-File-${at}`, 'GENERATED_FROM', root)),
    ],
  }
}

function about({ name, version, license, purl }) {
  return {
    name,
    ...(version && { versionInfo: version }),
    downloadLocation: 'NOASSERTION',
    licenseConcluded: 'NOASSERTION',
    licenseDeclared: license,
    copyrightText: 'NOASSERTION',
    ...(purl && {
      externalRefs: [
        { referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl },
      ],
    }),
  }
}

function relation(spdxElementId, relationshipType, relatedSpdxElement) {
  return { spdxElementId, relationshipType, relatedSpdxElement }
}

/** The packages that esbuild's metafile names, with versions from the lockfile. */
function packagesIn({ outputs }, lock) {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs))
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [])
  return [...new Set(folders)].sort().map((folder) => {
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version, license = 'NOASSERTION' } = lock.packages[folder]
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
    return { name, version, license, purl }
  })
}
