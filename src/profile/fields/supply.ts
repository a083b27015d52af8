// Fields of where images and programs come from: registries and downloads.
import * as v from 'valibot'
import { artifactBases, artifactSources } from '../../matrix/artifact-sources.ts'
import {
  duration,
  eitherFolder,
  eitherPath,
  field,
  group,
  httpsURL,
  nodePath,
  open,
  sha256,
} from '../../model/field.ts'
import { isRegistry } from '../../go/image-reference.ts'

const provider = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]*$/, 'the file name of a program')),
  matchImages: v.pipe(v.array(v.string()), v.minLength(1, 'at least one pattern')),
  defaultCacheDuration: v.optional(duration, '12h'),
  args: v.optional(v.array(v.string()), []),
  env: v.optional(v.record(v.string(), v.string()), {}),
})

/** Rules say more of the address than a pattern can. */
const mirror = v.strictObject({
  url: v.string(),
  ca: v.optional(eitherPath),
  overridePath: v.optional(v.boolean(), false),
})

const registryWords = 'a registry such as registry.k8s.io or registry.example.com:5000'

/** A name that images cannot have is refused here; one that images have, and nobody asks, by a rule. */
function canBeAsked(name: string): boolean {
  return isRegistry(name) || isRegistry(`${name}:443`)
}

export const registry = group(
  {
    mirrors: field(
      v.record(
        v.pipe(
          v.string(),
          v.regex(
            /^(?:_default|(?:\[[0-9A-Fa-f:]+\]|[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)(?::\d+)?)$/,
            registryWords,
          ),
          v.check((name) => name === '_default' || canBeAsked(name), registryWords),
        ),
        v.pipe(v.array(mirror), v.minLength(1, 'at least one mirror')),
      ),
      {},
      {
        what: 'Mirrors to ask before a registry, in order; _default stands for every registry.',
        why: 'Before containerd 2.3 a ca replaces the roots of Windows. A ca is an absolute path, although containerd also reads one relative to hosts.toml: the node looks for the file before it changes anything. containerd puts /v2 behind the path of a mirror, unless overridePath says that the path is the whole.',
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
        what: 'The kubelet’s image credential providers: the folder of their programs, and either a configuration on the node or the providers themselves.',
        why: 'The kubelet asks them for pull secrets, so that no password lies on the node. It ends at its start where the folder or the configuration is missing.',
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
    baseURLs: field(
      v.record(v.picklist(baseIds), httpsURL),
      {},
      {
        what: 'Other addresses for what is downloaded, by source; the paths below them stay the same.',
        why: 'For nodes without a way to the internet. A checksum file on a mirror proves nothing about the mirror: pin digests too.',
        example: { kubernetes: 'https://mirror.example.com/dl.k8s.io' },
      },
    ),
    sha256: field(
      v.record(v.picklist(sourceIds), sha256),
      {},
      {
        what: 'Pinned digests by artefact; without one the node checks the publisher’s checksum file.',
        why: 'A checksum from the same address finds broken downloads, not tampering. A download that does not fit is refused and removed.',
        example: { kubelet: '0123456789abcdef'.repeat(4) },
      },
    ),
  },
  'Where the node’s programs come from.',
)
