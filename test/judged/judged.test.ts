// What winnode says of settings, beside what the programs themselves said of them.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { t } from 'tap'
import {
  isAddressAndPort,
  isPortRange,
  isSloppyCidr,
} from '../../src/rules/settings/address-forms.ts'
import { constraintsOf } from '../../src/matrix/constraints.ts'
import { parseDuration } from '../../src/go/duration.ts'
import { parseQuantity } from '../../src/go/quantity.ts'
import { normalisedImage, parseImage } from '../../src/go/image-reference.ts'
import { unnoticedShifts } from './bounds.ts'
import { judgedFiles, unexpressed } from './files.ts'
import { lineOf, runFile } from './run.ts'
import { judgedPage } from '../docs/judged.ts'
import { checkedIn } from '../tools/checked-in.ts'
import { everything } from '../tools/everything.ts'
import { root } from '../tools/run.ts'

/** Every case takes a while: a part of them is enough for each change. */
const all = everything || t.writeSnapshot
const step = 12

const ran = Object.entries(judgedFiles).map(([name, file]) =>
  runFile(name, file, (at) => all || at % step === 0),
)

for (const run of ran)
  t.test(`${run.name}: winnode agrees with the program`, async (t) => {
    const { name, cases, expressed, differ, file } = run
    const { exceptions } = file
    const open = differ.filter(({ id }) => !Object.hasOwn(exceptions, id))
    t.strictSame(open.map(lineOf), [])
    t.comment(`${name}: ${cases} cases, ${expressed.length} expressed, ${open.length} differ`)
    t.ok(
      Object.keys(exceptions).length <= expressed.length * 0.03 || !all,
      'at most 3 in 100 are exceptions',
    )
    if (!all) return
    const met = differ.map(({ id }) => id)
    t.strictSame(
      Object.keys(exceptions).filter((id) => !met.includes(id)),
      [],
      'each exception is one',
    )
    t.ok(!file.half || expressed.length * 2 >= cases, 'at least half of them are expressed')
  })

/** The lines of the page that a part of the cases makes, too. */
function withoutCounts(page: string): readonly string[] {
  const rows = Object.keys(unexpressed).map((name) => `| \`${name}\` `)
  return page
    .split('\n')
    .filter((line) => line.startsWith('- ') || rows.some((row) => line.startsWith(row)))
    .map((line) => line.replace(/ +/g, ' '))
}

t.test('the page says how many agree', async (t) => {
  if (all) checkedIn(t, 'docs/judged.md', judgedPage(ran))
  else {
    const written = readFileSync(join(root, 'docs/judged.md'), 'utf8')
    t.strictSame(withoutCounts(written), withoutCounts(judgedPage(ran)), 'npm run golden makes it')
  }
})

const digits = (most: number) => fc.integer({ min: 0, max: most })
const check = <Values extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Values>) => {
  fc.assert(property, { numRuns: 200 })
}

t.test('durations are read as in Go', async (t) => {
  const sizes = { ns: 1, us: 1e3, µs: 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9 } as const
  const unit = fc.constantFrom(...(Object.keys(sizes) as (keyof typeof sizes)[]))
  const parts = fc.array(fc.tuple(digits(999), unit), { minLength: 1, maxLength: 4 })
  check(
    fc.property(parts, fc.constantFrom('', '+', '-'), (list, sign) => {
      const text = sign + list.map(([count, name]) => `${count}${name}`).join('')
      const sum = list.reduce((so, [count, name]) => so + count * sizes[name], 0)
      t.equal(Math.abs(parseDuration(text) ?? NaN), sum, text)
      t.equal((parseDuration(text) ?? 0) < 0, sign === '-' && sum > 0, text)
    }),
  )
  check(
    fc.property(fc.integer({ min: 1, max: 99 }), (count) => {
      for (const text of [`${count}`, `${count} s`, `${count}d`, `PT${count}S`, ` ${count}s`])
        t.equal(parseDuration(text), undefined, text)
      t.equal(parseDuration(`.${count}s`), parseDuration(`0.${count}s`))
    }),
  )
  t.equal(parseDuration('0'), 0)
  t.equal(parseDuration('1h30m'), 5400e9)
})

