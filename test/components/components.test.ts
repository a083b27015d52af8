// The tables of programs: one row gives the file, the refusal in config, the place of findings, drift and the reason.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse as parseToml } from 'smol-toml'
import { t } from 'tap'
import {
  documentOf,
  fileOf,
  placeOf,
  rowsOf,
  settingsOf,
  stepsOf,
  type ConfigTable,
} from '../../src/components/config-table.ts'
import { containerdTables } from '../../src/components/containerd.ts'
import { configTables } from '../../src/components/index.ts'
import { joinRows } from '../../src/components/kubeadm.ts'
import { kubelet } from '../../src/components/kubelet.ts'
import { profileFieldOf } from '../../src/drift/purpose.ts'
import { fieldIn } from '../../src/matrix/config-fields.ts'
import { isObject, type Json, type JsonObject } from '../../src/model/json.ts'
import { formatPath } from '../../src/model/path.ts'
import type { PlannedFile } from '../../src/model/plan.ts'
import { configVersions } from '../../src/model/choices.ts'
import { renderFile } from '../../src/render/render-file.ts'
import { loadTemplate } from '../../src/render/templates.ts'
import { compile } from '../../src/compile.ts'
import { constraintConflicts } from '../../src/rules/settings/check.ts'
import { effectiveConfig } from '../../src/rules/settings/effective.ts'
import { compileBuiltin, layerOf, readStatic, today } from '../tools/bundle.ts'
import { unknownMinor } from '../tools/minors.ts'
import { root } from '../tools/run.ts'

const judged = (patch: JsonObject) => compile([layerOf(patch)], 'node', { today })

const errorsOf = (patch: JsonObject) =>
  judged(patch)
    .findings.filter(({ severity }) => severity === 'error')
    .map(({ id, path: at }) => `${id} ${formatPath(at)}`)

/** The kubelet with one more row, whose value comes from an existing field. */
const withRow: ConfigTable = {
  ...kubelet,
  rows: [
    ...kubelet.rows,
    ...rowsOf({
      imageGCHighThresholdPercent: {
        value: ({ spec }) => spec.kubelet.maxPods,
        field: 'kubelet.maxPods',
        why: 'Images are collected above it.',
      },
    }),
  ],
}

t.test('a field is checked together with config', (t) => {
  const config = { imageGCLowThresholdPercent: 80 }
  const asConfig = errorsOf({ kubelet: { config: { ...config, imageGCHighThresholdPercent: 10 } } })
  t.strictSame(asConfig, ['kubelet-setting-refused kubelet.config.imageGCLowThresholdPercent'])
  const selectValues = (patch: JsonObject) =>
    constraintConflicts(effectiveConfig(withRow, judged(patch).facts), 'refused').map((one) =>
      formatPath(one.path),
    )
  t.strictSame(selectValues({ kubelet: { maxPods: 10, config } }), [
    'kubelet.config.imageGCLowThresholdPercent',
  ])
  t.strictSame(
    selectValues({ kubelet: { maxPods: 10 } }),
    ['kubelet.maxPods'],
    'beside the default',
  )
  t.strictSame(selectValues({ kubelet: { maxPods: 81, config } }), [])
  t.end()
})

t.test('fields are checked by the types and ranges of the file', (t) => {
  const refused = [
    [{ kubelet: { shutdownGracePeriod: '2562048h' } }, 'bad-value kubelet.shutdownGracePeriod'],
    [
      { kubeProxy: { metricsBindAddress: 'here' } },
      'kube-proxy-setting-refused kubeProxy.metricsBindAddress',
    ],
  ] as const
  for (const [patch, error] of refused) t.strictSame(errorsOf(patch), [error])
  t.end()
})

t.test('a finding points at the field of the nearest row', (t) => {
  const { spec } = judged({}).facts
  const placed = (...steps: readonly string[]) => placeOf(kubelet, spec, steps)?.join('.')
  t.equal(placed('kubeReserved', 'ephemeral-storage'), 'reserve.kube.ephemeralStorage')
  t.equal(placed('kubeReserved'), 'reserve.kube')
  t.end()
})

