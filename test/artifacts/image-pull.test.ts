// cluster.imagePull: its DaemonSet against lint and the rules of the API server, its images in lock and bill.
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { cyclonedxOf, spdxOf, type Bom } from '../../src/present/bom.ts'
import { mergeJson, valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { manifestsOf } from '../../src/workloads/manifest.ts'
import { lint } from '../../src/workloads/lint.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'

const file = 'cluster/60-image-pull.yaml'
const web = 'registry.example.com/web:1.4.2'
const dotnet = 'mcr.microsoft.com/dotnet/framework/aspnet:4.8.1-windowsservercore-ltsc2022'

const on = (more: JsonObject = {}, images: readonly string[] = [web, dotnet]): JsonObject =>
  mergeJson({ cluster: { imagePull: { images: [...images] } } }, more)

async function render(patch: JsonObject, profile = 'ws2022-flannel-overlay') {
  const compiled = compileBuiltin(profile, patch)
  const text = textsOf(await renderCompiled(compiled)).get(file)
  const set: Json = parseAllDocuments(text ?? '').map((one) => one.toJS() as Json)[0] ?? null
  return { compiled, set, pod: valueAt(set, ['spec', 'template', 'spec']) }
}

const imagesOf = (pod: Json | undefined) =>
  (valueAt(pod, ['initContainers']) as readonly JsonObject[]).map(({ image }) => image)

t.test('one init container for each image, in order, each once', async (t) => {
  const { pod } = await render(on({}, [web, dotnet, web]))
  t.strictSame(imagesOf(pod), [web, dotnet])
  const names = (valueAt(pod, ['initContainers']) as readonly JsonObject[]).map(({ name }) => name)
  t.strictSame(names, ['pull-1', 'pull-2'])
})

t.test('each container runs a program of the node, in a folder that is on it', async (t) => {
  const { pod } = await render(on())
  t.equal(valueAt(pod, ['securityContext', 'windowsOptions', 'hostProcess']), true)
  t.equal(valueAt(pod, ['hostNetwork']), true)
  t.equal(valueAt(pod, ['os', 'name']), 'windows')
  for (const one of valueAt(pod, ['initContainers']) as readonly JsonObject[]) {
    t.strictSame(one['command'], ['C:\\Windows\\System32\\cmd.exe', '/c', 'exit', '0'])
    t.equal(one['workingDir'], 'C:\\')
    t.equal(one['imagePullPolicy'], 'IfNotPresent')
  }
  t.equal((valueAt(pod, ['containers']) as readonly Json[]).length, 1)
})

t.test('a DaemonSet for each Windows build, with the taints of the profile', async (t) => {
  const taints = [
    { key: 'os', value: 'windows', effect: 'NoSchedule' },
    { key: 'example.com/pool', value: '', effect: 'NoExecute' },
  ]
  for (const [profile, year, build] of [
    ['ws2022-flannel-overlay', '2022', '20348'],
    ['ws2025-flannel-overlay', '2025', '26100'],
  ] as const) {
    const { set, pod } = await render(on({ kubelet: { taints } }), profile)
    t.equal(valueAt(set, ['metadata', 'name']), `winnode-image-pull-windows-${year}`)
    t.strictSame(valueAt(pod, ['nodeSelector']), {
      'kubernetes.io/os': 'windows',
      'node.kubernetes.io/windows-build': `10.0.${build}`,
    })
    t.strictSame(
      valueAt(pod, ['tolerations']),
      taints.map((taint) => ({ ...taint, operator: 'Equal' })),
    )
  }
  const { pod } = await render(on({ kubelet: { taints: [] } }))
  t.equal(valueAt(pod, ['tolerations']), undefined)
})

t.test('Secrets by name', async (t) => {
  t.equal(valueAt((await render(on())).pod, ['imagePullSecrets']), undefined)
  const secrets = ['registry-example', 'other']
  const { pod } = await render(on({ cluster: { imagePull: { secrets } } }))
  t.strictSame(valueAt(pod, ['imagePullSecrets']), [
    { name: 'registry-example' },
    { name: 'other' },
  ])
})

t.test('what is no image is refused', async (t) => {
  for (const image of ['', 'registry.example.com/Web:1', 'web 1', 'web:1@sha256:12']) {
    t.not(errorsOf(compileBuiltin('ws2022-flannel-overlay', on({}, [image]))).length, 0, image)
  }
})

/** What lint says of it, and why it stays. */
const accepted: Readonly<Record<string, string>> = {
  'service-from-host-process': 'it connects to no Service',
}

t.test('lint finds only what is accepted', async (t) => {
  const { compiled, set } = await render(on())
  const manifests = manifestsOf(set, () => ({ file: '', line: 1, column: 1 }))
  const { findings, workloads } = lint(manifests, { node: compiled.facts })
  t.equal(workloads, 1)
  t.strictSame([...new Set(findings.map(({ id }) => id))].sort(), Object.keys(accepted).sort())
})

t.test('winnode.lock pins the images, and the bill names them', async (t) => {
  const digest = 'b'.repeat(64)
  const { compiled, pod } = await render(on({ artifacts: { lock: { [web]: digest } } }))
  t.strictSame(imagesOf(pod), [`${web}@sha256:${digest}`, dotnet])
  const bill = compiled.plan?.bill ?? []
  t.match(
    bill.filter(({ id }) => id.startsWith('image-pull-')),
    [
      { url: `${web}@sha256:${digest}`, name: 'web', version: '1.4.2', licence: 'NOASSERTION' },
      { url: dotnet, name: 'dotnet/framework/aspnet' },
    ],
  )
  t.match(
    bill.find(({ id }) => id === 'host-process-image'),
    { neededBy: ['cluster-image-pull'] },
  )
  const bom: Bom = {
    name: 'web',
    version: '1',
    day: '2026-11-01',
    uuid: '',
    components: bill,
    scripts: [],
  }
  const { components } = cyclonedxOf(bom) as { readonly components: readonly JsonObject[] }
  const listed = components.find((one) => one['bom-ref'] === 'image-pull-1')
  t.ok(listed)
  t.notOk(Object.hasOwn(listed ?? {}, 'licenses'), 'NOASSERTION is no id of CycloneDX')
  const { packages } = spdxOf(bom) as { readonly packages: readonly JsonObject[] }
  t.match(
    packages.find((one) => one['SPDXID'] === 'SPDXRef-image-pull-1'),
    { licenseDeclared: 'NOASSERTION' },
  )
})

t.test('off by default', async (t) => {
  const { compiled, set } = await render({})
  t.equal(set, null)
  t.notOk(compiled.plan?.bill.some(({ id }) => id === 'host-process-image'))
})
