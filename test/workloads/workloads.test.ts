// The rules for workloads: each fires and is silent, and agrees with the API server.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import type { ImagePlatforms } from '../../src/matrix/image-builds.ts'
import { type JsonObject, nestAt, valueAt } from '../../src/model/json.ts'
import { formatPath } from '../../src/model/path.ts'
import { manifestsOf, titleOf } from '../../src/workloads/manifest.ts'
import { workloadKinds } from '../../src/workloads/workload.ts'
import { workloadRules } from '../../src/workloads/rules/index.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { root } from '../tools/run.ts'
import type { Facts } from '../../src/model/facts.ts'
import { app, linted, nodeOf, pod } from './objects.ts'
import { rows, type Row } from './rows.ts'
import { statedFields, statedLimits } from './stated.ts'

const listOf = (objects: Row['fires']): readonly JsonObject[] =>
  Array.isArray(objects) ? (objects as readonly JsonObject[]) : [objects as JsonObject]

const overlay = 'ws2022-flannel-overlay'

/** Steps of a path that a manifest need not have, if it is not only the last one. */
const missing: Readonly<Record<string, number>> = { 'host-process-in-part': 3 }
const noPlace = () => ({ file: 'web.yaml', line: 1, column: 1 })

for (const { id, fires, silent, with: context } of rows)
  t.test(`${id}: ${JSON.stringify(fires).slice(0, 90)}`, async (t) => {
    const found = (objects: Row['fires']) =>
      linted(listOf(objects), context).findings.filter((one) => one.id === id)
    t.ok(found(fires).length > 0, 'fires')
    t.strictSame(found(silent), [], 'is silent')
    const manifests = listOf(fires).flatMap((object) => manifestsOf(object, noPlace))
    for (const {
      path: [title, ...at],
    } of found(fires)) {
      const whole = manifests.find((one) => titleOf(one) === title)?.value ?? {}
      // A part that is missing has no place, but the map around it exists.
      const around = at.slice(0, Math.max(1, at.length - (missing[id] ?? 1)))
      t.not(valueAt(whole, around), undefined, `the place of it: ${formatPath(at)}`)
    }
  })

t.test('every rule has a row, and words', async (t) => {
  const ids = workloadRules.map(({ id }) => id)
  t.strictSame(ids, [...new Set(ids)], 'ids are unique')
  t.strictSame(
    ids.filter((id) => !rows.some((row) => row.id === id)),
    [],
  )
  for (const { id, summary, remedy, see } of workloadRules) {
    t.match(id, /^[a-z0-9]+(-[a-z0-9]+)+$/)
    t.match(summary, /^[A-Za-z].*\.$/, `${id} requires something`)
    t.match(remedy, /^[A-Z].*[.\w]$/, `${id} has a remedy`)
    t.match(see, /^https:\/\/\S+$/, `${id} has a source`)
  }
})

t.test('the pod of each kind of workload', async (t) => {
  const kinds: readonly (readonly [apiVersion: string, kind: string, template: string])[] = [
    ['v1', 'Pod', ''],
    ['v1', 'PodTemplate', 'template'],
    ['v1', 'ReplicationController', 'spec.template'],
    ['apps/v1', 'Deployment', 'spec.template'],
    ['extensions/v1beta1', 'Deployment', 'spec.template'],
    ['apps/v1', 'ReplicaSet', 'spec.template'],
    ['extensions/v1beta1', 'ReplicaSet', 'spec.template'],
    ['apps/v1', 'DaemonSet', 'spec.template'],
    ['extensions/v1beta1', 'DaemonSet', 'spec.template'],
    ['apps/v1', 'StatefulSet', 'spec.template'],
    ['batch/v1', 'Job', 'spec.template'],
    ['batch/v1', 'CronJob', 'spec.jobTemplate.spec.template'],
  ]
  t.strictSame([...new Set(kinds.map(([, kind]) => kind))], workloadKinds)
  const { spec = {} } = pod({ hostNetwork: true })
  for (const [apiVersion, kind, template] of kinds) {
    const at = [...template.split('.').filter(Boolean), 'spec']
    const head = { apiVersion, kind, metadata: { name: 'web' } }
    const [found] = linted([{ ...head, ...(nestAt(at, spec) as JsonObject) }]).findings
    t.equal(found?.id, 'host-network-without-host-process', `${apiVersion} ${kind}`)
    t.strictSame(found?.path, [`${kind} web`, ...at, 'hostNetwork'])
  }
})

