// The room `sizing`: quantities, the models against numbers of their owners, and a whole profile.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import type { NodeSpec } from '../../src/model/spec.ts'
import { evaluate } from '../../src/sizing/evaluate.ts'
import type { SizingModel } from '../../src/model/tables.ts'
import { findSizingModel, sizingModels } from '../../src/sizing/models.ts'
import { plainScreen } from '../../src/present/screen.ts'
import { compareModels } from '../../src/present/sizing.ts'
import { wrap } from '../../src/present/wrap.ts'
import {
  reserve as reserveBy,
  reservationsOf,
  thresholdsOf,
} from '../../src/sizing/reservations.ts'
import {
  bytes,
  formatMebibytes,
  formatMillicores,
  mebibytes,
  millicores,
  thresholdMebibytes,
} from '../../src/sizing/quantities.ts'
import { inProcess } from '../tools/run.ts'

const folder = new URL('./', import.meta.url)

/** Numbers of a row: the machine, then what is expected of it. */
type Row = readonly number[]
type Machine = readonly [cpu: number, memoryMiB: number, maxPods: number]

interface Worked {
  readonly model: string
  readonly evictionHard: Readonly<Record<string, string>>
  readonly rows: readonly Row[]
}

interface Published {
  readonly model: string
  readonly os: 'windows' | 'linux'
  readonly from: string
  readonly part: 'kube' | 'system'
  readonly rows: readonly Row[]
}

async function fixture<T>(name: string): Promise<readonly T[]> {
  const value: unknown = JSON.parse(await readFile(new URL(name, folder), 'utf8'))
  return value as readonly T[]
}

function modelOf(id: string): SizingModel {
  const found = findSizingModel(id)
  if (!found) throw new Error(`no model is called ${id}`)
  return found
}

function keep(id: string, row: Row) {
  const [cpu, memoryMiB, maxPods] = row as unknown as Machine
  return reserveBy(modelOf(id), sizeOfMachine(cpu, memoryMiB, maxPods))
}

function sizeOfMachine(cpu: number, memory: number, maxPods: number) {
  const capacity = { cpu: cpu * 1000, memory, ephemeralStorage: 0 }
  return { capacity, maxPods, kubelet: '1.36.5' }
}

t.test('every model gives what its owner worked out', async (t) => {
  for (const { model: id, evictionHard, rows } of await fixture<Worked>('worked.json')) {
    t.equal(rows.length, 18, id)
    for (const row of rows) {
      const [cpu = 0, memory = 0] = row
      const kept = keep(id, row)
      const name = `${id}: ${row.slice(0, 3).join(' CPU, ')}`
      t.strictSame(Object.values(kept.kube), row.slice(3, 6), `${name}, kube`)
      t.strictSame(Object.values(kept.system), row.slice(6, 9), `${name}, system`)
      t.strictSame(thresholdsOf(modelOf(id), '1.36.5'), evictionHard, `${name}, eviction`)
      t.strictSame(
        [
          cpu * 1000 - kept.kube.cpu - kept.system.cpu,
          Math.max(0, memory - kept.kube.memory - kept.system.memory - kept.eviction.memory),
        ],
        row.slice(9),
        `${name}, allocatable`,
      )
    }
  }
})

t.test('every model gives what is published of it', async (t) => {
  let count = 0
  for (const { model: id, os, from, part, rows } of await fixture<Published>('published.json')) {
    for (const row of rows) {
      const { cpu, memory, ephemeralStorage } = keep(id, row)[part]
      const forWindows = os === 'linux' ? (modelOf(id)[part].windowsMemory ?? 0) : 0
      const kept = [cpu, memory - forWindows, ephemeralStorage]
      t.strictSame(kept, row.slice(3), `${id}, ${from}: ${row.join()}`)
      count += 1
    }
  }
  t.equal(count, 41)
})

