// Fields of registries and downloads.
import * as v from 'valibot'
import { artifactBases, artifactSources } from '../../matrix/artifact-sources.ts'
import {
  duration,
  eitherFolder,
  eitherPath,
  field,
  group,
  httpsURL,
  mirrorPlace,
  nodePath,
  open,
  sha256,
  text,
} from '../../model/field.ts'
import { isRegistry } from '../../go/image-reference.ts'

const provider = v.strictObject({
  name: text(/^[A-Za-z0-9][\w.-]*$/, 'the file name of a program'),
  matchImages: v.pipe(v.array(v.string()), v.minLength(1, 'at least one pattern')),
  defaultCacheDuration: v.optional(duration, '12h'),
  args: v.optional(v.array(v.string()), []),
  env: v.optional(v.record(v.string(), v.string()), {}),
})

/** Rules check the URL in more detail than a pattern can. */
const mirror = v.strictObject({
  url: v.string(),
  ca: v.optional(eitherPath),
  overridePath: v.optional(v.boolean(), false),
})

const registryWords = 'a registry such as registry.k8s.io or registry.example.com:5000'

/** Rejects names that are invalid in image references. A rule rejects valid names that containerd never uses. */
function canBeAsked(name: string): boolean {
  return isRegistry(name) || isRegistry(`${name}:443`)
}

export const registry = group(
  {
    mirrors: field(
      v.record(
        v.pipe(
          text(
            /^(?:_default|(?:\[[0-9A-Fa-f:]+\]|[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?::\d+)?)$/,
            registryWords,
          ),
          v.check((name) => name === '_default' || canBeAsked(name), registryWords),
          v.check(
            (name) => !Object.hasOwn(mirror.entries, name),
            'a registry; overridePath and ca are options of a mirror, beside its url',
          ),
        ),
        v.pipe(v.array(mirror), v.minLength(1, 'at least one mirror')),
      ),
      {},
      {
        what: 'Registry mirrors, by registry, in order of use; _default applies to all other registries.',
        why: 'Before containerd 2.3, ca replaces the Windows root certificates. ca must be an absolute path, because the node checks before any change that the file exists. containerd appends /v2 to the path of a mirror, unless overridePath is true.',
        example: { 'registry.k8s.io': [{ url: 'https://mirror.example.com' }] },
      },
    ),
    credentialProvider: open(
      v.strictObject({
        binDirectory: eitherFolder,
        config: v.optional(nodePath),
        providers: v.optional(v.array(provider), []),
      }),
      {
        what: 'Kubelet image credential providers: the folder of the programs, and either a configuration file on the node or a list of providers.',
        why: 'The kubelet runs them to get pull credentials, so that no password is stored on the node. It does not start if the folder or the configuration is missing.',
        example: {
          binDirectory: 'C:\\k\\credential-providers',
          providers: [{ name: 'acr-credential-provider.exe', matchImages: ['*.azurecr.io'] }],
        },
      },
    ),
  },
  'Image registries.',
)

const baseIds = Object.keys(artifactBases)
const sourceIds = artifactSources.map((source) => source.id)

export const artifacts = group(
  {
    from: open(mirrorPlace, {
      what: 'Download mirror with the folders dl.k8s.io, github.com and nssm.cc: an address, a share, or a folder on the node.',
      why: 'For nodes without internet access; winnode mirror lists its files. http needs pinned checksums. Install runs as SYSTEM in most pipelines, which opens a share as the account of the machine.',
      example: '\\\\files\\mirror',
    }),
    baseURLs: field(
      v.record(v.picklist(baseIds), httpsURL),
      {},
      {
        what: 'Download mirrors (base URLs), by source; paths below them stay the same. They go before `from`.',
        why: 'For nodes without internet access. A checksum file on the mirror does not protect against the mirror itself: pin checksums too.',
        example: { kubernetes: 'https://mirror.example.com/dl.k8s.io' },
      },
    ),
    sha256: field(
      v.record(v.picklist(sourceIds), sha256),
      {},
      {
        what: 'Pinned SHA-256 checksums by artifact; without one, the node uses the publisher’s checksum file.',
        why: 'A checksum from the same host detects broken downloads, not tampering. A download with a wrong checksum is deleted.',
        example: { kubelet: '0123456789abcdef'.repeat(4) },
      },
    ),
    lock: field(
      v.record(v.string(), sha256),
      {},
      {
        what: 'Pinned SHA-256 checksums by the publisher’s URL of a download, and digests by image.',
        why: 'winnode lock writes it to winnode.lock, which is read with each profile in its folder. One file pins several versions, while sha256 pins one.',
        example: {
          'https://dl.k8s.io/release/v1.37.1/bin/windows/amd64/kubelet.exe':
            '0123456789abcdef'.repeat(4),
        },
      },
    ),
  },
  'Downloads of the node’s programs.',
)