t.test('nothing is wrong with a pod that is right', async (t) => {
  t.strictSame(linted([pod()]).findings, [])
  const named = app({ env: [{ name: 'ProgramFiles(x86)', value: 'a' }] })
  t.strictSame(linted([named], { apiServer: '1.32.0' }).findings, [])
})

/**
 * The documentation of Kubernetes still lists them. Single files are mounted, and the shim replaces WaitToKillServiceTimeout:
 * https://github.com/kubernetes/kubernetes/pull/97045
 * https://github.com/microsoft/hcsshim/blob/v0.14.1/internal/hcsoci/hcsdoc_wcow.go
 */
t.test('limits that only Docker had are no findings', async (t) => {
  const volumeMounts = [
    { name: 'v', mountPath: 'C:\\app\\app.json', subPath: 'app.json' },
    { name: 'v', mountPath: 'C:\\data', subPathExpr: '$(POD_NAME)' },
  ]
  const spec = { terminationGracePeriodSeconds: 300, volumes: [{ name: 'v', emptyDir: {} }] }
  const used = app({ volumeMounts, terminationMessagePath: 'C:\\end.log' }, spec)
  t.strictSame(linted([used]).findings, [])
})

t.test('hostNetwork can leave a pod without DNS', async (t) => {
  const node = nodeOf('ws2022-flannel-overlay')
  const named = { hostNetwork: true, dnsConfig: { nameservers: ['192.0.2.53'] } }
  const found = (spec: JsonObject, more: object) =>
    linted([app({}, spec)], more).findings.map(({ id, harm, message }) => ({
      id,
      harm,
      none: message.includes('the only DNS server of the pod is 127.0.0.1'),
    }))
  const id = 'host-network-without-host-process'
  t.strictSame(found({ hostNetwork: true }, { node }), [{ id, harm: 'breaks', none: true }])
  t.strictSame(found(named, { node }), [{ id, harm: 'limits', none: false }])
  t.strictSame(found({ hostNetwork: true }, {}), [{ id, harm: 'limits', none: false }])
})

t.test('an unmarked pod is for Windows if its image is for nothing else', async (t) => {
  const image = 'example.com/web:1'
  const unmarked = app({ image }, { os: null, nodeSelector: {}, tolerations: [] })
  const windows = [{ build: 20_348 }]
  const images: readonly [platforms: ImagePlatforms, count: number][] = [
    [{ windows, otherSystems: [] }, 1],
    [{ windows, otherSystems: ['linux'] }, 0],
    [{ windows: [], otherSystems: [] }, 0],
  ]
  for (const [platforms, count] of images) {
    const { workloads } = linted([unmarked], { platforms: new Map([[image, platforms]]) })
    t.equal(workloads, count, JSON.stringify(platforms))
  }
})

/** As kubeadm, and the charts of their projects, create them. */
const daemonSets: Readonly<Record<string, JsonObject>> = {
  'kube-proxy': {
    hostNetwork: true,
    containers: [
      {
        name: 'kube-proxy',
        image: 'registry.k8s.io/kube-proxy:v1.36.6',
        securityContext: { privileged: true },
      },
    ],
    volumes: [{ name: 'lib-modules', hostPath: { path: '/lib/modules' } }],
  },
  promtail: {
    securityContext: { seLinuxOptions: { type: 'spc_t' }, runAsUser: 0 },
    containers: [
      {
        name: 'promtail',
        image: 'grafana/promtail:3.5.1',
        securityContext: { capabilities: { add: ['SYS_PTRACE'] } },
      },
    ],
  },
  'node-exporter': {
    hostPID: true,
    containers: [
      {
        name: 'node-exporter',
        image: 'quay.io/prometheus/node-exporter:v1.9.1',
        securityContext: { privileged: true },
      },
    ],
  },
}