t.test('twelve models, each with a source and a rule for something', async (t) => {
  t.equal(sizingModels.length, 12)
  t.equal(new Set(sizingModels.map(({ id }) => id)).size, 12)
  for (const { id, see, checked, kube, system, note } of sizingModels) {
    t.match(see, /^https:\/\//, id)
    t.match(checked, /^\d{4}-\d\d-\d\d$/, id)
    t.match(note, /\.$/, id)
    t.ok(kube.memory ?? system.memory, `${id} keeps memory`)
  }
  t.equal(findSizingModel('nobody'), undefined)
})

t.test('before 1.31 the defaults of the kubelet keep less', async (t) => {
  const memory = (id: string, kubelet: string) =>
    thresholdsOf(modelOf(id), kubelet)['memory.available']
  t.equal(memory('eks', '1.30.14'), '100Mi')
  t.equal(memory('eks', '1.31.0'), '500Mi')
  t.equal(memory('winnode', '1.30.14'), '500Mi')
})

t.test('the floor of a tier takes its place', async (t) => {
  const rule = modelOf('gke').kube.memory
  if (!rule) return t.fail('gke keeps memory')
  t.equal(evaluate(rule, { total: 1023, maxPods: 110 }), 255)
  t.equal(evaluate(rule, { total: 1024, maxPods: 110 }), 256)
})

t.test('a fraction of a core is rounded down in each tier, or once', async (t) => {
  // 60 + 10 + 10 + 0.0025 × 56.5 cores: 141.25 as one sum.
  t.equal(keep('gke', [60.5, 2048, 110]).kube.cpu, 221)
  t.equal(keep('eks', [60.5, 2048, 110]).kube.cpu, 221)
  // 60 + 0.01 × 950 = 69.5, and 0 of the rest.
  t.equal(keep('eks', [1.95, 2048, 110]).kube.cpu, 69)
  t.equal(keep('gke-windows-approx', [1.95, 2048, 110]).kube.cpu, 105)
})

t.test(
  'what is kept never shrinks on a larger machine, the piece of OpenShift aside',
  async (t) => {
    const models = sizingModels.filter(({ id }) => id !== 'openshift')
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.integer({ min: 1, max: 256 }),
        fc.integer({ min: 512, max: 2 ** 21 }),
        fc.integer({ min: 1, max: 4096 }),
        (model, cpu, memoryMiB, more) => {
          const small = reserveBy(model, sizeOfMachine(cpu, memoryMiB, 110))
          const large = reserveBy(model, sizeOfMachine(cpu + 1, memoryMiB + more, 110))
          return (
            small.kube.cpu <= large.kube.cpu &&
            small.system.cpu <= large.system.cpu &&
            small.kube.memory <= large.kube.memory &&
            small.system.memory <= large.system.memory
          )
        },
      ),
    )
    t.pass('for any machine')
  },
)

t.test('quantities', async (t) => {
  const readings: readonly (readonly [text: string, mebibytes: number, millicores: number])[] = [
    ['0', 0, 0],
    ['1', 0, 1000],
    ['500m', 0, 500],
    ['0.1', 0, 100],
    ['1.5', 0, 1500],
    ['2Gi', 2048, 2_147_483_648_000],
    ['2048Mi', 2048, 2_147_483_648_000],
    ['1.5Gi', 1536, 1_610_612_736_000],
    ['512Ki', 0, 524_288_000],
    ['1G', 953, 1_000_000_000_000],
    ['100M', 95, 100_000_000_000],
    ['1e9', 953, 1_000_000_000_000],
    ['1E9', 953, 1_000_000_000_000],
    ['12e-1', 0, 1200],
    ['.5', 0, 500],
    ['+1', 0, 1000],
    // parseQuantityString takes them for zero.
    ['.', 0, 0],
    ['+', 0, 0],
  ]
  for (const [text, memory, cpu] of readings) {
    t.equal(mebibytes(text, 'down'), memory, `${text} of memory`)
    t.equal(millicores(text, 'down'), cpu, `${text} of CPU`)
  }
  t.equal(millicores('1u', 'down'), 0)
  t.equal(millicores('1u', 'up'), 1, 'as Kubernetes rounds')
  t.equal(millicores('1n', 'up'), 1)
  t.equal(mebibytes('1G', 'up'), 954)
  t.equal(bytes('8Ei', 'down'), 2n ** 63n, 'beyond what a double holds')
  t.equal(bytes('1.1Ki', 'up'), 1127n)
  t.equal(bytes('1e999999999', 'up'), undefined, 'and soon')
  for (const text of ['', 'x', '1 Gi', '-1', '1gi', '1Zi', '1KiB', '1ni', '0x10', '1e'])
    t.equal(mebibytes(text, 'down'), undefined, `'${text}' is no quantity`)
})

