// Downloads: addresses by version, how each is checked, mirrors, and the checksum files themselves.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import t from 'tap'
import { compile } from '../../src/compile.ts'
import { billOf } from '../../src/downloads/bill.ts'
import { downloadOf } from '../../src/downloads/download.ts'
import { programsOf } from '../../src/downloads/programs.ts'
import { artifactBases, artifactSources } from '../../src/matrix/artifact-sources.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { planOf } from '../../src/plan.ts'
import { root } from '../tools/run.ts'

const nothing = { from: undefined, baseURLs: {}, sha256: {}, lock: {} }
const github = 'https://github.com'
const k8s = (version: string, name: string) =>
  `https://dl.k8s.io/release/v${version}/bin/windows/amd64/${name}.exe`

/** `[artefact, version, its address, where its checksum stands and in which shape, or its digest]` */
type Row = readonly [string, string, string, readonly ['bare' | 'named', string] | string]

const rows: readonly Row[] = [
  ...['kubelet', 'kube-proxy', 'kubeadm', 'kube-log-runner', 'kubectl'].map((id): Row => [
    id,
    '1.36.4',
    k8s('1.36.4', id),
    ['bare', '.sha256'],
  ]),
  ['kubelet', '1.25.16', k8s('1.25.16', 'kubelet'), ['bare', '.sha256']],
  [
    'containerd',
    '2.3.4',
    `${github}/containerd/containerd/releases/download/v2.3.4/containerd-2.3.4-windows-amd64.tar.gz`,
    ['named', '.sha256sum'],
  ],
  [
    'crictl',
    '1.36.0',
    `${github}/kubernetes-sigs/cri-tools/releases/download/v1.36.0/crictl-v1.36.0-windows-amd64.tar.gz`,
    '73ef455b8a5a1e43f19372eba0ec40455e4abde3b9441a21db32c2a3172fb7ea',
  ],
  [
    'crictl',
    '1.37.0',
    `${github}/kubernetes-sigs/cri-tools/releases/download/v1.37.0/crictl-v1.37.0-windows-amd64.tar.gz`,
    ['bare', '.sha256'],
  ],
  [
    'cni-plugins',
    '1.9.1',
    `${github}/containernetworking/plugins/releases/download/v1.9.1/cni-plugins-windows-amd64-v1.9.1.tgz`,
    'c09a62523d76b32b883b6a9ee824c997b5c3cc8b3caebc8612c2f64fbbe97334',
  ],
  [
    'cni-plugins',
    '1.8.0',
    `${github}/containernetworking/plugins/releases/download/v1.8.0/cni-plugins-windows-amd64-v1.8.0.tgz`,
    ['named', '.sha256'],
  ],
  [
    'flanneld',
    '0.28.9',
    `${github}/flannel-io/flannel/releases/download/v0.28.9/flanneld.exe`,
    '7d43b3de5635891e68b36458d912a94c2eb94e15d878d486f539309db5845861',
  ],
  [
    'flannel-cni',
    '1.9.1-flannel3',
    `${github}/flannel-io/cni-plugin/releases/download/v1.9.1-flannel3/cni-plugin-flannel-windows-amd64-v1.9.1-flannel3.tgz`,
    ['named', '.sha256'],
  ],
  [
    'nssm',
    '2.24-103-gdee49fc',
    'https://nssm.cc/ci/nssm-2.24-103-gdee49fc.zip',
    'dd65d65d805ce646148d7ba18a9fcd1a1e8402f9e3822981252a6544136aad22',
  ],
  [
    'hns-module',
    '710cad6fc9025c86e04ef5daa6eb53f577802448',
    `${github}/microsoft/SDN/raw/710cad6fc9025c86e04ef5daa6eb53f577802448/Kubernetes/windows/hns.psm1`,
    'a8a53ed4fac2e27c7e4268db069d4cf3129a56d466ef3bf9465fb52dcd76a29c',
  ],
]

t.test('every artefact has its address and its checksum', async (t) => {
  for (const [id, version, url, proof] of rows) {
    const download = downloadOf(id, version, nothing)
    t.equal(download.url, url, `${id} ${version}`)
    if (typeof proof === 'string') {
      t.strictSame(download.checksum, { kind: 'pinned', sha256: proof }, `${id}: known`)
      continue
    }
    const [shape, sums] = proof
    const name = url.slice(url.lastIndexOf('/') + 1)
    const at = sums.startsWith('.') ? `${url}${sums}` : sums
    t.strictSame(download.checksum, { kind: 'published', url: at, shape, name }, `${id}: published`)
  }
  const covered = new Set(rows.map(([id]) => id))
  t.strictSame(
    artifactSources.map(({ id }) => id).filter((id) => !covered.has(id)),
    [],
    'no row is left out',
  )
})

