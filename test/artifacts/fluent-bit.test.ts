// cluster.fluentBit: images by Windows build, what its configuration means on Windows, and where it can send.
import t from 'tap'
import { parseAllDocuments } from 'yaml'
import { mergeJson, valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import { lint } from '../../src/workloads/lint.ts'
import { manifestsOf } from '../../src/workloads/manifest.ts'
import { compileBuiltin, errorsOf, renderCompiled, textsOf } from '../tools/bundle.ts'

const file = 'cluster/64-fluent-bit.yaml'
const forward = { plugin: 'forward', host: '10.0.0.40', port: 24224 }

const on = (more: JsonObject = { output: forward }): JsonObject => ({
  cluster: { fluentBit: { enabled: true, ...more } },
})

async function render(patch: JsonObject, profile = 'ws2022-flannel-overlay') {
  const compiled = compileBuiltin(profile, patch)
  const text = textsOf(await renderCompiled(compiled)).get(file)
  const objects = parseAllDocuments(text ?? '').map((one) => one.toJS() as JsonObject)
  const sets = objects.filter(({ kind }) => kind === 'DaemonSet')
  const [logs, events] = sets.map((set) => valueAt(set, ['spec', 'template', 'spec']))
  const config = valueAt(objects.find(({ kind }) => kind === 'ConfigMap') ?? null, ['data'])
  return {
    compiled,
    objects,
    sets,
    logs,
    events,
    config: config as Readonly<Record<string, string>>,
  }
}

const container = (pod: Json | undefined) => valueAt(pod, ['containers', 0]) as JsonObject

const variables = (pod: Json | undefined) =>
  Object.fromEntries(
    (container(pod)['env'] as readonly JsonObject[]).map(({ name, value }) => [name, value]),
  )

interface Section {
  readonly kind: string
  readonly keys: Readonly<Record<string, string>>
}

/** As Fluent Bit reads its classic format, with variables replaced. */
function sectionsOf(text: string, values: Readonly<Record<string, unknown>>): readonly Section[] {
  const sections: { kind: string; keys: Record<string, string> }[] = []
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed === '' || trimmed.startsWith('#') || trimmed.startsWith('@INCLUDE ')) continue
    const [, kind] = /^\[([A-Z]+)\]$/.exec(line) ?? []
    if (kind !== undefined) {
      sections.push({ kind, keys: {} })
      continue
    }
    const [, key = '', value = ''] = /^ {4}(\S+) (.*)$/.exec(line) ?? []
    const keys = sections.at(-1)?.keys
    if (keys === undefined || key === '') throw new Error(`not read: ${line}`)
    keys[key] = value.replace(/\$\{(\w+)\}/g, (_, name: string) => String(values[name]))
  }
  return sections
}

const named = (sections: readonly Section[], name: string) =>
  sections.find(({ keys }) => keys['name'] === name)?.keys

/** tag_compose of https://github.com/fluent/fluent-bit/blob/v5.1.1/plugins/in_tail/tail_file.c */
const tagOf = (tag: string, path: string) =>
  tag
    .replace('*', path)
    .replaceAll(/[/\\:]/g, '.')
    .replaceAll(/\.{2,}/g, '.')