t.test('a quantity is what it is written as', async (t) => {
  fc.assert(
    fc.property(fc.nat(), (amount) => {
      return (
        mebibytes(formatMebibytes(amount), 'up') === amount &&
        millicores(formatMillicores(amount), 'up') === amount
      )
    }),
  )
  t.pass('for any amount')
})

t.test('thresholds', async (t) => {
  t.equal(thresholdMebibytes('500Mi', 16384), 500)
  t.equal(thresholdMebibytes('500M', 16384), 477, 'rounded up')
  t.equal(thresholdMebibytes('10%', 102_400), 10_240)
  t.equal(thresholdMebibytes('7.5%', 1000), 75)
  t.equal(thresholdMebibytes('0.1%', 1999), 1)
  t.equal(thresholdMebibytes('99%', 1000), 990)
  for (const off of ['0%', '100%']) t.equal(thresholdMebibytes(off, 1000), 0, off)
  for (const none of ['15 %', '-1%', '101%'])
    t.equal(thresholdMebibytes(none, 1000), undefined, none)
  t.equal(thresholdMebibytes('lots', 1000), undefined)
})

interface Choices {
  readonly cpu?: number
  readonly memory?: string
  readonly disk?: string
  readonly maxPods?: number
  readonly reserve?: Partial<NodeSpec['reserve']>
}

/** As much of a spec as reservations read. */
function specOf({ cpu = 4, memory = '16Gi', disk = '100Gi', maxPods = 60, reserve }: Choices) {
  const spec = {
    kubernetes: { version: '1.37.1' },
    kubelet: { maxPods },
    machine: { cpu, memory, disk },
    reserve: {
      model: 'winnode',
      kube: {},
      system: {},
      evictionHard: { 'memory.available': '500Mi', 'nodefs.available': '10%' },
      ...reserve,
    },
  }
  return spec as unknown as NodeSpec
}

t.test('a profile that leaves everything open', async (t) => {
  t.strictSame(reservationsOf(specOf({})), {
    model: 'winnode',
    capacity: { cpu: 4000, memory: 16_384, ephemeralStorage: 102_400 },
    kube: { cpu: 80, memory: 915, ephemeralStorage: 1024 },
    system: { cpu: 200, memory: 2048, ephemeralStorage: 1024 },
    eviction: { cpu: 0, memory: 500, ephemeralStorage: 10_240 },
    allocatable: { cpu: 3720, memory: 12_921, ephemeralStorage: 90_112 },
  })
  t.equal(reservationsOf(specOf({ cpu: 5 })).system.cpu, 500, 'more for a larger machine')
})

t.test('an amount of the profile wins over the model, alone', async (t) => {
  const reserve = { kube: { memory: '1Gi' }, system: { cpu: '0.5' } }
  const { kube, system } = reservationsOf(specOf({ reserve }))
  t.strictSame(kube, { cpu: 80, memory: 1024, ephemeralStorage: 1024 })
  t.strictSame(system, { cpu: 500, memory: 2048, ephemeralStorage: 1024 })
})

t.test('too much kept shows as less than nothing', async (t) => {
  t.equal(reservationsOf(specOf({ memory: '2Gi' })).allocatable.memory, -1415)
})

