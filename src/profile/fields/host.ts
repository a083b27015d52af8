// Fields of the machine around Kubernetes: services, host settings, registries, downloads.
import * as v from 'valibot'
import { cidr, duration, field, group, httpsURL, nodePath, open, sha256, whole } from './kinds.ts'
import { artifactBases, artifactSources } from '../../matrix/artifact-sources.ts'

export const services = group(
  {
    logMaxSizeMiB: field(whole(1, 10_240), 50, {
      what: 'Size at which a log file is rotated, in MiB.',
      why: 'Nothing on Windows rotates these logs by itself, and a full drive C: stops the node.',
      example: 100,
    }),
    logMaxFiles: field(whole(1, 100), 5, {
      what: 'How many rotated files are kept of a log that winnode rotates.',
      why: 'They are those of containerd and flanneld, and before Kubernetes 1.34 of kubelet and kube-proxy too.',
      example: 10,
    }),
    logMaxAgeDays: field(whole(1, 3650), 14, {
      what: 'Days that kube-log-runner keeps rotated files of the kubelet and kube-proxy.',
      why: 'It rotates by size and removes by age.',
      when: 'from Kubernetes 1.34 on',
      example: 30,
    }),
  },
  'The Windows services that run the components.',
)

export const host = group(
  {
    features: field(
      v.array(v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]+$/, 'the name of a Windows feature'))),
      ['Containers'],
      {
        what: 'Windows features to install.',
        why: 'Containers is needed; installing it asks for a restart. Hyper-V isolation needs Hyper-V too.',
        example: ['Containers', 'Hyper-V'],
      },
    ),
    pageFileMiB: open(whole(512, 1_048_576), {
      what: 'Size of the page file, initial and maximum, in MiB.',
      why: 'Windows hands out no memory beyond RAM and page file, and the eviction signal counts both: a fixed size keeps the eviction point where it is.',
      example: 8096,
    }),
    defenderExclusions: field(v.boolean(), false, {
      what: 'Exclude the node’s own programs from Defender’s real-time scan.',
      why: 'Faster image pulls, but what an excluded program opens is not scanned.',
      example: true,
    }),
    powerPlan: field(v.boolean(), true, {
      what: 'Use the power plan High performance.',
      why: 'Balanced, the default of Windows, lowers the clock of processors that a node pays for.',
      example: true,
    }),
    timeServers: field(
      v.array(
        v.pipe(v.string(), v.regex(/^[A-Za-z0-9][A-Za-z0-9.:-]*$/, 'a host name or address')),
      ),
      [],
      {
        what: 'NTP servers; empty leaves the time service as it is.',
        why: 'Certificates and tokens fail when the clock is off.',
        example: ['time.windows.com'],
      },
    ),
    allowOtherEngines: field(v.boolean(), false, {
      what: 'Go on where another container engine is installed.',
      why: 'Docker brings a containerd and networks of its own; the node refuses to install beside it unless this says so.',
      example: true,
    }),
    proxy: open(
      v.strictObject({
        url: v.pipe(
          v.string(),
          v.regex(/^https?:\/\/[^\s/]+\/?$/, 'an address such as http://proxy.example.com:3128'),
        ),
        noProxy: v.optional(v.array(v.string()), []),
      }),
      {
        what: 'HTTP proxy for downloads and image pulls; cluster addresses are always exempt.',
        why: 'It is set for containerd alone: a machine-wide proxy sends the kubelet’s API traffic through it.',
        example: { url: 'http://proxy.example.com:3128', noProxy: ['.example.com'] },
      },
    ),
    firewall: group(
      {
        kubeletFrom: field(v.array(cidr), [], {
          what: 'Who may reach the kubelet on 10250, as CIDRs; empty for anybody.',
          why: 'The API server must, for logs and exec, and what scrapes metrics. Nobody else needs to.',
          example: ['10.0.0.0/24'],
        }),
        nodePortRange: field(
          v.pipe(v.string(), v.regex(/^\d{1,5}-\d{1,5}$/, 'a port range such as 30000-32767')),
          '30000-32767',
          {
            what: 'The API server’s range of node ports.',
            why: 'The firewall opens it for TCP and UDP; services on other ports cannot be reached.',
            example: '30000-32767',
          },
        ),
        nodePortsFrom: field(v.array(cidr), [], {
          what: 'Who may reach node ports, as CIDRs; empty for anybody.',
          why: 'Often the subnet of the load balancers alone.',
          example: ['10.0.0.0/24'],
        }),
      },
      'Inbound rules of the Windows firewall, which stays on.',
    ),
  },
  'The machine itself.',
)

const provider = v.strictObject({
  name: v.pipe(v.string(), v.regex(/^[A-Za-z0-9][\w.-]*$/, 'the file name of a program')),
  matchImages: v.pipe(v.array(v.string()), v.minLength(1, 'at least one pattern')),
  defaultCacheDuration: v.optional(duration, '12h'),
  args: v.optional(v.array(v.string()), []),
  env: v.optional(v.record(v.string(), v.string()), {}),
})

export const registry = group(
  {
    mirrors: field(
      v.record(
        v.pipe(
          v.string(),
          v.regex(
            /^(?:_default|(?:\[[0-9A-Fa-f:]+\]|[A-Za-z0-9.-]+)(?::\d{1,5})?)$/,
            'a registry such as registry.k8s.io or registry.example.com:5000',
          ),
        ),
        v.pipe(
          v.array(v.strictObject({ url: httpsURL, ca: v.optional(nodePath) })),
          v.minLength(1, 'at least one mirror'),
        ),
      ),
      {},
      {
        what: 'Mirrors to ask before a registry, in order; _default stands for every registry.',
        why: 'Before containerd 2.3 a ca replaces the roots of Windows.',
        example: { 'registry.k8s.io': [{ url: 'https://mirror.example.com' }] },
      },
    ),
    credentialProvider: open(
      v.strictObject({
        binDirectory: nodePath,
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

export const isolation = group(
  {
    hyperV: field(v.boolean(), false, {
      what: 'Offer containerd’s Hyper-V handler beside process isolation.',
      why: 'Each pod gets a small virtual machine of its own, a boundary between tenants; Kubernetes documents process isolation only.',
      example: true,
    }),
  },
  'How containers are kept apart.',
)