/** KUBE_TAG_TO_REGEX of https://github.com/fluent/fluent-bit/blob/v5.1.1/plugins/filter_kubernetes/kube_regex.h */
const kubernetesTag =
  /^(?<pod>[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*)_(?<namespace>[^_]+)_(?<container>.+)-(?<id>[a-z0-9]{64})\.log$/

t.test('the prefix is what becomes of the path, so that the pod is found', async (t) => {
  const { logs, config } = await render(on())
  const sections = sectionsOf(config['logs.conf'] ?? '', variables(logs))
  const tail = named(sections, 'tail') ?? {}
  const filter = named(sections, 'kubernetes') ?? {}
  t.equal(tail['path'], 'C:\\var\\log\\containers\\*.log')
  const name = `web-0.a_shop_nginx-${'0'.repeat(64)}.log`
  const tag = tagOf(tail['tag'] ?? '', (tail['path'] ?? '').replace('*.log', name))
  const prefix = filter['kube_tag_prefix'] ?? ''
  t.ok(tag.startsWith(prefix), `${tag} begins with ${prefix}`)
  t.match(kubernetesTag.exec(tag.slice(prefix.length))?.groups, {
    pod: 'web-0.a',
    namespace: 'shop',
    container: 'nginx',
  })
  t.equal(filter['match'], tail['tag'])
})

t.test('each input has a position that outlives the pod', async (t) => {
  const { logs, events, config } = await render(on({ output: forward, eventLogs: ['System'] }))
  const state = 'C:\\var\\lib\\winnode-fluent-bit'
  for (const pod of [logs, events]) {
    const volumes = valueAt(pod, ['volumes']) as readonly JsonObject[]
    t.match(
      volumes.find(({ name }) => name === 'state'),
      { hostPath: { path: state, type: 'DirectoryOrCreate' } },
    )
  }
  const tail = named(sectionsOf(config['logs.conf'] ?? '', variables(logs)), 'tail')
  t.equal(tail?.['db'], 'C:\\state\\logs.db')
  const log = named(sectionsOf(config['events.conf'] ?? '', variables(events)), 'winevtlog')
  t.equal(log?.['db'], `${state}\\events.db`, 'on the node, where a HostProcess container runs')
  const sources = [logs, events].map((pod) => container(pod)['volumeMounts'])
  t.ok(JSON.stringify(sources[0]).includes('C:\\\\state'))
})

t.test(
  'logs of containers: links and their files, and the full name of the API server',
  async (t) => {
    const { logs, config } = await render(
      mergeJson(on(), { network: { clusterDomain: 'k8s.example.com' } }),
    )
    t.equal(valueAt(logs, ['hostNetwork']), undefined)
    t.equal(valueAt(logs, ['securityContext', 'windowsOptions', 'hostProcess']), undefined)
    const mounts = container(logs)['volumeMounts'] as readonly JsonObject[]
    for (const folder of ['C:\\var\\log\\containers', 'C:\\var\\log\\pods'])
      t.match(
        mounts.find(({ mountPath }) => mountPath === folder),
        { readOnly: true },
        folder,
      )
    const filter = named(sectionsOf(config['logs.conf'] ?? '', variables(logs)), 'kubernetes')
    t.equal(filter?.['kube_url'], 'https://kubernetes.default.svc.k8s.example.com:443')
  },
)

t.test('event logs: a HostProcess pod only if channels are set', async (t) => {
  t.equal((await render(on())).sets.length, 1)
  const channels = ['System', 'Microsoft-Windows-Containers-CCG/Admin']
  const { events, config } = await render(on({ output: forward, eventLogs: channels }))
  t.equal(valueAt(events, ['securityContext', 'windowsOptions', 'hostProcess']), true)
  t.equal(valueAt(events, ['hostNetwork']), true)
  const sections = sectionsOf(config['events.conf'] ?? '', variables(events))
  t.match(named(sections, 'winevtlog'), {
    channels: channels.join(','),
    ignore_missing_channels: 'on',
  })
  t.match(container(events)['command'], [/^%CONTAINER_SANDBOX_MOUNT_POINT%\\/])
  for (const channel of ['', 'a,b', 'System\n[OUTPUT]', ' System', '${X}']) {
    const compiled = compileBuiltin(
      'ws2022-flannel-overlay',
      on({ output: forward, eventLogs: [channel] }),
    )
    t.not(errorsOf(compiled).length, 0, JSON.stringify(channel))
  }
})

t.test('each output, and a Secret in place of one', async (t) => {
  for (const plugin of ['forward', 'http', 'loki']) {
    const { logs, config } = await render(
      on({ output: { plugin, host: 'logs.example.com', port: 443, tls: true } }),
    )
    const [output, ...others] = sectionsOf(config['output.conf'] ?? '', variables(logs))
    t.strictSame(others, [])
    t.match(output, {
      kind: 'OUTPUT',
      keys: {
        name: plugin,
        match: '*',
        host: 'logs.example.com',
        port: '443',
        tls: 'on',
        retry_limit: 'no_limits',
      },
    })
  }
  const { logs, events, config } = await render(
    on({ outputSecretName: 'fluent-bit-output', eventLogs: ['System'] }),
  )
  t.equal(config['output.conf'], undefined)
  for (const pod of [logs, events])
    t.match(valueAt(pod, ['volumes', 0, 'projected', 'sources', 1]), {
      secret: { name: 'fluent-bit-output', items: [{ key: 'output.conf', path: 'output.conf' }] },
    })
  for (const name of ['logs.conf', 'events.conf'])
    t.match(config[name], /^@INCLUDE output\.conf$/m, name)
})

t.test('the image of the Windows build, and none for Windows Server 2019', async (t) => {
  const tagOn = (profile: string, patch: JsonObject = {}) => {
    const { findings, facts } = compileBuiltin(profile, mergeJson(on(), patch))
    return {
      ids: findings.map(({ id }) => id),
      image: facts.spec.cluster.fluentBit.image,
    }
  }
  const base = 'cr.fluentbit.io/fluent/fluent-bit'
  t.equal(tagOn('ws2022-flannel-overlay').image, `${base}:windows-2022-5.1.1`)
  t.equal(tagOn('ws2025-flannel-overlay').image, `${base}:windows-2025-5.1.1`)
  const old = { windows: { release: 'ws2019' } }
  const without = tagOn('ws2022-flannel-overlay', old)
  t.equal(without.image, undefined)
  t.ok(without.ids.includes('fluent-bit-without-image'))
  const image = 'registry.example.com/fluent-bit:ltsc2019'
  const own = tagOn('ws2022-flannel-overlay', mergeJson(old, { cluster: { fluentBit: { image } } }))
  t.notOk(own.ids.includes('fluent-bit-without-image'))
})

t.test('a host that the pods cannot resolve is refused', (t) => {
  const refused = (host: string, eventLogs: readonly string[] = []) =>
    compileBuiltin(
      'ws2022-flannel-overlay',
      on({ output: { ...forward, host }, eventLogs: [...eventLogs] }),
    ).findings.some(({ id }) => id === 'fluent-bit-output-not-resolved')
  t.ok(refused('fluentd.logging.svc'))
  t.notOk(refused('fluentd.logging.svc.cluster.local'))
  t.ok(refused('fluentd.logging.svc.cluster.local', ['System']))
  t.ok(refused('Fluentd.Logging.SVC.Cluster.Local', ['System']))
  t.notOk(refused('logs.example.com', ['System']))
  t.end()
})

/** What lint says of them, and why it stays. */
const accepted: Readonly<Record<string, string>> = {
  'requests-below-limits': 'it needs a whole processor only where a node logs much',
  'service-from-host-process': 'rules reject a Service as the output of event logs',
}

t.test('lint finds only what is accepted', async (t) => {
  for (const profile of ['ws2022-flannel-overlay', 'ws2025-flannel-overlay']) {
    const { compiled, objects } = await render(
      on({ output: forward, eventLogs: ['System'] }),
      profile,
    )
    const manifests = objects.flatMap((one) =>
      manifestsOf(one, () => ({ file: '', line: 1, column: 1 })),
    )
    const { findings, workloads } = lint(manifests, { node: compiled.facts })
    t.equal(workloads, 2, profile)
    const ids = [...new Set(findings.map(({ id }) => id))].sort()
    t.strictSame(ids, Object.keys(accepted).sort(), profile)
  }
})

t.test('the bill names the image; off by default', async (t) => {
  const { compiled } = await render(on())
  t.match(
    compiled.plan?.bill.find(({ id }) => id === 'fluent-bit-image'),
    { version: 'windows-2022-5.1.1', neededBy: ['cluster-fluent-bit'], licence: 'Apache-2.0' },
  )
  const off = await render({})
  t.strictSame(off.objects, [])
  t.notOk(off.compiled.plan?.bill.some(({ id }) => id === 'fluent-bit-image'))
})
