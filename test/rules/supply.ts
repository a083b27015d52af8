// Rows of images and downloads: registries, mirrors, credentials and digests.
import {
  acr,
  containerd,
  hash,
  kubernetes,
  mirrored,
  mirrors,
  network,
  provider,
  type Row,
  windows,
} from './profiles.ts'

const pinned = Object.fromEntries(
  'containerd crictl kubelet kube-log-runner kubectl kubeadm kube-proxy flannel-cni cni-plugins'
    .split(' ')
    .map((name) => [name, 'a'.repeat(64)]),
)

const withCa = {
  registry: {
    mirrors: { 'registry.k8s.io': [{ url: 'https://m.example.com', ca: 'C:\\k\\ca.pem' }] },
  },
}

const whole = (url: string) => ({
  registry: { mirrors: { 'registry.k8s.io': [{ url, overridePath: true }] } },
})

const nssm = 'https://nssm.cc/ci/nssm-2.24-103-gdee49fc.zip'

const hyperV = { isolation: { hyperV: true }, host: { features: ['Containers', 'Hyper-V'] } }

export const supplyRows: readonly Row[] = [
  [
    'containerd-sandbox-digest',
    { ...containerd('2.3.3'), sandboxImage: `registry.k8s.io/pause:3.10.2@${hash}` },
    { ...containerd('2.3.4'), sandboxImage: `registry.k8s.io/pause:3.10.2@${hash}` },
  ],
  ['pause-image-lacks-os', { sandboxImage: 'registry.k8s.io/pause:3.5' }],
  [
    'pause-image-lacks-os',
    { sandboxImage: 'k8s.gcr.io/pause:3.2' },
    { sandboxImage: 'k8s.gcr.io/pause:3.6' },
  ],
  [
    'pause-image-lacks-os',
    { ...windows('ws2019'), sandboxImage: 'k8s.gcr.io/pause:3.2' },
    // The rule about the release is enough.
    { ...windows('ws1903'), sandboxImage: 'registry.k8s.io/pause:3.10' },
  ],
  ...['k8s/core/pause:1.2.0', 'oss/kubernetes/pause:1.3.0', 'oss/kubernetes/pause:1.4.0'].map(
    (image): Row => [
      'pause-image-lacks-os',
      { sandboxImage: `mcr.microsoft.com/${image}` },
      { ...windows('ws2019'), sandboxImage: `mcr.microsoft.com/${image}` },
    ],
  ),
  [
    'pause-image-boots-older-windows',
    { ...windows('ws2025'), ...hyperV, sandboxImage: 'registry.k8s.io/pause:3.10.1' },
    { ...windows('ws2025'), ...hyperV },
  ],
  [
    'pause-image-boots-older-windows',
    {
      ...windows('ws2025'),
      ...hyperV,
      sandboxImage: 'mcr.microsoft.com/oss/kubernetes/pause:3.10',
    },
    { ...windows('ws2022'), ...hyperV, sandboxImage: 'registry.k8s.io/pause:3.10.1' },
  ],
  [
    'pause-image-of-older-windows',
    { ...windows('ws2025'), sandboxImage: 'registry.k8s.io/pause:3.10.1' },
    { ...windows('ws2025'), sandboxImage: 'registry.k8s.io/pause:3.10.2' },
  ],
  [
    'pause-image-holds-rpc-port',
    { sandboxImage: 'registry.k8s.io/pause:3.6' },
    { sandboxImage: 'registry.k8s.io/pause:3.8' },
  ],
  ['pause-image-from-frozen-registry', { sandboxImage: 'k8s.gcr.io/pause:3.9' }],
  [
    'pause-image-tag-moves',
    { sandboxImage: 'registry.k8s.io/pause:latest' },
    { sandboxImage: `registry.k8s.io/pause@${hash}` },
  ],
  ['pause-image-differs-from-kubeadm', { sandboxImage: 'registry.k8s.io/pause:3.9' }],
  [
    'containerd-sandbox-digest',
    { ...containerd('2.3.3'), sandboxImage: `registry.k8s.io/pause:3.10.2@${hash}` },
    containerd('2.3.3'),
  ],
  [
    'credential-provider-configured-otherwise',
    provider({ config: 'C:\\k\\providers.yaml', providers: [acr] }),
    provider({ config: 'C:\\k\\providers.yaml' }),
  ],
  ['credential-provider-configured-otherwise', provider({}), provider({ providers: [acr] })],
  [
    'credential-provider-name-lacks-exe',
    { ...kubernetes('1.29.15'), ...provider({ providers: [acr] }) },
    { ...kubernetes('1.30.14'), ...provider({ providers: [acr] }) },
  ],
  [
    'credential-provider-named-twice',
    provider({ providers: [acr, { ...acr, name: 'ACR' }] }),
    provider({ providers: [acr] }),
  ],
  [
    'kubelet-drop-ins-too-early',
    { ...kubernetes('1.29.15'), kubelet: { dropInDirectory: 'C:\\k\\d' } },
    { ...kubernetes('1.30.14'), kubelet: { dropInDirectory: 'C:\\k\\d' } },
  ],
  ['download-without-digest', network({ flannel: { version: '0.28.2' } })],
  ['download-digest-from-publisher', {}, { artifacts: { sha256: pinned } }],
  [
    'download-digest-from-publisher',
    { artifacts: { from: 'https://m.example.com' } },
    { artifacts: { from: 'https://m.example.com', sha256: pinned } },
  ],
  [
    'digest-pinned-for-nothing',
    { artifacts: { sha256: { 'hns-module': 'a'.repeat(64) } } },
    { artifacts: { sha256: { kubelet: 'a'.repeat(64) } } },
  ],
  [
    'lock-contradicts-checksum',
    { artifacts: { lock: { [nssm]: 'a'.repeat(64) } } },
    {
      artifacts: { lock: { [nssm]: 'a'.repeat(64) }, sha256: { nssm: 'a'.repeat(64) } },
    },
  ],
  [
    'download-from-retired-host',
    { artifacts: { baseURLs: { kubernetes: 'https://x.azureedge.net/k' } } },
  ],
  [
    'download-mirrors-partial',
    { artifacts: { baseURLs: { kubernetes: 'https://m.io/k', github: 'https://m.io/g' } } },
    {
      artifacts: {
        baseURLs: {
          kubernetes: 'https://m.io/k',
          github: 'https://m.io/g',
          nssm: 'https://m.io/n',
        },
      },
    },
  ],
  [
    'http-mirror-unpinned',
    { artifacts: { from: 'http://m.io' } },
    { artifacts: { from: 'https://m.io' } },
  ],
  [
    'internet-needed',
    { host: { offline: true }, ...mirrors('https://m.io') },
    {
      host: { offline: true },
      artifacts: { from: 'D:\\mirror' },
      registry: { mirrors: { _default: [{ url: 'https://m.io' }] } },
    },
  ],
  [
    'internet-needed',
    { host: { offline: true }, artifacts: { from: 'D:\\mirror' } },
    { artifacts: { from: 'D:\\mirror' } },
  ],
  ['mirror-path-before-v2', mirrors('https://m.io/proxy'), whole('https://m.io/v2/proxy')],
  ['mirror-path-before-v2', mirrors('m.io/proxy/'), mirrors('m.io', 'https://m.io/v2')],
  ['mirror-path-before-v2', mirrors('https://m.io/proxy'), whole('https://m.io/proxy')],
  ['mirror-path-before-v2', mirrors('https://m.io/k'), mirrors('https://m.io/api/docker/repo')],
  [
    'registry-ca-replaces-roots',
    { ...withCa, ...containerd('2.2.9') },
    { ...withCa, ...containerd('2.3.0-rc.1') },
  ],
  [
    'registries-share-a-folder',
    mirrored('A.example.com', 'a.example.com'),
    mirrored('a.example.com'),
  ],
  ['registries-share-a-folder', mirrored('R:5000', 'r:5000'), mirrored('r:5000', 'r:5001')],
  ['mirror-given-twice', mirrors('https://m.example.com', 'https://m.example.com'), withCa],
  ['mirror-given-twice', mirrors('m.example.com', 'https://M.example.com:443/')],
  [
    'mirror-given-twice',
    mirrors('http://m.io:80', 'http://m.io'),
    mirrors('http://m.io', 'https://m.io'),
  ],
  ['mirror-unreadable', mirrors('https://m.io:port'), mirrors('https://m.io:5000')],
  ['mirror-unreadable', mirrors('http_m.io:5000/v2'), mirrors('http_m.io/v2')],
  ['mirror-unreadable', mirrors('https://m.io/%zz'), mirrors('https://m.io/%20')],
  ['mirror-unreadable', mirrors('https://a%zz@m.io'), mirrors('https://a%20b@m.io')],
  ['mirror-unreadable', mirrors('https://[fd00::1'), mirrors('https://[fd00::1]:5000')],
  ['mirror-unreadable', mirrors('https://[fd00:::1]'), mirrors('https://[::ffff:10.0.0.1]')],
  ['mirror-unreadable', mirrors('https://[10.0.0.1]'), mirrors('https://[fe80::1%25e]')],
  ['mirror-unreadable', mirrors('https://m[fd00::1]'), mirrors('[fd00::1]:5000')],
  ['mirror-names-no-host', mirrors(''), mirrors('m.io')],
  ['mirror-names-no-host', mirrors('//m.io'), mirrors('https://m.io//a')],
  ['mirror-names-no-host', mirrors('https://10.0.0.256:5000'), mirrors('https://10.0.0.25:5000')],
  ['mirror-names-no-host', mirrors('a..b'), mirrors('a_b')],
  ['mirror-names-no-host', mirrors('https:///m.io'), mirrors('https://[fd00::2]:5000')],
  ['mirror-names-no-host', mirrors('https://:5000'), mirrors('https://m:5000')],
  ['mirror-names-no-host', mirrors('https:m.io'), mirrors('https://münchen.example')],
  ['mirror-names-no-host', mirrors('https://-m.io'), mirrors('https://a b.io')],
  ['mirror-names-no-host', mirrors('https://m.io:99999/a'), mirrors('https://m.io:65535/a')],
  ['mirror-names-no-host', mirrors('[fd00::2]:0'), mirrors('[fd00::2]:1')],
  [
    'mirror-asks-elsewhere',
    { ...containerd('2.2.9'), ...mirrors('https://fd00::1') },
    mirrors('https://m.io:5000/a:b'),
  ],
  ['mirror-unreadable', mirrors('https://fd00::9'), mirrors('https://u:p@m.io:5000')],
  ['mirror-over-http', mirrors('http://m.io'), mirrors('m.io:5000')],
  ['mirror-asks-elsewhere', mirrors('https://m.io/'), mirrors('https://m.io/proxy/')],
  ['mirror-asks-elsewhere', mirrors('https://m.io/'), whole('https://m.io/')],
  ['mirror-asks-elsewhere', mirrors('https://m.io/v2/proxy'), mirrors('https://m.io/v2/')],
  ['mirror-asks-elsewhere', mirrors('https://u:p@m.io'), mirrors('https://m.io/a@b')],
  ['mirror-asks-elsewhere', mirrors('https://m.io?ns=a'), mirrors('https://m.io')],
  ['mirror-asks-elsewhere', mirrors('HTTPS://m.io'), mirrors('m.io')],
  ['mirror-asks-elsewhere', mirrors('https://m.io/#a'), mirrors('https://m.io/a')],
  ['mirror-asks-elsewhere', mirrors('httpbin.io'), mirrors('https://httpbin.io')],
  ['registry-never-asked', mirrored('my-registry'), mirrored('my-registry:443')],
  ['registry-never-asked', mirrored('index.docker.io'), mirrored('docker.io')],
  ['registry-never-asked', mirrored('con'), mirrored('localhost')],
  [
    'credential-provider-refused',
    provider({ providers: [{ ...acr, name: 'a.exe', matchImages: ['a b.io'] }] }),
    provider({
      providers: [{ ...acr, name: 'a.exe', matchImages: ['*.io:5000/a', 'https://b.io'] }],
    }),
  ],
  [
    'credential-provider-refused',
    provider({ providers: [{ ...acr, defaultCacheDuration: '-1h' }] }),
    provider({ providers: [{ ...acr, defaultCacheDuration: '0' }] }),
  ],
  ...[
    ['https://m.example.com', 'https://M.example.com/'],
    ['https://m.example.com:443/v2', 'https://m.example.com/v2/'],
    ['https://one.example.com', 'https://m.example.com', 'https://m.example.com:0443'],
  ].map((urls): Row => [
    'mirror-given-twice',
    mirrors(...urls),
    mirrors(urls[0] ?? '', 'https://x.y'),
  ]),
  [
    'mirror-given-twice',
    mirrors('https://m.example.com/a', 'https://m.example.com/a'),
    mirrors('https://m.example.com/a', 'https://m.example.com/A'),
  ],
  ...['con', 'CON.example.com', 'nul'].map((name): Row => [
    'registry-name-refused-by-windows',
    mirrored(name),
    mirrored(`x${name}`),
  ]),
  ...['..', '.', 'a.', 'a.example.com.', 'my_registry:5000', '-x.io'].map((name): Row => [
    'bad-key',
    mirrored(name),
    mirrored('registry:5000'),
  ]),
  ...['COM1', 'aux.io', 'x'.repeat(256)].map((name): Row => [
    'registry-name-refused-by-windows',
    mirrored(name),
    mirrored('registry:5000'),
  ]),
  [
    'registry-mirrors-ignored',
    {
      ...kubernetes('1.25.16'),
      ...containerd('1.4.13'),
      registry: { mirrors: { _default: [{ url: 'https://m.example.com' }] } },
    },
    {
      ...kubernetes('1.25.16'),
      ...containerd('1.5.18'),
      registry: { mirrors: { _default: [{ url: 'https://m.example.com' }] } },
    },
  ],
]
