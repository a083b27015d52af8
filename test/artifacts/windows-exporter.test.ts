// cluster.windowsExporter: its flags against answers of windows_exporter, its objects against schemas and lint.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { mergeJson, valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { manifestsOf } from '../../src/workloads/manifest.ts'
import { lint } from '../../src/workloads/lint.ts'
import { judgeResource } from '../judge/api-server/custom-resource.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'
import { crds } from '../tools/crds.ts'
import { root } from '../tools/run.ts'

const file = 'cluster/50-windows-exporter.yaml'
const monitorFile = 'cluster/51-windows-exporter-monitor.yaml'

const rulesFile = 'cluster/53-windows-exporter-rules.yaml'

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly annotations: { readonly summary: string }
}

const on = (more: JsonObject = {}): JsonObject =>
  mergeJson({ cluster: { windowsExporter: { enabled: true } } }, more)

async function render(patch: JsonObject, profile = 'ws2022-flannel-overlay') {
  const compiled = compileBuiltin(profile, patch)
  return { compiled, files: textsOf(await renderCompiled(compiled)) }
}

const documents = (text: string | undefined): readonly Json[] =>
  parseAllDocuments(text ?? '').map((document) => document.toJS() as Json)

async function daemonSet(patch: JsonObject, profile?: string): Promise<Json> {
  const { files } = await render(on(patch), profile)
  return documents(files.get(file))[0] ?? null
}

const podPath = ['spec', 'template', 'spec']

async function flagsOf(patch: JsonObject, profile?: string): Promise<readonly string[]> {
  const args = valueAt(await daemonSet(patch, profile), [...podPath, 'containers', 0, 'args'])
  return args as readonly string[]
}

interface Case {
  readonly id: string
  readonly input: { readonly config?: string | null; readonly args?: readonly string[] }
  readonly answers: readonly [
    {
      readonly verdict: string
      readonly message: string
      readonly effect: {
        readonly collectors?: string
        readonly flags?: Readonly<Record<string, string>>
      }
    },
  ]
}

const { cases } = JSON.parse(
  readFileSync(path.join(root, 'test/upstream/verdicts/windows-exporter.json'), 'utf8'),
) as { readonly cases: readonly Case[] }

function answer(id: string): Case['answers'][0] {
  const found = cases.find((one) => one.id === id)
  if (!found) throw new Error(`no case ${id}`)
  return found.answers[0]
}

const defaults = answer('config-file-empty').effect.collectors ?? ''

/** What the program makes of flags, in the form of its answers. */
function effectOf(flags: readonly string[]) {
  const entries = flags.map((flag) => {
    const [, name = '', value = ''] = /^--([a-z.]+)=(.*)$/.exec(flag) ?? []
    return [name, value] as const
  })
  const { 'collectors.enabled': enabled = '', ...others } = Object.fromEntries(entries)
  return { collectors: enabled.replace('[defaults]', defaults), flags: others }
}

t.test('the flags have the effect that the program reported', async (t) => {
  const { collectors, flags = {} } = answer('golden').effect
  const rendered = effectOf(await flagsOf({ host: { publishStatus: true } }))
  t.equal(rendered.collectors, collectors)
  t.strictSame(Object.keys(rendered.flags).sort(), Object.keys(flags).sort())
  t.equal(rendered.flags['collector.textfile.directories'], 'C:\\ProgramData\\winnode\\metrics')
  const services = rendered.flags['collector.service.include']
  t.equal(services, `${flags['collector.service.include']}|flanneld`)
})

t.test('no flag that the program refuses', async (t) => {
  const twice = answer('config-textfile-flag-twice')
  t.equal(twice.verdict, 'refused')
  const flags = await flagsOf({
    host: { publishStatus: true },
    cluster: { windowsExporter: { collectors: ['container', 'tcp', 'container'] } },
  })
  const names = flags.map((flag) => flag.replace(/=.*$/s, ''))
  t.strictSame(names, [...new Set(names)], twice.message)
  const spaces = answer('config-collectors-with-spaces')
  t.equal(spaces.verdict, 'refused')
  t.notOk(
    flags.some((flag) => /\s/.test(flag)),
    spaces.message,
  )
  t.equal(flags[0], '--collectors.enabled=[defaults],container,tcp,textfile')
})

