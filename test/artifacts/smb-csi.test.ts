// cluster.smbCsi: the node plugin against the publisher's manifest, lint and the API server; its sources.
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { mergeJson, valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { lint } from '../../src/workloads/lint.ts'
import { manifestsOf } from '../../src/workloads/manifest.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'

const file = 'cluster/61-smb-csi.yaml'
const driverFile = 'cluster/62-smb-csi-driver.yaml'
const sourcesFile = 'cluster/63-smb-csi-sources.yaml'

const on = (more: JsonObject = {}): JsonObject =>
  mergeJson({ cluster: { smbCsi: { enabled: true } } }, { cluster: { smbCsi: more } })

const source = (more: JsonObject = {}): JsonObject => ({
  name: 'files',
  source: '//files.example.com/share',
  secret: 'smb-files',
  secretNamespace: 'default',
  ...more,
})

async function render(patch: JsonObject, profile = 'ws2022-flannel-overlay') {
  const compiled = compileBuiltin(profile, patch)
  const files = textsOf(await renderCompiled(compiled))
  const objects = (path: string): readonly JsonObject[] =>
    files.has(path)
      ? parseAllDocuments(files.get(path) ?? '').map((one) => one.toJS() as JsonObject)
      : []
  return { compiled, objects }
}

const podPath = ['spec', 'template', 'spec']

async function podOf(patch: JsonObject): Promise<Json | undefined> {
  const { objects } = await render(patch)
  return valueAt(objects(file).at(-1) ?? null, podPath)
}

/** https://github.com/kubernetes-csi/csi-driver-smb/blob/v1.20.3/deploy/v1.20.3/csi-smb-node-windows-hostprocess.yaml */
const published = {
  endpoint: String.raw`unix://C:\\var\\lib\\kubelet\\plugins\\smb.csi.k8s.io\\csi.sock`,
  socket: String.raw`C:\\var\\lib\\kubelet\\plugins\\smb.csi.k8s.io\\csi.sock`,
  registry: String.raw`C:\\var\\lib\\kubelet\\plugins_registry` + '\\\\',
}

t.test('driver and registrar have one socket, that of the publisher', async (t) => {
  const pod = await podOf(on())
  const [registrar = null, smb = null] = valueAt(pod, ['containers']) as readonly Json[]
  t.strictSame(valueAt(registrar, ['args']), [
    '--v=2',
    `--csi-address=${published.endpoint}`,
    `--kubelet-registration-path=${published.socket}`,
    `--plugin-registration-path=${published.registry}`,
  ])
  t.strictSame(valueAt(smb, ['args']), [
    '--v=2',
    `--endpoint=${published.endpoint}`,
    '--nodeid=$(KUBE_NODE_NAME)',
    '--enable-windows-host-process=true',
    '--remove-smb-mapping-during-unmount=true',
  ])
  const folder = (valueAt(pod, ['initContainers', 0, 'command']) as readonly string[]).at(-1)
  t.match(folder, /-Path C:\\var\\lib\\kubelet\\plugins\\smb\.csi\.k8s\.io$/)
})

t.test('the pod is one that the API server accepts, on every Windows node', async (t) => {
  const pod = await podOf(on())
  t.equal(valueAt(pod, ['os', 'name']), 'windows')
  t.equal(valueAt(pod, ['hostNetwork']), true)
  t.strictSame(valueAt(pod, ['securityContext']), {
    windowsOptions: { hostProcess: true, runAsUserName: 'NT AUTHORITY\\SYSTEM' },
  })
  t.strictSame(valueAt(pod, ['tolerations']), [{ operator: 'Exists' }])
  t.strictSame(valueAt(pod, ['nodeSelector']), { 'kubernetes.io/os': 'windows' })
  for (const one of valueAt(pod, ['containers']) as readonly JsonObject[])
    t.notOk(Object.hasOwn(one, 'securityContext'))
})

t.test('no permission for Secrets, unless pods may have inline volumes', async (t) => {
  const without = await render(on())
  t.strictSame(
    without.objects(file).map(({ kind }) => kind),
    ['DaemonSet'],
  )
  t.equal(valueAt(await podOf(on()), ['automountServiceAccountToken']), false)
  t.strictSame(valueAt(without.objects(driverFile)[0], ['spec', 'volumeLifecycleModes']), [
    'Persistent',
  ])
  const inline = await render(on({ inlineVolumes: true }))
  const kinds = inline.objects(file).map(({ kind }) => kind)
  t.strictSame(kinds, ['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'DaemonSet'])
  t.strictSame(inline.objects(file)[1]?.['rules'], [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get'] },
  ])
  const pod = await podOf(on({ inlineVolumes: true }))
  t.equal(valueAt(pod, ['serviceAccountName']), 'winnode-smb-csi')
  t.equal(valueAt(pod, ['automountServiceAccountToken']), undefined)
  t.strictSame(valueAt(inline.objects(driverFile)[0], ['spec', 'volumeLifecycleModes']), [
    'Persistent',
    'Ephemeral',
  ])
})

t.test('beside an installation for Linux there is no CSIDriver', async (t) => {
  const { objects } = await render(on({ csiDriver: false }))
  t.strictSame(objects(driverFile), [])
  t.equal(objects(file).length, 1)
})

t.test('a PersistentVolume and a StorageClass', async (t) => {
  const { objects } = await render(
    on({ sources: [source(), source({ name: 'folders', kind: 'StorageClass' })] }),
  )
  const [volume = null, storageClass = null] = objects(sourcesFile)
  t.match(volume, {
    kind: 'PersistentVolume',
    spec: {
      storageClassName: 'files',
      persistentVolumeReclaimPolicy: 'Retain',
      csi: {
        driver: 'smb.csi.k8s.io',
        volumeAttributes: { source: '//files.example.com/share' },
        nodeStageSecretRef: { name: 'smb-files', namespace: 'default' },
      },
    },
  })
  t.match(storageClass, {
    kind: 'StorageClass',
    provisioner: 'smb.csi.k8s.io',
    parameters: {
      source: '//files.example.com/share',
      'csi.storage.k8s.io/node-stage-secret-name': 'smb-files',
      'csi.storage.k8s.io/provisioner-secret-namespace': 'default',
    },
  })
})

const errorsWith = (...sources: readonly JsonObject[]) =>
  errorsOf(compileBuiltin('ws2022-flannel-overlay', on({ sources: [...sources] })))

t.test('what Windows cannot mount is refused', (t) => {
  for (const share of [
    '//files.example.com/share',
    '//files/share$',
    '//10.0.0.5/share/folder one',
  ])
    t.strictSame(errorsWith(source({ source: share })), [], share)
  for (const share of [
    '//files.example.com/share/',
    '//files.example.com',
    '//files.example.com//share',
    '\\\\files.example.com\\share',
    'files.example.com/share',
    'smb://files.example.com/share',
    '//files.example.com/share/../other',
    '//files.example.com/share.',
    '//user@files.example.com/share',
    '//files.example.com/a:b',
    '//files.example.com/share\n',
  ])
    t.not(errorsWith(source({ source: share })).length, 0, JSON.stringify(share))
  t.not(errorsWith(source(), source()).length, 0, 'one name twice')
  t.end()
})

t.test('a server in the DNS of the cluster is refused', (t) => {
  const ids = (share: string, domain = 'cluster.local') =>
    compileBuiltin(
      'ws2022-flannel-overlay',
      mergeJson(on({ sources: [source({ source: share })] }), {
        network: { clusterDomain: domain },
      }),
    ).findings.map(({ id }) => id)
  const id = 'smb-server-in-cluster-domain'
  t.ok(ids('//smb.files.svc.cluster.local/share').includes(id))
  t.ok(ids('//SMB.files.svc.Cluster.Local/share').includes(id))
  t.ok(ids('//smb.files.svc/share').includes(id))
  t.ok(ids('//smb.files.svc.k8s.example.com/share', 'k8s.example.com').includes(id))
  t.notOk(ids('//notcluster.local/share').includes(id))
  t.notOk(ids('//files.example.com/share').includes(id))
  t.end()
})

/** What lint says of it, and why it stays. */
const accepted: Readonly<Record<string, string>> = {
  'build-not-selected': 'HostProcess pods run on every build',
  'limits-missing': 'it is part of the node, and the publisher has no limit of cpu',
  'requests-below-limits': 'the values of the publisher',
  'service-from-host-process': 'it connects to no Service',
}

t.test('lint finds only what is accepted', async (t) => {
  for (const profile of ['ws2022-flannel-overlay', 'ws2025-flannel-overlay']) {
    const { compiled, objects } = await render(on(), profile)
    const manifests = objects(file).flatMap((one) =>
      manifestsOf(one, () => ({ file: '', line: 1, column: 1 })),
    )
    const { findings, workloads } = lint(manifests, { node: compiled.facts })
    t.equal(workloads, 1, profile)
    const ids = [...new Set(findings.map(({ id }) => id))].sort()
    t.strictSame(ids, Object.keys(accepted).sort(), profile)
  }
})

t.test('the bill names both images, and winnode.lock pins them', async (t) => {
  const image = 'registry.k8s.io/sig-storage/smbplugin:v1.20.3-windows-hp'
  const lock = { [image]: 'c'.repeat(64) }
  const { compiled, objects } = await render(mergeJson(on(), { artifacts: { lock } }))
  const pod = valueAt(objects(file)[0], podPath)
  t.equal(valueAt(pod, ['containers', 1, 'image']), `${image}@sha256:${'c'.repeat(64)}`)
  t.equal(valueAt(pod, ['initContainers', 0, 'image']), `${image}@sha256:${'c'.repeat(64)}`)
  const bill = compiled.plan?.bill ?? []
  t.match(
    bill.filter(({ id }) => id.startsWith('smb-csi')),
    [
      { id: 'smb-csi-registrar-image', version: 'v2.17.0', neededBy: ['cluster-smb-csi'] },
      { id: 'smb-csi-image', version: 'v1.20.3-windows-hp', neededBy: ['cluster-smb-csi'] },
    ],
  )
})

t.test('off by default', async (t) => {
  const { objects } = await render({ cluster: { smbCsi: { sources: [source()] } } })
  for (const path of [file, driverFile, sourcesFile]) t.strictSame(objects(path), [])
})
