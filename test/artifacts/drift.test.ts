// cluster.drift: the CronJob, what it may read, and what its arguments name.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { objectPath } from '../../src/cluster/object-path.ts'
import Drift from '../../src/commands/drift.ts'
import {
  isList,
  type Json,
  type JsonObject,
  mergeJson,
  textAt,
  valueAt,
} from '../../src/model/json.ts'
import { around } from '../docs/cases.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'
import { linted } from '../workloads/objects.ts'

const file = 'cluster/80-drift.yaml'
const image = 'registry.example.com/winnode:0.1.0'

const patchOf = (fields: JsonObject): JsonObject => ({ cluster: { drift: fields } })

async function objectsOf(patch: JsonObject, profile = 'ws2022-flannel-overlay') {
  const files = textsOf(await renderCompiled(compileBuiltin(profile, patch)))
  const manifests = [...files].filter(([name]) => /^cluster\/\d\d-.*\.yaml$/.test(name))
  const documents = (text: string) =>
    parseAllDocuments(text).flatMap((one) => {
      const object = one.toJS() as JsonObject | null
      return object ? [object] : []
    })
  return {
    all: manifests.flatMap(([, text]) => documents(text)),
    own: documents(files.get(file) ?? ''),
  }
}

const ofKind = (objects: readonly JsonObject[], kind: string) =>
  objects.filter((one) => one['kind'] === kind)

interface Rule {
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames?: readonly string[]
  readonly verbs: readonly string[]
}

const rulesOf = (role: Json | undefined) => valueAt(role, ['rules']) as unknown as readonly Rule[]

t.test('it may read what the page names', async (t) => {
  const { own } = await objectsOf(patchOf({ image }))
  const page = readFileSync(path.join(root, 'docs/drift.md'), 'utf8')
  const [, block = ''] = /```yaml\n(apiVersion: rbac[^]*?)```/.exec(page) ?? []
  const [role] = ofKind(own, 'ClusterRole')
  t.strictSame(rulesOf(role), rulesOf(parse(block) as Json))
  t.ok(rulesOf(role).every(({ verbs }) => verbs.every((verb) => ['get', 'list'].includes(verb))))
})

t.test('it may read each object of a bundle with every add-on', async (t) => {
  for (const release of ['ws2019', 'ws2022', 'ws2025']) {
    const name = `${release}-flannel-overlay`
    const ownImage = { cluster: { fluentBit: { image } } }
    const patch = release === 'ws2019' ? mergeJson(around, ownImage) : around
    const { all, own } = await objectsOf(patch, name)
    const rules = rulesOf(ofKind(own, 'ClusterRole')[0])
    t.ok(all.length > 30, name)
    // Drift reads no Secrets.
    for (const one of all.filter(({ kind }) => kind !== 'Secret')) {
      const at = objectPath(one) ?? ''
      const [, group = '', plural = ''] =
        /^\/apis?\/(?:([^/]+)\/)?v[^/]+\/(?:namespaces\/[^/]+\/)?([^/]+)\/[^/]+$/.exec(at) ?? []
      const object = textAt(one, ['metadata', 'name'])
      const allowed = rules.some(
        ({ apiGroups, resources, resourceNames = [object], verbs }) =>
          apiGroups.includes(group) &&
          resources.includes(plural) &&
          resourceNames.includes(object) &&
          verbs.includes('get'),
      )
      t.ok(allowed, `${name}: ${at}`)
    }
  }
})

t.test('winnode drift has its arguments, which name mounted files', async (t) => {
  const selector = { pool: 'web', zone: 'a' }
  const { own } = await objectsOf(patchOf({ image, selector, configMapName: 'winnode-drift-web' }))
  const [job] = ofKind(own, 'CronJob')
  t.equal(textAt(job, ['metadata', 'name']), 'winnode-drift-web')
  const spec = valueAt(job, ['spec', 'jobTemplate', 'spec', 'template', 'spec'])
  const args = valueAt(spec, ['containers', 0, 'args']) as readonly string[]
  t.strictSame(args, [
    ...['drift', '/etc/winnode/profile/node.yaml', '--kubeconfig'],
    ...['/etc/winnode/kubeconfig/config', '--selector=pool=web,zone=a'],
  ])
  t.ok(['kubeconfig', 'selector'].every((flag) => Object.hasOwn(Drift.flags, flag)))
  const mounts = valueAt(spec, ['containers', 0, 'volumeMounts'])
  t.strictSame(isList(mounts) && mounts.map((one) => textAt(one, ['mountPath'])), [
    '/etc/winnode/profile',
    '/etc/winnode/kubeconfig',
  ])
  const volumes = valueAt(spec, ['volumes'])
  t.strictSame(isList(volumes) && volumes.map((one) => textAt(one, ['configMap', 'name'])), [
    'winnode-drift-web',
    'winnode-drift-kubeconfig',
  ])
  const [config] = ofKind(own, 'ConfigMap')
  t.equal(textAt(config, ['metadata', 'name']), 'winnode-drift-kubeconfig')
  t.match(parse(textAt(config, ['data', 'config'])), {
    'current-context': 'here',
    users: [
      { user: { tokenFile: /^\/var\/run\/secrets\/kubernetes\.io\/serviceaccount\/token$/ } },
    ],
  })
})

t.test('its pods are for Linux', async (t) => {
  const { own } = await objectsOf(patchOf({ image }))
  t.match(linted(own), { workloads: 0, others: 1, findings: [] })
})

t.test('off without an image, and values that are refused', async (t) => {
  t.strictSame((await objectsOf(patchOf({ schedule: '0 4 * * *' }))).own, [])
  for (const fields of [
    { schedule: '0 3 * *' },
    { schedule: 'nightly' },
    { configMapName: 'winnode-drift-kubeconfig' },
    { configMapName: 'a'.repeat(53) },
    { selector: { 'a b': 'c' } },
  ])
    t.not(
      errorsOf(compileBuiltin('ws2022-flannel-overlay', patchOf({ image, ...fields }))).length,
      0,
      JSON.stringify(fields),
    )
})

t.test('a schedule is what the API server accepts', async (t) => {
  const errorsWith = (schedule: string) =>
    errorsOf(compileBuiltin('ws2022-flannel-overlay', patchOf({ image, schedule })))
  for (const right of [
    ...['@daily', '0 3 * * *', '*/15 * * * ?', '30 1-5/2,23 1,15 JAN-mar Mon-5', '59 23 31 12 0'],
    // It does not read what stands behind them.
    ...['0 3 * * *-5', '0 3 * * 1,'],
  ])
    t.strictSame(errorsWith(right), [], right)
  for (const wrong of [
    ...['@never', '61 3 * * *', '0 24 * * *', '0 3 0 * *', '0 3 * 13 *', '0 3 * * 7', '0 3 L * *'],
    ...['5-1 3 * * *', '*/0 3 * * *', '1-2-3 3 * * *', '1/2/3 3 * * *', '0 3 * foo *'],
    ...['TZ=UTC 0 3 * * *', '-1 3 * * *', '0 3 * * mon-sun'],
  ])
    t.strictSame(errorsWith(wrong), ['bad-value'], wrong)
})

t.test('its image is in the bill of materials', async (t) => {
  const files = textsOf(
    await renderCompiled(compileBuiltin('ws2022-flannel-overlay', patchOf({ image }))),
  )
  const { components } = JSON.parse(files.get('bom.json') ?? '')
  t.match(
    components.filter(({ url }: { url: string }) => url === image),
    [{ kind: 'image', neededBy: ['cluster-drift'] }],
  )
})
