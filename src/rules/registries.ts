// Image names and registry mirrors, parsed as containerd parses them.
import { isRegistry, parseImage, type Reading } from '../go/image-reference.ts'
import type { Facts } from '../model/facts.ts'
import { parseUrl } from '../go/url.ts'
import { hostPattern } from '../net/host.ts'
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
  summary: 'The containerd version can parse the names of the sandbox image and the registries.',
  remedy: 'Use a newer containerd, or another name.',
  see: references,
  upgrades: ['containerd'],
  check: (facts) => {
    const { spec } = facts
    if (facts.has('containerd-reads-ipv6-names')) return []
    const message = `containerd ${spec.containerd.version} rejects this name: it has an IPv6 address or a single word with capitals as registry, or more than 255 characters`
    return [
      ...when(parseImage(spec.sandboxImage, oldGrammar) === undefined, ['sandboxImage'], message),
      ...Object.keys(spec.registry.mirrors).flatMap((registry) =>
        when(
          isRegistry(registry) && !isRegistry(registry, oldGrammar),
          ['registry', 'mirrors', registry],
          message,
        ),
      ),
    ]
  },
})

export const mirrorsNeverUsed = defineRule({
  id: 'registry-never-asked',
  severity: 'error',
  summary: 'Mirrors are set for registries that image names can have.',
  remedy:
    'Write the registry as in image names: with a dot or a port, or docker.io for images without a registry.',
  see: 'https://github.com/distribution/reference/blob/main/normalize.go',
  check: ({ spec }) =>
    Object.keys(spec.registry.mirrors).flatMap((registry) => {
      const asked = parseImage(`${registry}/image:1`)?.registry
      return when(
        registry !== '_default' && !isRegistry(registry),
        ['registry', 'mirrors', registry],
        `these mirrors are never used: containerd pulls images of ${registry} from ${asked ?? 'no registry'}`,
      )
    }),
})

/** containerd prepends https:// unless the text starts with http, even where that is not a scheme. */
const withScheme = (url: string) => (url.startsWith('http') ? url : `https://${url}`)

const readUrl = (url: string, facts: Facts) =>
  parseUrl(withScheme(url), facts.has('containerd-strict-colons'))

