// Downloads: their checksums and their hosts.
import { billOf } from '../downloads/bill.ts'
import { downloadOf } from '../downloads/download.ts'
import { programsOf } from '../downloads/programs.ts'
import { parseImage } from '../go/image-reference.ts'
import {
  artifactBases,
  artifactSource,
  knownDigest,
  publisherURL,
} from '../matrix/artifact-sources.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, when } from '../model/rule.ts'

function downloadsOf(facts: Facts) {
  const { artifacts } = facts.spec
  return programsOf(facts).map(({ source, version }) => ({
    source,
    version,
    mirror: artifacts.baseURLs[artifactSource(source).base],
    kind: downloadOf(source, version, artifacts).checksum?.kind,
  }))
}

export const checksumMissing = defineRule({
  id: 'download-without-digest',
  severity: 'error',
  summary: 'Every download has a checksum.',
  remedy: 'Set the SHA-256 checksum in artifacts.sha256.',
  see: 'https://kubernetes.io/releases/download/',
  check: (facts) =>
    downloadsOf(facts).flatMap(({ source, version, kind }) =>
      when(
        kind === undefined,
        ['artifacts', 'sha256', source],
        `${source} ${version} has no published checksum, and none is pinned`,
      ),
    ),
})

export const checksumFromDownloadHost = defineRule({
  id: 'download-digest-from-publisher',
  severity: 'warning',
  harm: 'exposes',
  severityVaries: true,
  exposure: true,
  countedAs: 'checksum source',
  summary: 'Checksums of downloads are pinned in the profile.',
  remedy:
    'Pin them with winnode lock; a checksum from the same host detects broken downloads, not tampering.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/verify-signed-artifacts/',
  check: (facts) => {
    const published = downloadsOf(facts).filter(({ kind }) => kind === 'published')
    const mirrored = published.filter(({ mirror }) => mirror !== undefined)
    const direct = published.filter(({ mirror }) => mirror === undefined)
    const namesOf = (some: typeof published) => some.map(({ source }) => source).join(', ')
    return [
      ...when(
        mirrored.length > 0,
        ['artifacts', facts.spec.artifacts.from === undefined ? 'baseURLs' : 'from'],
        `checksums of ${namesOf(mirrored)} come from the same mirror as the downloads`,
      ),
      // The publisher's own host, over TLS: no other host is trusted.
      ...when(
        direct.length > 0,
        ['artifacts', 'sha256'],
        `checksums of ${namesOf(direct)} come from the same host as the downloads`,
        { severity: 'info' },
      ),
    ]
  },
})

export const lockContradicts = defineRule({
  id: 'lock-contradicts-checksum',
  severity: 'error',
  harm: 'exposes',
  summary: 'winnode.lock has the same checksums as the profile and the tables of winnode.',
  remedy: 'Find out which file is the right one, and remove the other checksum.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/verify-signed-artifacts/',
  check: (facts) => {
    const { sha256, lock } = facts.spec.artifacts
    return programsOf(facts).flatMap(({ source, version }) => {
      const url = publisherURL(source, version)
      const known = sha256[source] ?? knownDigest(source, version)
      const locked = lock[url]
      if (locked === undefined || known === undefined || locked === known) return []
      const message = `${source} ${version} has the checksum ${locked} in winnode.lock, and ${known} in`
      const path = ['artifacts', 'lock', url]
      if (sha256[source] === undefined)
        return [{ path, message: `${message} the tables of winnode` }]
      return [path, ['artifacts', 'sha256', source]].map((one) => ({
        path: one,
        message: `${message} artifacts.sha256`,
      }))
    })
  },
})

export const checksumUnused = defineRule({
  id: 'digest-pinned-for-nothing',
  severity: 'warning',
  harm: 'limits',
  summary: 'Pinned checksums belong to files that this node downloads.',
  remedy: 'Remove the checksum from artifacts.sha256.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/verify-signed-artifacts/',
  check: (facts) => {
    const fetched = programsOf(facts).map(({ source }) => source)
    return Object.keys(facts.spec.artifacts.sha256).flatMap((id) =>
      when(
        !fetched.includes(id),
        ['artifacts', 'sha256', id],
        `the checksum of ${id} is unused: this node does not download it`,
      ),
    )
  },
})