t.test('process IDs can be reserved', (t) => {
  const { facts } = judged({ reserve: { kube: { pid: '1000' }, system: { pid: '500' } } })
  const { kubeReserved, systemReserved } = fileOf(kubelet, facts)
  t.match([kubeReserved, systemReserved], [{ pid: '1000' }, { pid: '500' }])
  t.end()
})

t.test('kubeadm’s other spellings of an endpoint and a hash are taken', (t) => {
  const digest = 'ab'.repeat(32)
  const profile = {
    join: { endpoint: 'api_1.example.com.:6443', caCertHashes: [`SHA256:${digest.toUpperCase()}`] },
  }
  t.strictSame(errorsOf(profile), [])
  t.match(documentOf(joinRows, judged(profile).facts), {
    discovery: {
      bootstrapToken: {
        apiServerEndpoint: 'api_1.example.com:6443',
        caCertHashes: [`sha256:${digest}`],
      },
    },
  })
  t.end()
})

t.test('a gate that a newer minor may lack is a warning that the program would not start', (t) => {
  const gates = { KubeletTracing: true, WindowsHostNetwork: false }
  const patch = { kubernetes: { version: `${unknownMinor}.0` }, kubelet: { featureGates: gates } }
  const { findings } = compile([layerOf(patch)], 'node', { today, allowNewer: true })
  const found = findings.filter(({ id }) => id === 'kubelet-gate-needless')
  t.ok(found.length > 0)
  for (const { message } of found)
    t.match(message, `${unknownMinor}.0 would not start if the gate is removed`)
  t.end()
})

for (const { home, name, rows, version } of configTables) {
  t.test(`config of ${name} replaces nothing that is decided elsewhere`, (t) => {
    const { spec } = judged({}).facts
    const decided = rows.filter(
      ({ field, fact, fixed, value, at }) =>
        (field ?? fact ?? fixed) !== undefined &&
        value !== undefined &&
        fieldIn(name, at.join('.'), version(spec)),
    )
    t.ok(decided.length > 10)
    const rules =
      /^(setting-has-field-of-its-own|kubelet-field-fixed|kube-proxy-late-value-overridden) /
    for (const { at } of decided)
      for (const length of at.keys()) {
        const around = [home, 'config', ...at.slice(0, length + 1)]
        const patch = around.reduceRight<Json>((inner, step) => ({ [step]: inner }), 'other')
        const errors = errorsOf(isObject(patch) ? patch : {}).filter((one) => rules.test(one))
        const place = around.join('.')
        t.ok(
          errors.some((error) => error.endsWith(` ${place}`)),
          `${place} is refused`,
        )
      }
    t.end()
  })
}

t.test('a value in a field and in config is said, never ignored', (t) => {
  const { findings } = judged({ kubelet: { maxPods: 75, config: { maxPods: 95 } } })
  const found = findings.find(({ id }) => id === 'setting-has-field-of-its-own')
  t.equal(found?.severity, 'error')
  t.match(found?.message, /kubelet\.config\.maxPods.*kubelet\.maxPods/)
  t.end()
})

t.test('drift and the documentation follow from the row', (t) => {
  const settings = settingsOf(withRow.rows, withRow.see, 'kubelet.config')
  const plan: PlannedFile = {
    id: 'kubelet-config',
    path: 'files/kubelet/config.json',
    summary: '',
    body: { kind: 'json', value: {} },
    settings,
    merges: ['kubelet', 'config'],
  }
  const fieldAt = (...steps: readonly string[]) =>
    profileFieldOf(plan.path, plan, { path: steps, steps })?.join('.')
  t.equal(fieldAt('imageGCHighThresholdPercent'), 'kubelet.maxPods')
  t.equal(fieldAt('registerWithTaints', '[]', 'effect'), 'kubelet.taints')
  t.equal(fieldAt('kubeReserved', 'ephemeral-storage'), 'reserve.kube.ephemeralStorage')
  t.equal(fieldAt('evictionHard', 'memory.available'), 'reserve.evictionHard.memory.available')
  t.equal(fieldAt('resolvConf'), 'kubelet.config.resolvConf', 'what config may replace')
  t.equal(fieldAt('eventRecordQPS'), 'kubelet.config.eventRecordQPS', 'what config adds')
  t.equal(fieldAt('kind'), undefined, 'what no profile decides')
  const page = readFileSync(path.join(root, 'docs/files.md'), 'utf8')
  for (const { rows } of configTables)
    for (const { key, why } of rows)
      t.ok(page.includes(`- \`${key}\`: ${why.slice(0, 20)}`), `${key} has its reason in the page`)
  t.equal(settings['imageGCHighThresholdPercent']?.why, 'Images are collected above it.')
  t.end()
})

