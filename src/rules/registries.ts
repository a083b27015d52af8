// Image names and registry mirrors, parsed as containerd parses them.
import { isRegistry, parseImage, type Reading } from '../model/image-reference.ts'
import type { Facts } from '../model/facts.ts'
import { parseUrl } from '../model/go/url.ts'
import { defineRule, when } from '../model/rule.ts'
import type { RegistryMirror } from '../model/spec.ts'

const references = 'https://github.com/distribution/reference/blob/main/regexp.go'
const hosts =
  'https://github.com/containerd/containerd/blob/main/core/remotes/docker/config/hosts.go'

/** The grammar of image references that containerd before 1.7 has. */
const oldGrammar: Reading = { brackets: false, capitals: false, most: 'whole name' }

export const nameNeedsNewerContainerd = defineRule({
  id: 'image-name-too-new',
  severity: 'error',
  summary: 'containerd of this version reads the names of the sandbox image and of registries.',
  remedy: 'Choose a newer containerd, or another name.',
  see: references,
  upgrades: ['containerd'],
  check: (facts) => {
    const { spec } = facts
    if (facts.has('containerd-reads-ipv6-names')) return []
    const says = `containerd ${spec.containerd.version} reads no IPv6 address and no single word with capitals as a registry, and no name of more than 255 characters`
    return [
      ...when(parseImage(spec.sandboxImage, oldGrammar) === undefined, ['sandboxImage'], says),
      ...Object.keys(spec.registry.mirrors).flatMap((registry) =>
        when(
          isRegistry(registry) && !isRegistry(registry, oldGrammar),
          ['registry', 'mirrors', registry],
          says,
        ),
      ),
    ]
  },
})

export const mirrorsNeverUsed = defineRule({
  id: 'registry-never-asked',
  severity: 'error',
  summary: 'Mirrors belong to a registry that images name.',
  remedy:
    'Write the name as images have it: with a dot or a port, or docker.io where they have none.',
  see: 'https://github.com/distribution/reference/blob/main/normalize.go',
  check: ({ spec }) =>
    Object.keys(spec.registry.mirrors).flatMap((registry) => {
      const asked = parseImage(`${registry}/image:1`)?.registry
      return when(
        registry !== '_default' && !isRegistry(registry),
        ['registry', 'mirrors', registry],
        `containerd asks ${asked ?? 'nobody'} for images of ${registry}, and never looks at these mirrors`,
      )
    }),
})

/** containerd adds https:// to what does not start with http, even if that is no scheme. */
const withScheme = (url: string) => (url.startsWith('http') ? url : `https://${url}`)

