// A new minor: imported from the answers of its programs, and used in every query of the tables.
import { spawnSync } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { bundleSource } from '../../build/bundle.mjs'
import { minorsModule, readMinors, schemaText } from '../../build/minors.mjs'
import type { compile as Compile } from '../../src/compile.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import type {
  fieldIn as FieldIn,
  fieldOfMinors as FieldOfMinors,
} from '../../src/matrix/config-fields.ts'
import type { gateIn as GateIn, needsIn as NeedsIn } from '../../src/matrix/feature-gates.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { readMinors as readJudged, tableOf } from '../judge/tables.ts'
import { layerOf, today } from '../tools/bundle.ts'
import { newestMinor, unknownMinor } from '../tools/minors.ts'
import { root } from '../tools/run.ts'

const folder = path.join(root, 'src/matrix/minors')

/** The answers of the programs of a minor, as CONTRIBUTING.md lists them. */
const answers = (): Record<string, JsonObject> => {
  const versions = { [newestMinor]: `${newestMinor}.1`, [unknownMinor]: `${unknownMinor}.0` }
  const both = `${newestMinor}-${unknownMinor}`
  const gate = { stage: 'Beta', default: true, locked: false }
  return {
    'feature-gates': {
      versions,
      onlyKubelet: { MadeUpOfKubelet: unknownMinor },
      gates: {
        MadeUpGate: [{ minors: unknownMinor, ...gate, needs: ['MadeUpNeed'] }],
        MadeUpNeed: [{ minors: unknownMinor, ...gate, refusedAlone: [false] }],
        MadeUpLocked: [{ minors: unknownMinor, stage: 'GA', default: true, locked: true }],
        MadeUpOfKubelet: [{ minors: unknownMinor, ...gate }],
        WindowsHostNetwork: [
          { minors: newestMinor, stage: 'Deprecated', default: false, locked: false },
        ],
        NodeLogQuery: [{ minors: both, stage: 'GA', default: true, locked: true }],
      },
    },
    'kubelet-config-fields': {
      versions,
      fields: {
        maxPods: [{ minors: both, type: 'int32', default: 200 }],
        madeUp: [{ minors: unknownMinor, type: 'object' }],
        'madeUp.period': [{ minors: unknownMinor, type: 'duration', default: '5s' }],
        featureGates: [{ minors: both, type: 'map of string to bool', default: null }],
      },
    },
    'kubelet-flags': {
      versions,
      flags: {
        'made-up': [{ minors: unknownMinor, type: 'bool', default: 'false' }],
        config: [{ minors: both, type: 'string', default: '' }],
      },
    },
    'kube-proxy-config-fields': {
      versions,
      fields: { madeUp: [{ minors: unknownMinor, type: 'string' }] },
    },
    'kube-proxy-flags': {
      versions,
      flags: { 'made-up': [{ minors: unknownMinor, type: 'bool', default: 'false' }] },
    },
  }
}

/** As Go's package flag prints flags. */
const help = `Usage of kube-log-runner:
  -made-up
    \tdoes nothing (default true)
  -made-up-file string
    \tsave nothing to this file
`

function importInto(out: string, given: Readonly<Record<string, JsonObject>>, minor: string) {
  const texts = Object.entries(given).map(
    ([name, answer]) => [`${name}.json`, JSON.stringify(answer)] as const,
  )
  for (const [name, text] of texts) writeFileSync(path.join(out, name), text)
  writeFileSync(path.join(out, 'kube-log-runner-help.txt'), help)
  const program = path.join(root, 'build/import-minor.mjs')
  const args = [program, minor, out, '--asked', today, '--out', out]
  return spawnSync(process.execPath, args, { encoding: 'utf8' })
}

t.test('the tables are as their importer writes them', async (t) => {
  t.equal(readFileSync(path.join(folder, 'schema.json'), 'utf8'), schemaText())
})