t.test('a digest that is known for one version says nothing of another', async (t) => {
  t.equal(downloadOf('flanneld', '0.28.8', nothing).checksum, undefined)
  const sha256 = 'a'.repeat(64)
  const pinned = { ...nothing, sha256: { flanneld: sha256, kubelet: sha256 } }
  t.strictSame(downloadOf('flanneld', '0.28.8', pinned).checksum, { kind: 'pinned', sha256 })
  t.strictSame(downloadOf('kubelet', '1.36.4', pinned).checksum, { kind: 'pinned', sha256 })
})

function factsOf(patch: JsonObject) {
  return compile([{ name: 'test', patch, place: () => undefined }], 'test', { today: '2026-11-20' })
    .facts
}

t.test('a copy is downloaded with the same digest, unless a mirror is named', async (t) => {
  const version = '2.24-103-gdee49fc'
  const known = downloadOf('nssm', version, nothing)
  t.match(known, {
    checksum: { kind: 'pinned' },
    copy: `https://storage.googleapis.com/public-calico-third-party-deps/nssm/nssm-${version}.zip`,
  })
  const mirror = { ...nothing, baseURLs: { nssm: 'https://mirror.example.com' } }
  t.equal(downloadOf('nssm', version, mirror).copy, undefined)
  t.equal(downloadOf('nssm', '2.24', nothing).copy, undefined, 'nothing proves another version')
  const steps = planOf(factsOf({}), []).steps
  t.match(
    steps.find(({ id }) => id === 'archive-nssm'),
    { copy: known.copy },
  )
})

t.test('mirrors take the place of each base, for the file and its checksum', async (t) => {
  const bases = Object.keys(artifactBases)
  const baseURLs = Object.fromEntries(
    bases.map((base) => [base, `https://mirror.example.com/${base}/`]),
  )
  const facts = factsOf({ artifacts: { baseURLs } })
  for (const { url, digestFrom } of billOf(facts).filter(({ kind }) => kind === 'download')) {
    t.match(url, /^https:\/\/mirror\.example\.com\/\w+\/[^/]/, url)
    if (digestFrom !== undefined) t.match(digestFrom, /^https:\/\/mirror\.example\.com\/\w+\/[^/]/)
  }
  t.equal(
    downloadOf('kubelet', '1.36.4', facts.spec.artifacts).url,
    'https://mirror.example.com/kubernetes/release/v1.36.4/bin/windows/amd64/kubelet.exe',
  )
})

t.test('one mirror takes the place of all bases', async (t) => {
  const kubelet = 'dl.k8s.io/release/v1.36.4/bin/windows/amd64/kubelet.exe'
  const places = {
    'https://files.example.com/mirror/': 'https://files.example.com/mirror',
    'http://10.0.0.7:8080': 'http://10.0.0.7:8080',
    '\\\\files.example.com\\win mirror\\a#b': 'file://files.example.com/win%20mirror/a%23b',
    'D:\\mirror\\': 'file:///D:/mirror',
    'E:\\': 'file:///E:',
  }
  for (const [from, address] of Object.entries(places)) {
    const { artifacts } = factsOf({ artifacts: { from } }).spec
    t.equal(downloadOf('kubelet', '1.36.4', artifacts).url, `${address}/${kubelet}`)
    t.equal(Object.keys(artifacts.baseURLs).length, Object.keys(artifactBases).length)
    t.match(downloadOf('nssm', '2.24-103-gdee49fc', artifacts), { copy: undefined })
  }
  const baseURLs = { kubernetes: 'https://k8s.example.com' }
  const { artifacts } = factsOf({ artifacts: { from: 'D:\\mirror', baseURLs } }).spec
  t.match(downloadOf('kubelet', '1.36.4', artifacts).url, 'https://k8s.example.com/release/')
})