export const mirrorsPartial = defineRule({
  id: 'download-mirrors-partial',
  severity: 'warning',
  harm: 'breaks',
  summary: 'With download mirrors, every source of a download has one.',
  remedy:
    'Set a mirror for each source in artifacts.baseURLs, or ignore this if the node has internet access.',
  see: 'https://kubernetes.io/releases/download/',
  check: (facts) => {
    const { baseURLs } = facts.spec.artifacts
    const used = new Set(programsOf(facts).map(({ source }) => artifactSource(source).base))
    const open = [...used].filter((base) => baseURLs[base] === undefined)
    return when(
      Object.keys(baseURLs).length > 0 && open.length > 0,
      ['artifacts', 'baseURLs'],
      `no download mirror for ${open.map((base) => `${base} (${artifactBases[base]})`).join(', ')}: the node downloads from the internet`,
    )
  },
})

export const httpUnpinned = defineRule({
  id: 'http-mirror-unpinned',
  severity: 'error',
  harm: 'exposes',
  summary: 'Downloads over http have pinned checksums.',
  remedy: 'Pin them with winnode lock, or use https.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/verify-signed-artifacts/',
  check: (facts) => {
    const { artifacts } = facts.spec
    const exposed = programsOf(facts).filter(({ source, version }) => {
      const { url, checksum } = downloadOf(source, version, artifacts)
      return url.startsWith('http:') && checksum?.kind !== 'pinned'
    })
    return when(
      exposed.length > 0,
      ['artifacts', 'from'],
      `${exposed.map(({ source }) => source).join(', ')} would come over http without a pinned checksum: another machine on the network could replace both`,
    )
  },
})

/** Of the images that nodes need. What another registry needs, winnode does not know. */
const publicRegistries = ['docker.io', 'ghcr.io', 'mcr.microsoft.com', 'quay.io', 'registry.k8s.io']

export const internetNeeded = defineRule({
  id: 'internet-needed',
  severity: 'error',
  summary: 'With host.offline, the node needs no internet access.',
  remedy: 'Set artifacts.from, and a mirror for each registry in registry.mirrors.',
  see: 'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-init/#without-internet-connection',
  check: (facts) => {
    const { artifacts, host, registry } = facts.spec
    if (!host.offline) return []
    const used = new Set(programsOf(facts).map(({ source }) => artifactSource(source).base))
    const open = [...used].filter((base) => artifacts.baseURLs[base] === undefined)
    const registries = billOf(facts)
      .filter(({ kind }) => kind === 'image')
      .map(({ url }) => parseImage(url)?.registry ?? '')
      .filter((name) => publicRegistries.includes(name))
      .filter((name) => (registry.mirrors[name] ?? registry.mirrors['_default']) === undefined)
    return [
      ...when(
        open.length > 0,
        ['artifacts', 'from'],
        `the node downloads from ${open.map((base) => artifactBases[base]).join(', ')}`,
      ),
      ...when(
        registries.length > 0,
        ['registry', 'mirrors'],
        `the node pulls images from ${[...new Set(registries)].join(', ')}`,
      ),
    ]
  },
})

export const retiredHost = defineRule({
  id: 'download-from-retired-host',
  severity: 'error',
  summary: 'Download addresses are not retired.',
  remedy: 'Use the vendor’s current address.',
  see: 'https://learn.microsoft.com/azure/frontdoor/edgio-retirement-faq',
  check: ({ spec }) =>
    Object.entries(spec.artifacts.baseURLs).flatMap(([base, url]) =>
      when(
        /\.azureedge\.net(?:\/|$)/.test(url),
        ['artifacts', 'baseURLs', base],
        `${url} is retired: the CDN behind it was shut down`,
      ),
    ),
})