t.test('without thresholds the model has its own; what cannot be read keeps nothing', async (t) => {
  const eviction = (evictionHard: Readonly<Record<string, string>>, model = 'winnode') =>
    reservationsOf(specOf({ reserve: { evictionHard, model } })).eviction
  t.equal(eviction({}).memory, 500)
  t.equal(eviction({}, 'aks-pre-1.29').memory, 750)
  t.equal(eviction({ 'nodefs.available': '5%' }).memory, 0, 'naming one turns the others off')
  t.equal(eviction({ 'memory.available': 'lots' }).memory, 0)
  t.equal(reservationsOf(specOf({ memory: 'lots' })).capacity.memory, 0)
})

t.test('an unknown model counts as winnode', async (t) => {
  t.equal(reservationsOf(specOf({ reserve: { model: 'nobody' } })).model, 'winnode')
})

t.test('winnode sizing gives what every model’s owner worked out', async (t) => {
  const worked = await fixture<Worked>('worked.json')
  const machines = worked[0]?.rows.map(([cpu, memory, pods]) => [cpu, memory, pods]) ?? []
  for (const [index, [cpu, memory, pods]] of machines.entries()) {
    const machine = `--cpu ${cpu} --memory ${memory}Mi --max-pods ${pods}`
    const { models } = JSON.parse((await sizing(`${machine} --json`)).stdout)
    t.equal(models.length, 12)
    for (const { id, kube, system, pods: left } of models) {
      // The twelfth is winnode's, with no published example.
      if (id === 'winnode') continue
      const row = worked.find(({ model }) => model === id)?.rows[index] ?? []
      const kept = [kube.cpuMillicores, kube.memoryMiB, system.cpuMillicores, system.memoryMiB]
      const name = `${id}: ${machine}`
      t.strictSame(kept, [row[3], row[4], row[6], row[7]], name)
      t.strictSame([left.cpuMillicores, Math.max(0, left.memoryMiB)], row.slice(9), `${name}, left`)
    }
  }
})

t.test('the models side by side', async (t) => {
  const { code, stdout, stderr } = await sizing('--cpu 8 --memory 32Gi --max-pods 110')
  t.match({ code, stderr }, { code: 0, stderr: '' })
  t.match(stdout, /^8 CPU, 32Gi, at most 110 pods, kubelet 1\.\d+\.\d+\n\n {2}MODEL {2}/)
  t.match(stdout, /^\* winnode {2,}590m {2,}3513Mi {2,}500Mi {2,}7410m {2,}28755Mi {2,}1$/m)
  t.match(stdout, /^ {2}openshift-wmco {2,}500m {2,}2048Mi {2,}0Mi {2,}7500m {2,}30720Mi {2,}10$/m)
  t.match(stdout, /^\* {2}The default of reserve\.model\. It reserves 2Gi/m)
  t.match(stdout, /^9 {2}Made for Linux nodes/m)
  const marked = stdout.split('\n').filter((line) => line.startsWith('* '))
  t.equal(marked.length, 2, 'one model is the default, and one sentence says why')
  const machine = {
    capacity: { cpu: 8000, memory: 32_768, ephemeralStorage: 0 },
    maxPods: 110,
    kubelet: '1.37.1',
  }
  const wide = compareModels(machine, { ...plainScreen, columns: 80 })
  const long = wide.split('\n').filter((line) => line.length > 80)
  t.strictSame(long, [], 'it fits 80 columns')
  t.match(
    compareModels(machine, { ...plainScreen, columns: 40 }),
    /^8 CPU, 32Gi, at most 110 pods, kubelet\n1\.37\.1\n\n/,
    'nor more where there are fewer',
  )
  const small = await sizing('--cpu 1 --memory 1Gi')
  t.match(small.stdout, /at most 110 pods/, 'as many as a kubelet takes by default')
  t.match(small.stdout, /^\* winnode .* none {2,}1$/m, 'nothing is left')
})