t.test('a minor from a folder answers for all that its programs know', async (t) => {
  const out = t.testdir({})
  cpSync(folder, out, { recursive: true })
  const { status, stderr } = importInto(out, answers(), unknownMinor)
  t.strictSame([status, stderr], [0, ''])

  const generated = path.join(out, 'minors.mjs')
  writeFileSync(generated, minorsModule(await readMinors(out)))
  const modules = await bundleSource(
    root,
    path.join(out, 'bundled'),
    {
      compile: 'src/compile.ts',
      fields: 'src/matrix/config-fields.ts',
      gates: 'src/matrix/feature-gates.ts',
    },
    { '#minors': generated, '#tables': path.join(root, 'dist/generated/tables.js') },
  )
  const { fieldIn, fieldOfMinors } = modules['fields'] as {
    readonly fieldIn: typeof FieldIn
    readonly fieldOfMinors: typeof FieldOfMinors
  }
  const { gateIn, needsIn } = modules['gates'] as {
    readonly gateIn: typeof GateIn
    readonly needsIn: typeof NeedsIn
  }
  const version = `${unknownMinor}.0`

  t.match(gateIn('MadeUpGate', version), { stage: 'Beta', needs: ['MadeUpNeed'] })
  t.match(gateIn('MadeUpOfKubelet', version), { only: 'kubelet' })
  t.equal(gateIn('WindowsHostNetwork', version), undefined)
  t.equal(gateIn('MadeUpGate', `${newestMinor}.1`), undefined)
  t.strictSame(needsIn(version), [{ gate: 'MadeUpGate', needs: ['MadeUpNeed'] }])

  t.strictSame(fieldIn('kubelet', 'maxPods', version), { type: 'int32', default: 200 })
  t.equal(fieldIn('kubelet', 'maxPods', `${newestMinor}.1`)?.default, 110)
  t.equal(fieldIn('kubelet', 'podsPerCore', version), undefined)
  t.match(fieldOfMinors('kubelet', 'podsPerCore'), { removed: unknownMinor })
  t.match(fieldOfMinors('kube-proxy', 'madeUp'), { added: unknownMinor })

  const read = readJudged(pathToFileURL(`${out}/`))
  for (const program of ['kubelet', 'kube-proxy', 'kube-log-runner'] as const) {
    const flags = tableOf(read, (minor) => minor[program]?.flags)
    t.equal(flags(version).has('made-up'), true, `${program} in ${unknownMinor}`)
    t.equal(flags(`${newestMinor}.1`).has('made-up'), false, `${program} in ${newestMinor}`)
  }

  const flags = read.find(({ minor }) => minor === unknownMinor)?.['kube-log-runner']?.flags
  t.strictSame(flags, {
    'made-up': { type: 'bool', help: 'does nothing', default: 'true' },
    'made-up-file': { type: 'string', help: 'save nothing to this file' },
  })
  const gates = tableOf(read, (minor) => minor.gates)
  t.match(gates(version).get('MadeUpGate'), { needs: ['MadeUpNeed'] })
  t.match(gates(version).get('MadeUpNeed'), { refusedAlone: [false] })
  for (const program of ['kubelet', 'kube-proxy'] as const)
    t.ok(tableOf(read, (minor) => minor[program].fields)(version).has('madeUp'), program)

  const compile = modules['compile']?.['compile'] as typeof Compile
  const { layers, name } = loadProfile({ profile: 'ws2022-flannel-overlay', root, cwd: root })
  const told = (kubernetes: string, patch: JsonObject) => {
    const over = [layerOf({ kubernetes: { version: kubernetes } }), layerOf(patch)]
    const { findings } = compile([...layers, ...over], name, { today, allowNewer: true })
    return findings.map(({ id, path: at }) => `${id} ${at.join('.')}`)
  }
  const kubelet = (settings: JsonObject): JsonObject => ({ kubelet: settings })
  const rows: readonly (readonly [patch: JsonObject, finding: string])[] = [
    [
      kubelet({ featureGates: { MadeUpNeed: false } }),
      'kubelet-gate-lacks-others kubelet.featureGates.MadeUpNeed',
    ],
    [
      kubelet({ featureGates: { MadeUpLocked: false } }),
      'kubelet-gate-locked kubelet.featureGates.MadeUpLocked',
    ],
    [
      kubelet({ featureGates: { WindowsHostNetwork: false } }),
      'kubelet-gate-unknown kubelet.featureGates.WindowsHostNetwork',
    ],
    [kubelet({ config: { podsPerCore: 1 } }), 'kubelet-field-unknown kubelet.config.podsPerCore'],
    [
      kubelet({ config: { madeUp: { period: 'soon' } } }),
      'kubelet-setting-mistyped kubelet.config.madeUp.period',
    ],
    [
      { kubeProxy: { featureGates: { MadeUpOfKubelet: true } } },
      'kube-proxy-gate-unknown kubeProxy.featureGates.MadeUpOfKubelet',
    ],
  ]
  for (const [patch, finding] of rows) t.ok(told(version, patch).includes(finding), finding)
  const right = told(version, kubelet({ config: { madeUp: { period: '7s' } } }))
  t.notOk(
    right.some((finding) => finding.includes('madeUp')),
    'a field of the new minor',
  )
  const early = told(`${newestMinor}.1`, kubelet({ config: { madeUp: { period: '7s' } } }))
  t.ok(early.includes('kubelet-field-unknown kubelet.config.madeUp'), 'and of it alone')
})

t.test('answers that are none are refused with their place', async (t) => {
  const out = t.testdir({})
  const wrong = answers()
  const gates = { MadeUpGate: [{ minors: unknownMinor, stage: 'Gamma', default: true }] }
  const rows: readonly (readonly [given: Record<string, JsonObject>, minor: string, RegExp])[] = [
    [
      { ...wrong, 'feature-gates': { ...wrong['feature-gates'], gates } },
      unknownMinor,
      /gates\.MadeUpGate\.stage: .*Gamma/,
    ],
    [wrong, '1.99', /feature-gates\.json: versions: no build of 1\.99/],
    [
      {
        ...wrong,
        'kubelet-flags': { versions: { [unknownMinor]: `${unknownMinor}.9` }, flags: {} },
      },
      unknownMinor,
      /kubelet-flags\.json: is of .*\.9, expected .*\.0/,
    ],
  ]
  for (const [given, minor, message] of rows) {
    const { status, stderr } = importInto(out, given, minor)
    t.equal(status, 1)
    t.match(stderr, message)
  }
})