/** Characters at which the TOML parser of containerd 1.x ends a quoted key, or rejects it. */
const breaksOldTomlKey = /["[\]]/

export const mirrorUnparsable = defineRule({
  id: 'mirror-unreadable',
  severity: 'error',
  summary: 'containerd can parse the URL of each mirror.',
  remedy: 'Write it like https://mirror.example.com:5000/proxy.',
  see: hosts,
  check: (facts) =>
    everyMirror(facts, ({ url }) => {
      const { version } = facts.spec.containerd
      const read = readUrl(url, facts)
      const fault =
        'fault' in read
          ? read.fault
          : breaksOldTomlKey.test(url) && !facts.has('containerd-config-v3')
            ? `containerd ${version} rejects keys with quotes or brackets`
            : undefined
      return (
        fault &&
        `containerd cannot parse ${JSON.stringify(url)} and silently ignores the whole hosts.toml: ${fault}`
      )
    }),
})

/** In brackets is an IPv6 address, or Go had not read it; letters that are not ASCII Go writes in punycode. */
const hostForm = new RegExp(`^(?:\\[.*|.*[^\\p{ASCII}].*|${hostPattern})$`, 'u')

export const mirrorWithoutHost = defineRule({
  id: 'mirror-names-no-host',
  severity: 'error',
  summary: 'Each mirror URL has a host, and no port that cannot exist.',
  remedy: 'Write it like https://mirror.example.com, or remove it.',
  see: hosts,
  check: (facts) =>
    everyMirror(facts, ({ url }) => {
      const read = readUrl(url, facts)
      if ('fault' in read || !read.scheme) return undefined
      const [, host, port = ''] = /^(\[.*\]|[^:]*)(?::(\d*))?$/.exec(read.host) ?? []
      if (host === '')
        return `${JSON.stringify(url)} has no host; containerd skips it and pulls from the registry itself`
      if (host !== undefined && !hostForm.test(host))
        return `${JSON.stringify(host)} is no DNS name and no IP address; containerd pulls from the registry itself`
      return port !== '' && !(Number(port) >= 1 && Number(port) <= 65_535)
        ? `${JSON.stringify(url)} has no valid port (1 to 65535); containerd pulls from the registry itself`
        : undefined
    }),
})

/** URLs that containerd accepts but requests at another address; the first match is reported. */
const misread: readonly (readonly [
  pattern: RegExp,
  effect: string,
  applies?: (mirror: RegistryMirror, facts: Facts) => boolean,
])[] = [
  [/^(?!https?:\/\/)https?/, 'a host name that starts with http is parsed as a scheme'],
  [/^(?!https?:)[A-Za-z][A-Za-z\d+.-]*:\/\//, 'the scheme is parsed as a host name'],
  [/^(?:https?:\/\/)?[^/]*@/, 'the user name and password are dropped'],
  [
    /^(?:https?:\/\/)?[^/[]*:[^/]*:/,
    'an IPv6 address without brackets cannot be reached',
    (_, facts) => !facts.has('containerd-strict-colons'),
  ],
  [/\?/, 'the query after ? is dropped'],
  [/#/, 'the fragment after # is dropped'],
  [
    /^(?:https?:\/\/)?[^/]+\/+$/,
    'with the trailing slash, containerd requests //v2',
    ({ overridePath }) => !overridePath,
  ],
  [
    /^(?:https?:\/\/)?[^/]+\/+v2\/+(?=[^/])/,
    'containerd appends /v2 to the path again, unless overridePath is true',
    ({ url, overridePath }) => !overridePath && !/\/v2\/*$/.test(url),
  ],
]

export const mirrorUrlMisread = defineRule({
  id: 'mirror-asks-elsewhere',
  severity: 'warning',
  harm: 'breaks',
  summary: 'containerd requests mirrors at the URL in the profile.',
  remedy: 'Remove this part of the URL; for a path with /v2, set overridePath: true instead.',
  see: hosts,
  check: (facts) =>
    everyMirror(facts, (mirror) => {
      const found = misread.find(
        ([pattern, , applies]) => pattern.test(mirror.url) && (applies?.(mirror, facts) ?? true),
      )
      return found && `containerd does not request ${mirror.url} as written: ${found[1]}`
    }),
})

export const mirrorPathFirst = defineRule({
  id: 'mirror-path-before-v2',
  severity: 'info',
  harm: 'breaks',
  summary: 'The path of a mirror is where its registry serves it.',
  remedy: 'For Harbor write https://HOST/v2/PROJECT, and set overridePath: true.',
  see: 'https://github.com/goharbor/harbor/blob/main/src/server/registry/route.go',
  check: (facts) =>
    everyMirror(facts, ({ url, overridePath }) => {
      const [, host, project] = /^(?:https?:\/\/)?([^/]+)\/([^/?#]+)\/?$/.exec(url) ?? []
      return host === undefined || project === 'v2' || overridePath
        ? undefined
        : `containerd requests /${project}/v2/IMAGE of ${host}; Harbor and most registries serve /v2/${project}/IMAGE`
    }),
})

export const mirrorOverHttp = defineRule({
  id: 'mirror-over-http',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Mirrors use TLS.',
  remedy: 'Use https for the mirror.',
  see: hosts,
  // With a CA file containerd tries TLS first, and falls back to http if the server does not speak TLS.
  check: (facts) =>
    everyMirror(facts, ({ url, ca }) =>
      url.startsWith('http:')
        ? `${url} is ${ca === undefined ? 'used without TLS' : 'used without TLS if it answers over http, although ca is set'}; images can be replaced in transit`
        : undefined,
    ),
})

const hostsToml = 'https://github.com/containerd/containerd/blob/main/docs/hosts.md'

export const mirrorsIgnored = defineRule({
  id: 'registry-mirrors-ignored',
  severity: 'error',
  summary: 'The containerd version supports hosts.toml.',
  remedy: 'Use a newer containerd, or remove the mirrors.',
  upgrades: ['containerd'],
  see: hostsToml,
  check: ({ spec, has }) =>
    when(
      Object.keys(spec.registry.mirrors).length > 0 && !has('containerd-registry-folder'),
      ['registry', 'mirrors'],
      `containerd ${spec.containerd.version} ignores hosts.toml and would pull from the registries directly`,
    ),
})

export const mirrorReplacesRoots = defineRule({
  id: 'registry-ca-replaces-roots',
  severity: 'info',
  harm: 'breaks',
  summary: 'Before containerd 2.3, a mirror’s ca replaces the system’s root certificates.',
  remedy: 'Put all root certificates that the mirror needs in the ca file.',
  see: hostsToml,
  check: ({ spec, has }) =>
    Object.entries(spec.registry.mirrors).flatMap(([registry, list]) =>
      list.flatMap(({ url, ca }, at) =>
        when(
          ca !== undefined && !has('containerd-system-roots'),
          ['registry', 'mirrors', registry, at, 'ca'],
          `${url} is verified with ${ca ?? ''} only, not with the system’s root certificates`,
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