t.test('what a profile reserves, with the source', async (t) => {
  const site = 'apiVersion: winnode/v1\nkind: NodeProfile\nreserve:\n  system: {memory: 3Gi}\n'
  const layer = path.join(t.testdir({ 'site.yaml': site }), 'site.yaml')
  const profile = '--profile ws2022-flannel-overlay --set machine.cpu=8'
  const { code, stdout } = await sizing(`${profile} --layer ${layer}`)
  t.equal(code, 0)
  const said = [
    /^8 CPU, 16Gi, at most \d+ pods, kubelet \S+, model winnode\n/,
    /^- systemReserved {2,}500m {2,}3072Mi {2,}1024Mi$/m,
    /^= allocatable {2,}7410m /m,
    /^machine\.cpu {2,}8 {2,}--set machine\.cpu/m,
    /^machine\.disk {2,}100Gi {2,}default$/m,
    /^reserve\.system\.memory {2,}3Gi {2,}\S*site\.yaml:4$/m,
    /^reserve\.system\.cpu {2,}500m {2,}model winnode$/m,
    /^reserve\.evictionHard\."nodefs\.available" {2,}10% {2,}decided$/m,
  ]
  for (const line of said) t.match(stdout, line)
  const { values, pods } = JSON.parse((await sizing(`${profile} --json`)).stdout)
  t.match(pods, { cpuMillicores: 7410, diskMiB: 90_112 })
  t.match(values[1], { path: 'machine.cpu', value: 8, origin: /^--set machine\.cpu/ })

  const refused = await sizing('--profile ws2022-flannel-overlay --set machine.memory=1Gi')
  t.match(refused, {
    code: 3,
    stderr: /nothing-left-for-pods/,
    stdout: /^= allocatable .* -\d+Mi/m,
  })
})

t.test('a command line that cannot be meant', async (t) => {
  const rows: readonly (readonly [said: string, error: RegExp])[] = [
    ['', /^error: missing flags: --cpu and --memory, or --profile\n {2}see: /],
    ['--cpu 8', /^error: missing flags: --cpu and --memory, or --profile\n/],
    ['--cpu eight --memory 1Gi', /^error: --cpu: expected a whole number but received: eight\n/],
    ['--cpu 0 --memory 1Gi', /--cpu: expected a whole number greater than or equal to 1 /],
    ['--cpu 2 --memory lots', /--memory: "lots" is not an amount of memory such as 32Gi\n/],
    ['--cpu 2 --memory 0', /--memory: "0" is not an amount of memory/],
    ['--cpu 2 --memory 5Pi', /--memory: "5Pi" is not an amount of memory/],
    ['--cpu 2 --memory 1Gi --max-pods 1001', /--max-pods: expected a whole number less than /],
    ['--cup 2 --memory 1Gi', /unknown flag: --cup\n {2}did you mean --cpu\?\n/],
    ...['--set reserve.model=aks', '--root .', '--allow-newer'].map(
      (flag) =>
        [
          `--cpu 2 --memory 1Gi ${flag}`,
          /--set, --root and --allow-newer go with --profile\n/,
        ] as const,
    ),
    ['--profile base --max-pods 30', /--max-pods and --profile do not go together/],
    [
      '--profile ws2022-flanel-overlay',
      /: no such file or built-in profile\n {2}did you mean ws2022-flannel-overlay\?/,
    ],
  ]
  for (const [said, error] of rows) {
    const outcome = await sizing(said)
    t.match(outcome, { code: 2, stdout: '', stderr: error }, said === '' ? 'nothing' : said)
  }
})

t.test('long lines are wrapped', async (t) => {
  t.equal(wrap('1  ', 'short.', 80), '1  short.\n')
  t.equal(wrap('1  ', '', 80), '1  \n')
  const words = Array.from({ length: 40 }, () => 'four').join(' ')
  const lines = wrap('12 ', words, 80).trimEnd().split('\n')
  t.ok(lines.every((line) => line.length <= 80))
  t.strictSame(
    lines.map((line) => line.slice(0, 3)),
    ['12 ', '   ', '   '],
  )
  t.equal(lines.map((line) => line.slice(3)).join(' '), words, 'and no word is lost')
  t.equal(wrap('', 'x'.repeat(90), 80), `${'x'.repeat(90)}\n`, 'a word is never cut')
})

function sizing(said: string) {
  return inProcess(['sizing', ...said.split(' ').filter((word) => word !== '')])
}