t.test('a DaemonSet for Linux that tolerates every taint selects Linux', async (t) => {
  const daemonSet = (name: string, spec: JsonObject) => ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name },
    spec: { template: { spec: { tolerations: [{ operator: 'Exists' }], ...spec } } },
  })
  for (const [name, spec] of Object.entries(daemonSets)) {
    const found = linted([daemonSet(name, spec)], { node: nodeOf(overlay) })
    t.strictSame([found.workloads, found.others], [0, 1], name)
    t.match(
      found.findings,
      [
        {
          id: 'linux-pod-on-windows-node',
          remedy: 'Add the nodeSelector kubernetes.io/os: linux.',
          message: /a Windows node of the profile can be chosen$/,
        },
      ],
      name,
    )
    t.equal(found.findings.length, 1, name)
    t.notMatch(JSON.stringify(found.findings), 'os.name')
    const selected = daemonSet(name, { ...spec, nodeSelector: { 'kubernetes.io/os': 'linux' } })
    t.strictSame(linted([selected], { node: nodeOf(overlay) }).findings, [], name)
  }
})

t.test('a pod that can be for either system has the fix for both', async (t) => {
  const open = app(
    { image: 'example.com/web:1' },
    { os: null, nodeSelector: {}, tolerations: [{ operator: 'Exists' }] },
  )
  const { findings, workloads } = linted([open], { node: nodeOf(overlay) })
  t.equal(workloads, 1)
  t.notOk(findings.some(({ id }) => id === 'os-name-missing'))
  const [found] = findings.filter(({ id }) => id === 'os-not-selected')
  t.match(found?.remedy, /kubernetes.io\/os: windows .* kubernetes.io\/os: linux/)
  t.notMatch(found?.message, 'os.name')
  const [marked] = linted([
    pod({ os: null, nodeSelector: {}, securityContext: { windowsOptions: {} } }),
  ]).findings.filter(({ id }) => id === 'os-not-selected')
  t.match(marked?.message, /a Linux node can be chosen$/)
})

t.test('without os.name, the kubelet rejects some fields', async (t) => {
  const found = (spec: JsonObject, version: string) =>
    linted([pod({ os: null, ...spec })], {
      apiServer: '1.37.2',
      node: nodeOf(overlay, { kubernetes: { version } }),
    }).findings.flatMap(({ id, severity, message }) =>
      id.startsWith('linux-') ? [`${severity}: ${message}`] : [],
    )
  const sysctls = { securityContext: { sysctls: [{ name: 'net.core.somaxconn', value: '1' }] } }
  t.match(found(sysctls, '1.27.16'), [/^error: .* rejects the pod \(SysctlForbidden\)$/])
  t.match(found(sysctls, '1.26.15'), [/^warning: .* has no effect: Windows has no sysctls$/])
  const resources = { resources: { limits: { cpu: '1' } } }
  t.match(found(resources, '1.34.0'), [/^error: .* \(PodLevelResourcesNotSupported\)$/])
  t.match(found(resources, '1.33.0'), [/^warning: .* has no effect: /])
})

t.test('the DNS of the node depends on resolvConf', async (t) => {
  const found = (node: Facts | undefined) =>
    linted([pod({ dnsPolicy: 'Default' })], { node }).findings.filter(
      ({ id }) => id === 'dns-policy-default',
    ).length
  const host = nodeOf(overlay, { kubelet: { config: { resolvConf: 'Host' } } })
  t.equal(found(nodeOf(overlay)), 1)
  for (const node of [undefined, host, nodeOf('ws2022-eks')]) t.equal(found(node), 0)
})

t.test('a RuntimeClass that is in no file can select the OS', async (t) => {
  const ofClass = (...objects: readonly JsonObject[]) =>
    linted([pod({ nodeSelector: {}, runtimeClassName: 'win' }), ...objects]).findings.flatMap(
      ({ id, severity, message }) => (id === 'os-not-selected' ? [`${severity}: ${message}`] : []),
    )
  t.match(ofClass(), [
    /^info: .*: no nodeSelector names the OS, and RuntimeClass win is in none of the files$/,
  ])
  const found = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name: 'win' } }
  t.match(ofClass(found), [/^error: .*: no nodeSelector names the OS; the scheduler does not/])
})