t.test('quantities are read as in Kubernetes', async (t) => {
  const suffix = fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'Gi', 'e3', 'E-2')
  check(
    fc.property(
      digits(1e9),
      digits(999),
      suffix,
      fc.constantFrom('', '+', '-'),
      (a, b, end, sign) => {
        const quantity = parseQuantity(`${sign}00${a}.${b}${end}`)
        t.equal(quantity?.zero, a === 0 && b === 0)
        t.equal(quantity?.negative, sign === '-' && (a > 0 || b > 0))
        for (const wrong of ['K', 'mi', 'GiB', 'GB', ' Mi', '%'])
          t.equal(parseQuantity(`${a}${wrong}`), undefined, wrong)
      },
    ),
  )
  t.ok(parseQuantity('1e3') && parseQuantity('128Mi') && parseQuantity('1E') && parseQuantity('.5'))
})

t.test('networks, ports and their ranges are read as in Go', async (t) => {
  const octet = digits(255)
  const four = fc.tuple(octet, octet, octet, octet)
  check(
    fc.property(four, digits(40), digits(140), digits(70_000), (parts, short, long, port) => {
      const address = parts.join('.')
      const padded = parts.map((part) => `${part}`.padStart(3, '0')).join('.')
      for (const text of [address, padded])
        t.equal(isSloppyCidr(`${text}/${short}`), short <= 32, `${text}/${short}`)
      for (const text of [`::ffff:${address}`, 'fd00::1'])
        t.equal(isSloppyCidr(`${text}/${long}`), long <= 128, `${text}/${long}`)
      const real = port >= 1 && port <= 65_535
      for (const host of [address, padded, '[fd00::1]', `[::ffff:${address}]`])
        t.equal(isAddressAndPort(`${host}:${port}`), real, `${host}:${port}`)
      t.equal(isAddressAndPort(`localhost:${port}`), false)
      t.equal(isPortRange(`${port}-${long}`), port <= long)
      t.equal(isPortRange(`${port}+${long}`), port + long <= 65_535)
    }),
  )
  for (const text of ['', '::', '10.0.0.1']) t.ok(isAddressAndPort(text), text)
  for (const text of ['10.0.0.1:', '[fd00::1', 'fd00::1:x', ':1', '10.0.0.1:http'])
    t.notOk(isAddressAndPort(text), text)
})

t.test('the normal form of an image is its own', async (t) => {
  const word = fc.stringMatching(/^[a-z0-9]{1,8}$/)
  const registry = fc.constantFrom(
    '',
    'docker.io/',
    'index.docker.io/',
    'a.b:5000/',
    'localhost/',
    'X/',
    '[fd00::1]/',
  )
  const end = fc.constantFrom('', ':1', `@sha256:${'a'.repeat(64)}`, `:1@sha512:${'b'.repeat(128)}`)
  check(
    fc.property(
      registry,
      fc.array(word, { minLength: 1, maxLength: 3 }),
      end,
      (host, path, last) => {
        const image = parseImage(`${host}${path.join('/')}${last}`)
        const normal = image && normalisedImage(image)
        const again = parseImage(normal ?? '')
        t.equal(again && normalisedImage(again), normal)
        t.match(normal, /^(?:docker\.io\/.+\/|a\.b:5000\/|localhost\/|X\/|\[fd00::1\]\/)/)
      },
    ),
  )
})

t.test('each constraint has a field and a place upstream', async (t) => {
  for (const program of ['kubelet', 'kube-proxy'] as const) {
    const rows = constraintsOf(program)
    t.ok(rows.length > 20)
    for (const { path, see } of rows) t.match(see, /^https:\/\/github\.com\//, path)
  }
})

t.test('each bound of a constraint is held by a turn', async (t) => {
  t.strictSame(unnoticedShifts(), [])
})