t.test('textfile needs the folder of host.publishStatus', async (t) => {
  t.strictSame(await flagsOf({}), [
    '--collectors.enabled=[defaults],container',
    '--collector.service.include=containerd|kubelet|kube-proxy|flanneld',
  ])
  t.strictSame(await flagsOf({}, 'ws2022-win-bridge'), [
    '--collectors.enabled=[defaults],container',
    '--collector.service.include=containerd|kubelet|kube-proxy',
  ])
})

t.test('only services of the node are watched', async (t) => {
  const watched = async (...of: Parameters<typeof flagsOf>) => (await flagsOf(...of))[1]
  const services = '--collector.service.include=containerd|kubelet'
  const join = { endpoint: 'api.example.com:6443', caCertHashes: [`sha256:${'1'.repeat(64)}`] }
  const pods = await watched({ kubeProxy: { runsAs: 'hostProcess' }, join })
  t.equal(pods, `${services}|flanneld`, 'kube-proxy runs as pods')
  const antrea = { ovsDriver: 'signed' }
  t.equal(await watched({ network: { antrea }, join }, 'ws2022-antrea'), services)
})

t.test('a collector that the program does not know is refused', async (t) => {
  const unknown = cases.flatMap(
    ({ answers }) => /^unknown collector (.+)$/.exec(answers[0].message) ?? [],
  )
  t.ok(unknown.length > 0)
  for (const name of ['CPU', 'containers', ' textfile', 'cs', '', 'textfile']) {
    const compiled = compileBuiltin(
      'ws2022-flannel-overlay',
      on({ cluster: { windowsExporter: { collectors: [name] } } }),
    )
    t.not(errorsOf(compiled).length, 0, JSON.stringify(name))
  }
})

t.test('the pod is a HostProcess pod that the API server takes', async (t) => {
  const spec = valueAt(await daemonSet({}), podPath)
  t.equal(valueAt(spec, ['os', 'name']), 'windows')
  t.equal(valueAt(spec, ['hostNetwork']), true)
  t.equal(valueAt(spec, ['securityContext', 'windowsOptions', 'hostProcess']), true)
  // With os.name windows the API server refuses it.
  t.equal(valueAt(spec, ['hostPID']), undefined)
  t.strictSame(valueAt(spec, ['nodeSelector']), { 'kubernetes.io/os': 'windows' })
  t.strictSame(valueAt(spec, ['tolerations']), [{ operator: 'Exists' }])
})

/** What lint says of it, and why it stays. */
const accepted: Readonly<Record<string, string>> = {
  'build-not-selected': 'its image contains no operating system',
  'requests-below-limits': 'it needs a processor for moments only',
  'service-from-host-process': 'it connects to no Service',
}

t.test('lint finds only what is accepted', async (t) => {
  for (const profile of ['ws2022-flannel-overlay', 'ws2025-flannel-overlay']) {
    const { compiled, files } = await render(on(), profile)
    const manifests = documents(files.get(file)).flatMap((document) =>
      manifestsOf(document, () => ({ file: '', line: 1, column: 1 })),
    )
    const { findings, workloads } = lint(manifests, { node: compiled.facts })
    t.equal(workloads, 1, profile)
    t.strictSame(findings.map(({ id }) => id).sort(), Object.keys(accepted).sort(), profile)
  }
})

t.test('the ServiceMonitor', async (t) => {
  const labels = { release: 'kube-prometheus-stack' }
  const { files } = await render(
    on({ cluster: { windowsExporter: { serviceMonitor: { labels } } } }),
  )
  const [service = null, monitor = null] = documents(files.get(monitorFile))
  t.strictSame(judgeResource(monitor as JsonObject, crds()), [])
  t.not(
    judgeResource(
      mergeJson(monitor as JsonObject, { spec: { endpoints: [{ porrt: 'x' }] } }),
      crds(),
    ).length,
    0,
    'an unknown field is found',
  )
  t.match(valueAt(monitor, ['metadata', 'labels']), labels)
  const selected = valueAt(monitor, ['spec', 'selector', 'matchLabels'])
  t.match(valueAt(service, ['metadata', 'labels']), selected)
  const pods = valueAt(documents(files.get(file))[0], ['spec', 'template', 'metadata', 'labels'])
  t.match(pods, valueAt(service, ['spec', 'selector']))
  t.equal(
    valueAt(monitor, ['spec', 'endpoints', 0, 'port']),
    valueAt(service, ['spec', 'ports', 0, 'name']),
  )
})

