// The objects of a smoke test: the API server takes them, and the scheduler finds their nodes.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { isList, type JsonObject, textAt, valueAt } from '../../src/model/json.ts'
import { chooseImage } from '../../src/smoke/image.ts'
import { chooseNodes } from '../../src/smoke/nodes.ts'
import { namespaceOf, objectsOf } from '../../src/smoke/objects.ts'
import { judgeKeys } from '../judge/keys.ts'
import { metadataKeys, smokeKeys } from '../judge/kubernetes-keys.ts'
import { root } from '../tools/run.ts'
import { linted, nodeOf } from '../workloads/objects.ts'
import { node } from './cluster.ts'

const ws2019 = nodeOf('ws2019-flannel-overlay')
const ws2022 = nodeOf('ws2022-flannel-overlay')
const ws2025 = nodeOf('ws2025-flannel-overlay')
const nodes = { first: 'win-1', second: 'win-2', linux: 'linux-1' }

/** What the API server said of fields beside `os.name: windows`. */
const refusedPaths = [
  ...readFileSync(path.join(root, 'test/upstream/verdicts/pod-os-windows.json'), 'utf8').matchAll(
    /(spec\.[\w.[\]]+): Forbidden: (?:cannot|may not) be set for a windows pod/g,
  ),
].map(([, at = '']) => at)

for (const facts of [ws2019, ws2022, ws2025])
  t.test(`the API server takes the objects for ${facts.windows.id}`, async (t) => {
    const { image, verdict } = chooseImage(facts)
    t.equal(verdict, 'fits')
    const objects = objectsOf(facts, { namespace: 'smoke', image, nodes })
    t.equal(objects.length, 8)
    for (const object of [namespaceOf('1a2b'), ...objects]) {
      const keys = smokeKeys[`v1 ${textAt(object, ['kind'])}`]
      t.strictSame(judgeKeys(object, { ...metadataKeys, ...keys }, '1.25.16'), [])
      t.strictSame(
        refusedPaths.filter((at) => isSetAt(object, at)),
        [],
      )
    }
    const { findings, workloads } = linted(objects, { node: facts })
    t.equal(workloads, 4)
    const notes = ['service-from-host-process', 'node-port-of-own-node']
    t.strictSame(
      findings.filter(({ id }) => !notes.includes(id)),
      [],
      'winnode lint has nothing against them; the checks use neither',
    )
  })

function isSetAt(object: JsonObject, at: string): boolean {
  if (valueAt(object, ['spec', 'os', 'name']) !== 'windows') return false
  return valueAt(object, at.split(/[.[\]]+/).filter(Boolean)) !== undefined
}

t.test('the verdicts name refused fields', async (t) => {
  t.ok(refusedPaths.length > 20)
  const pod = { spec: { os: { name: 'windows' }, hostPID: true } }
  t.ok(refusedPaths.some((at) => isSetAt(pod, at)))
})

t.test('without a second node and a Linux node there are no pods for them', async (t) => {
  const few = { first: 'win-1', second: undefined, linux: undefined }
  const objects = objectsOf(ws2022, { namespace: 'smoke', image: 'agnhost', nodes: few })
  t.strictSame(
    objects.map((object) => textAt(object, ['metadata', 'name'])),
    ['server-service', 'server-direct', 'client', 'server', 'host-process'],
  )
  t.ok(isList(valueAt(objects[2], ['spec', 'tolerations'])))
})

t.test(
  'an image without the Windows build is refused, an unknown one is called unknown',
  async (t) => {
    const verdictOf = (image: string) => chooseImage(ws2025, image).verdict
    t.equal(verdictOf('registry.k8s.io/e2e-test-images/agnhost:2.63.0'), 'fits')
    t.equal(verdictOf('registry.k8s.io/e2e-test-images/agnhost:2.53'), 'refused')
    t.equal(verdictOf('mirror.example/k8s/agnhost:2.59'), 'refused')
    t.equal(verdictOf('mirror.example/k8s/agnhost:9.9'), 'unknown')
    t.equal(verdictOf('mirror.example/own:2.53'), 'unknown')
    t.equal(verdictOf('not an image'), 'refused')
    const image = 'mirror.example/k8s/agnhost:2.63.0'
    const mirrored = { ...ws2025, spec: { ...ws2025.spec, smoke: { image } } }
    t.match(chooseImage(mirrored), { image, verdict: 'fits' })
    t.match(chooseImage(mirrored, 'mirror.example/own:2.53'), { verdict: 'unknown' })
    const annual = { ...ws2022, windows: { ...ws2022.windows, build: 25_398 } }
    t.match(chooseImage(annual), { verdict: 'refused', message: /build 25398: name an image/ })
  },
)

t.test('nodes are those that take the pods', async (t) => {
  const chosen = (some: readonly JsonObject[], named?: string) => chooseNodes(some, ws2022, named)
  const all = [
    node('win-3'),
    node('win-2'),
    node('win-1', { taints: [{ key: 'gpu', effect: 'NoSchedule' }] }),
    node('win-0', { ready: false }),
    node('win-old', { build: '10.0.17763' }),
    node('control-1', { os: 'linux', taints: [{ key: 'control', effect: 'NoSchedule' }] }),
    node('linux-1', { os: 'linux' }),
  ]
  t.strictSame(chosen(all), { first: 'win-2', second: 'win-3', linux: 'linux-1' })
  t.strictSame(chosen(all, 'win-1'), { first: 'win-1', second: 'win-2', linux: 'linux-1' })
  const alone = { first: 'win-2', second: undefined, linux: undefined }
  t.strictSame(chosen([node('win-2')]), alone)
  t.strictSame(chosen([node('win-2'), node('linux-0', { os: 'linux', ready: false })]), alone)
  t.equal(chosen(all, 'win-old'), 'win-old: no such Windows node with build 10.0.20348')
  t.match(chosen([node('linux-1', { os: 'linux' })]), /^no Windows node is Ready/)
})