t.test('a node downloads what its network and its way of joining need', async (t) => {
  const sources = (patch: JsonObject) => programsOf(factsOf(patch)).map(({ source }) => source)
  const always = ['containerd', 'crictl', 'kubelet', 'kube-log-runner', 'kubectl']
  const flannel = ['kube-proxy', 'flanneld', 'flannel-cni', 'cni-plugins', 'nssm']
  t.strictSame(sources({}), [...always, 'kubeadm', ...flannel])
  t.strictSame(sources({ join: { method: 'bootstrapKubeconfig' } }), [...always, ...flannel])
  t.strictSame(sources({ network: { cni: 'antrea', mode: 'transparent' } }), [...always, 'kubeadm'])
  const delegate = (mode: string) =>
    programsOf(factsOf({ network: { mode } })).flatMap((program) =>
      program.kind === 'archive' && program.source === 'cni-plugins'
        ? program.members.map(({ member }) => member)
        : [],
    )
  t.strictSame(delegate('overlay'), ['./win-overlay.exe', './host-local.exe'])
  t.strictSame(delegate('l2bridge'), ['./win-bridge.exe', './host-local.exe'])
})

const a = 'dbb90c2e2028c60ce068049a27edd4bfc19d197c4e7ab2e39cf96002e3f99782'
const b = '5a61f42abd362cf21a9af6dff03edf1df2261e6fe6f3c2e45d132d12b99fdf49'
const sha512 = `${a}${b}`

/** `[what, the file, its shape, the name to look for, the digest]` */
type Sum = readonly [string, string, 'bare' | 'named', string, string]

const sums: readonly Sum[] = [
  ['Kubernetes: a digest without a newline', a, 'bare', 'kubelet.exe', a],
  ['crictl: a digest with one', `${a}\n`, 'bare', 'crictl.tar.gz', a],
  ['upper case, as Get-FileHash prints it', a.toUpperCase(), 'bare', 'kubelet.exe', a],
  ['a digest with a name is not bare', `${a}  kubelet.exe`, 'bare', 'kubelet.exe', ''],
  ['two digests are not one', `${a}\n${b}\n`, 'bare', 'kubelet.exe', ''],
  ['sha512 is not sha256', sha512, 'bare', 'kubelet.exe', ''],
  [
    'containerd: two blanks and the name',
    `${b}  containerd.tar.gz\n`,
    'named',
    'containerd.tar.gz',
    b,
  ],
  ['an asterisk for binary', `${b} *containerd.tar.gz\r\n`, 'named', 'containerd.tar.gz', b],
  ['Microsoft: a folder before the name', `${b}  ./release/cni/cni.zip`, 'named', 'cni.zip', b],
  ['Calico: one line of many', `${a}  x.tgz\n${b}  calico.zip\n`, 'named', 'calico.zip', b],
  [
    'a longer name is another file',
    `${a}  calico.zip.asc\n${b}  my-calico.zip\n`,
    'named',
    'calico.zip',
    '',
  ],
  ['a dot is a dot', `${a}  calicoXzip\n`, 'named', 'calico.zip', ''],
  ['case counts', `${a}  Calico.zip\n`, 'named', 'calico.zip', ''],
  ['the same line twice', `${a}  c.zip\n${a}  c.zip\n`, 'named', 'c.zip', a],
  ['two lines that disagree', `${a}  c.zip\n${b}  c.zip\n`, 'named', 'c.zip', ''],
  ['sha512 with a name', `${sha512}  c.zip\n`, 'named', 'c.zip', ''],
  ['a page of an error', '<html>404</html>', 'named', 'c.zip', ''],
  ['nothing', '', 'bare', 'c.zip', ''],
]

const hasPwsh = spawnSync('pwsh', ['-NoProfile', '-Version']).status === 0

t.test(
  'the node reads checksum files of every shape',
  { skip: hasPwsh ? false : 'pwsh is not on the PATH' },
  async (t) => {
    const parser = path.join(root, 'templates/node/module/setup/downloads/verify.ps1')
    const script = `. '${parser}'
      $rows = [Console]::In.ReadToEnd() | ConvertFrom-Json
      $found = foreach ($row in $rows) { [string](Select-NodeChecksum -Text $row.text -Shape $row.shape -Name $row.name) }
      ConvertTo-Json -Compress -InputObject @($found)`
    const input = JSON.stringify(sums.map(([, text, shape, name]) => ({ text, shape, name })))
    const run = spawnSync('pwsh', ['-NoProfile', '-NonInteractive', '-Command', script], {
      input,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    t.equal(run.stderr, '')
    t.strictSame(
      JSON.parse(run.stdout),
      sums.map(([, , , , digest]) => digest),
      sums.map(([what]) => what).join('; '),
    )
  },
)