t.test('the label that the objects have already cannot be set a second time', async (t) => {
  for (const field of ['serviceMonitor', 'prometheusRule']) {
    const labels = { 'app.kubernetes.io/managed-by': 'helm' }
    const patch = on({ cluster: { windowsExporter: { [field]: { labels } } } })
    t.match(errorsOf(compileBuiltin('ws2022-flannel-overlay', patch)), ['bad-value'], field)
  }
})

t.test('the alerts of the page, on metrics that it lists', async (t) => {
  const labels = { release: 'kube-prometheus-stack' }
  const { compiled, files } = await render(
    on({
      cluster: { windowsExporter: { prometheusRule: { labels } } },
      host: { publishStatus: true },
    }),
  )
  t.strictSame(errorsOf(compiled), [])
  const [rule = null] = documents(files.get(rulesFile))
  t.strictSame(judgeResource(rule as JsonObject, crds()), [])
  t.not(
    judgeResource(mergeJson(rule as JsonObject, { spec: { group: [] } }), crds()).length,
    0,
    'an unknown field is found',
  )
  t.match(valueAt(rule, ['metadata', 'labels']), labels)
  const { groups } = valueAt(rule, ['spec']) as unknown as {
    readonly groups: readonly { readonly rules: readonly Alert[] }[]
  }
  const page = readFileSync(path.join(root, 'docs/node-metrics.md'), 'utf8')
  const [, block] = /```yaml\n(groups:[^]*?)```/.exec(page) ?? []
  t.strictSame(groups, (parse(block ?? '') as { groups: unknown }).groups)
  const listed = Array.from(page.matchAll(/^\| `(winnode_\w+)`/gm), ([, name]) => name)
  t.not(listed.length, 0)
  for (const { alert, expr, summary } of groups.flatMap(({ rules }) =>
    rules.map((one) => ({ ...one, summary: one.annotations.summary })),
  )) {
    const read = expr.match(/winnode_\w+/g) ?? []
    t.not(read.length, 0, alert)
    t.strictSame(
      read.filter((name) => !listed.includes(name)),
      [],
      alert,
    )
    t.match(summary, /\{\{ \$labels\.(instance|bundle) \}\}/, `${alert} names the node`)
  }
  const { files: without } = await render(on({ host: { publishStatus: true } }))
  t.notOk(without.has(rulesFile), 'off by default')
})

t.test('the node opens the port, and the bill names the image', async (t) => {
  const from = ['10.0.0.0/24']
  const { compiled } = await render(on({ host: { firewall: { metricsFrom: from } } }))
  const step = compiled.plan?.steps.find(({ id }) => id === 'firewall-windows-exporter')
  t.match(step, { kind: 'firewallRule', protocol: 'TCP', ports: '9182', from })
  const item = compiled.plan?.bill.find(({ id }) => id === 'windows-exporter-image')
  t.match(item, { url: 'ghcr.io/prometheus-community/windows-exporter:0.31.8', version: '0.31.8' })
})

t.test('a digest of winnode.lock, and another registry', async (t) => {
  const image = 'registry.example.com/windows-exporter:0.31.8'
  const lock = { [image]: 'a'.repeat(64) }
  const one = await daemonSet({ cluster: { windowsExporter: { image } }, artifacts: { lock } })
  t.equal(valueAt(one, [...podPath, 'containers', 0, 'image']), `${image}@sha256:${'a'.repeat(64)}`)
})

t.test('off by default', async (t) => {
  const { compiled, files } = await render({})
  t.notOk(files.has(file))
  t.notOk(compiled.plan?.steps.some(({ id }) => id === 'firewall-windows-exporter'))
  t.notOk(compiled.plan?.bill.some(({ id }) => id === 'windows-exporter-image'))
})