t.test('another label can be one of Windows nodes only', async (t) => {
  const selecting = (nodeSelector: JsonObject) =>
    linted([pod({ nodeSelector })]).findings.flatMap(({ id, severity, message }) =>
      id === 'os-not-selected' ? [`${severity}: ${message}`] : [],
    )
  t.match(selecting({ 'example.com/pool': 'win' }), [
    /^warning: .*: no nodeSelector names the OS; a Linux node with the label example\.com\/pool can be chosen, too$/,
  ])
  t.match(selecting({ 'kubernetes.io/arch': 'amd64' }), [/^error: .* can choose a Linux node$/])
})

t.test('every limit of Windows that is documented has a rule', async (t) => {
  const ids = workloadRules.map(({ id }) => id)
  for (const [stated, { limit, rules }] of Object.entries({ ...statedFields, ...statedLimits })) {
    t.ok(rules.length > 0, `${stated}: ${limit}`)
    for (const rule of rules) t.ok(ids.includes(rule), `${stated}: ${rule}`)
  }
})

interface Case {
  readonly id: string
  readonly input: { readonly pod: JsonObject; readonly apiServerFlag?: string }
  readonly answers: readonly {
    readonly versions: readonly string[]
    readonly verdict: string
    readonly message: string
  }[]
}

/** Refusals that have nothing to do with Windows. */
const elsewhere: Readonly<Record<string, RegExp>> = {
  'a field that this version does not know': /^strict decoding error: unknown field/,
  'a path with ..': /must not contain '\.\.'/,
  'a name that is no DNS name': /^spec\.runtimeClassName: /,
  'a token without a service account': /serviceAccountToken: Forbidden/,
}

t.test('a pod is rejected where the API server rejects it', async (t) => {
  const file = path.join(root, 'test/upstream/verdicts/pod-os-windows.json')
  const text = readFileSync(file, 'utf8').replace('<65537 times the letter x>', 'x'.repeat(65_537))
  const { cases } = JSON.parse(text) as { readonly cases: readonly Case[] }
  const met = new Set<string>()
  for (const { id, input, answers } of cases)
    for (const { versions, verdict, message } of answers)
      for (const apiServer of versions) {
        const [reason] =
          Object.entries(elsewhere).find(([, of]) => verdict === 'refused' && of.test(message)) ??
          []
        if (reason !== undefined) {
          met.add(reason)
          continue
        }
        const { findings } = linted([input.pod], { apiServer })
        const rejected = findings.filter(({ message: said }) => said.includes('API server rejects'))
        t.equal(
          rejected.some(({ severity }) => severity === 'error'),
          verdict === 'refused',
          `${id} at ${apiServer}: ${message}`,
        )
        // One refusal for each field that the API server names.
        for (const [, field = ''] of message.matchAll(
          /spec\.([\w.[\]]+): Forbidden: cannot be set/g,
        ))
          t.ok(
            rejected.some(({ path: [, ...at] }) => shown(at) === `spec.${field}`),
            `${id} at ${apiServer} names ${field}`,
          )
      }
  t.strictSame([...met].toSorted(), Object.keys(elsewhere).toSorted(), 'each reason is met')
})

function shown(at: readonly (string | number)[]): string {
  return at
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1)
}

t.test('the findings of these rows', async (t) => {
  const defaults = new Map(workloadRules.map((rule) => [rule.id, rule]))
  const lines = rows.flatMap(({ id, fires, with: context }) => [
    id,
    ...linted(listOf(fires), context)
      .findings.filter((finding) => finding.id === id)
      .flatMap(({ severity, path: at, message, remedy, see }) => [
        `  ${severity} at ${formatPath(at)}`,
        `    ${message}`,
        ...(remedy === defaults.get(id)?.remedy ? [] : [`    fix: ${String(remedy)}`]),
        ...(see === defaults.get(id)?.see ? [] : [`    see: ${String(see)}`]),
      ]),
    '',
  ])
  checkedIn(t, 'test/golden/workload-findings.txt', lines.join('\n'))
})