t.test('config.toml is the document of its rows, in every format', async (t) => {
  for (const configVersion of configVersions) {
    const version = configVersion === 2 ? '1.7' : '2.3'
    const patch = {
      kubernetes: { version: version === '1.7' ? '1.28' : '1.35' },
      containerd: { version, configVersion, root: 'C:\\ä b' },
      isolation: { hyperV: true },
      host: { features: ['Containers', 'Hyper-V'] },
    }
    const { plan, facts } = compileBuiltin('ws2022-flannel-overlay', patch)
    const file = plan?.files.find(({ id }) => id === 'containerd-config')
    if (!file) throw new Error(`no config.toml in format ${configVersion}`)
    const { content } = await renderFile(file, { readStatic, loadTemplate })
    const document = documentOf(containerdTables[configVersion].rows, facts)
    t.same(parseToml(Buffer.from(content).toString()), document)
    const fieldAt = (key: string) =>
      profileFieldOf(file.path, file, { path: stepsOf(key), steps: stepsOf(key) })?.join('.')
    t.equal(fieldAt('root'), 'containerd.root')
    const runtime = configVersion === 2 ? 'grpc.v1.cri' : 'cri.v1.runtime'
    const handlers = `plugins."io.containerd.${runtime}".containerd.runtimes`
    t.equal(fieldAt(`${handlers}.runhcs-wcow-hypervisor.options.ScrubLogs`), 'isolation.hyperV')
  }
})

t.test('a share that is not a number is a warning, as the kubelet takes it', (t) => {
  const findingsOf = (threshold: string) =>
    compileBuiltin('ws2022-flannel-overlay', {
      reserve: { evictionHard: { 'nodefs.available': threshold } },
    }).findings.flatMap(({ id, severity, path: at, message }) =>
      formatPath(at).startsWith('reserve.evictionHard') ? [`${severity} ${id}: ${message}`] : [],
    )
  t.strictSame(findingsOf('NaN%'), [
    'warning kubelet-setting-ignored: evictionHard.nodefs.available "NaN%" has no effect: a percentage that is not a number never triggers eviction',
  ])
  t.match(findingsOf('inf%'), [/^error kubelet-setting-refused: /])
  t.match(findingsOf('ten%'), [/^error kubelet-setting-refused: /])
  t.strictSame(findingsOf('10%'), [])
  t.end()
})

t.test('the allowlist of images takes names as pods write them from 1.36 on', (t) => {
  const findingsOf = (kubernetes: string, pattern: string) =>
    compileBuiltin('ws2022-flannel-overlay', {
      kubernetes: { version: kubernetes },
      kubelet: {
        config: {
          imagePullCredentialsVerificationPolicy: 'NeverVerifyAllowlistedImages',
          preloadedImagesVerificationAllowlist: [pattern],
        },
      },
    }).findings.flatMap(({ path: at, message }) =>
      formatPath(at).includes('Allowlist') ? [message] : [],
    )
  t.strictSame(findingsOf('1.37', 'nginx'), [])
  t.strictSame(findingsOf('1.36', 'registry.example.com'), [])
  t.match(findingsOf('1.35', 'nginx'), [/must be an image with registry/])
  t.match(findingsOf('1.37', 'nginx:1.29'), [/must be an image without tag or digest/])
  t.match(findingsOf('1.37', 'nginx*'), [/or a prefix that ends in \/\*/])
  t.end()
})