/** Characters at which the TOML parser of containerd 1.x ends a quoted key, or rejects it. */
const breaksOldTomlKey = /["[\]]/

export const mirrorUnparsable = defineRule({
  id: 'mirror-unreadable',
  severity: 'error',
  summary: 'containerd reads the address of each mirror.',
  remedy: 'Write it like https://mirror.example.com:5000/proxy.',
  see: hosts,
  check: (facts) =>
    everyMirror(facts, ({ url }) => {
      const { version } = facts.spec.containerd
      const read = parseUrl(withScheme(url), facts.has('containerd-strict-colons'))
      const fault =
        'fault' in read
          ? read.fault
          : breaksOldTomlKey.test(url) && !facts.has('containerd-config-v3')
            ? `containerd ${version} reads no key with quotes or brackets`
            : undefined
      return (
        fault &&
        `${JSON.stringify(url)} makes containerd ignore the whole hosts.toml in silence: ${fault}`
      )
    }),
})

export const mirrorWithoutHost = defineRule({
  id: 'mirror-names-no-host',
  severity: 'error',
  summary: 'A mirror has a host.',
  remedy: 'Write it like https://mirror.example.com, or remove it.',
  see: hosts,
  check: (facts) =>
    everyMirror(facts, ({ url }) =>
      /^https?:(?!\/\/[^/:?#])/.test(withScheme(url))
        ? `${JSON.stringify(url)} names no host; containerd asks nobody there, and then the registry itself`
        : undefined,
    ),
})

/** URLs that containerd accepts but requests at another address; the first match is reported. */
const misread: readonly (readonly [
  pattern: RegExp,
  effect: string,
  applies?: (mirror: RegistryMirror, facts: Facts) => boolean,
])[] = [
  [/^(?!https?:\/\/)https?/, 'a name that begins with http is read as a scheme'],
  [/^(?!https?:)[A-Za-z][A-Za-z\d+.-]*:\/\//, 'its scheme is read as the name of a host'],
  [/^(?:https?:\/\/)?[^/]*@/, 'the user and the password in it are dropped'],
  [
    /^(?:https?:\/\/)?[^/[]*:[^/]*:/,
    'an IPv6 address without brackets reaches nobody',
    (_, facts) => !facts.has('containerd-strict-colons'),
  ],
  [/\?/, 'what stands behind the question mark is dropped'],
  [/#/, 'what stands behind the number sign is dropped'],
  [
    /^(?:https?:\/\/)?[^/]+\/+$/,
    'the slash at its end makes containerd ask for //v2',
    ({ overridePath }) => !overridePath,
  ],
  [
    /^(?:https?:\/\/)?[^/]+\/+v2\/+(?=[^/])/,
    'containerd puts /v2 behind the path once more, unless overridePath is true',
    ({ url, overridePath }) => !overridePath && !/\/v2\/*$/.test(url),
  ],
]

export const mirrorUrlMisread = defineRule({
  id: 'mirror-asks-elsewhere',
  severity: 'warning',
  harm: 'breaks',
  summary: 'containerd asks a mirror at the address that is written.',
  remedy: 'Write the address without it, or set overridePath.',
  see: hosts,
  check: (facts) =>
    everyMirror(facts, (mirror) => {
      const found = misread.find(
        ([pattern, , applies]) => pattern.test(mirror.url) && (applies?.(mirror, facts) ?? true),
      )
      return found && `${mirror.url} is not what containerd asks: ${found[1]}`
    }),
})

export const mirrorOverHttp = defineRule({
  id: 'mirror-over-http',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Mirrors are asked over TLS.',
  remedy: 'Use https.',
  see: hosts,
  // With a ca containerd asks over TLS first, and falls back to http where the answer is none of TLS.
  check: (facts) =>
    everyMirror(facts, ({ url, ca }) =>
      url.startsWith('http:')
        ? `${url} is asked without TLS${ca === undefined ? '' : ', in spite of its ca, where it answers without'}, so anybody between can give other images for a tag`
        : undefined,
    ),
})

const hostsToml = 'https://github.com/containerd/containerd/blob/main/docs/hosts.md'

export const mirrorsIgnored = defineRule({
  id: 'registry-mirrors-ignored',
  severity: 'error',
  summary: 'containerd reads the folder of mirrors.',
  remedy: 'Choose a newer containerd, or remove the mirrors.',
  upgrades: ['containerd'],
  see: hostsToml,
  check: ({ spec, has }) =>
    when(
      Object.keys(spec.registry.mirrors).length > 0 && !has('containerd-registry-folder'),
      ['registry', 'mirrors'],
      `containerd ${spec.containerd.version} reads no hosts.toml, and would ask the registries themselves`,
    ),
})

export const mirrorReplacesRoots = defineRule({
  id: 'registry-ca-replaces-roots',
  severity: 'info',
  harm: 'breaks',
  summary: 'Before containerd 2.3 a mirror’s ca is the only root that counts for it.',
  remedy: 'Put every root that the mirror needs into that file.',
  see: hostsToml,
  check: ({ spec, has }) =>
    Object.entries(spec.registry.mirrors).flatMap(([registry, list]) =>
      list.flatMap(({ url, ca }, at) =>
        when(
          ca !== undefined && !has('containerd-system-roots'),
          ['registry', 'mirrors', registry, at, 'ca'],
          `${url} is trusted by ${ca ?? ''} alone`,
        ),
      ),
    ),
})

function everyMirror({ spec }: Facts, check: (mirror: RegistryMirror) => string | undefined) {
  return Object.entries(spec.registry.mirrors).flatMap(([registry, list]) =>
    list.flatMap((mirror, at) => {
      const message = check(mirror)
      return when(
        message !== undefined,
        ['registry', 'mirrors', registry, at, 'url'],
        message ?? '',
      )
    }),
  )
}
