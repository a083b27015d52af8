// docs/node-problem-detector: the file is of the form that its loader accepts, for the log that containerd writes on the node.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import type { Json } from '../../src/model/json.ts'
import { compileBuiltin } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

const read = (name: string) => readFileSync(path.join(root, name), 'utf8')

interface Monitor {
  readonly pluginConfig: {
    readonly timestamp: string
    readonly message: string
    readonly timestampFormat: string
  }
  readonly logPath: string
  readonly rules: readonly {
    readonly type: string
    readonly reason: string
    readonly pattern: string
  }[]
}
const text = read('docs/node-problem-detector/containerd.json')
const ours = JSON.parse(text) as Monitor

interface Case {
  readonly id: string
  readonly input: { readonly text: string }
  readonly answers: readonly { readonly verdict: string }[]
}
const { cases } = JSON.parse(read('test/upstream/verdicts/node-problem-detector.json')) as {
  readonly cases: readonly Case[]
}

/** Keys and types; for a list, the shapes of its items. */
function shapeOf(value: Json | undefined): unknown {
  if (Array.isArray(value)) return [...new Set(value.map((one) => JSON.stringify(shapeOf(one))))]
  if (typeof value !== 'object' || value === null) return typeof value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, shapeOf(inner)]),
  )
}

t.test('it has the keys and types of the file that the loader accepts', async (t) => {
  const golden = cases.find(({ id }) => id === 'log-golden')
  t.equal(golden?.answers[0]?.verdict, 'accepted')
  t.strictSame(
    shapeOf(JSON.parse(text) as Json),
    shapeOf(JSON.parse(golden?.input.text ?? '') as Json),
  )
  t.strictSame([...new Set(ours.rules.map(({ type }) => type))], ['temporary'])
  t.notMatch(text, /^\uFEFF/)
})

t.test('the log is the one of the containerd service', async (t) => {
  const { plan } = compileBuiltin('ws2022-flannel-overlay')
  t.ok(JSON.stringify(plan?.steps).includes(JSON.stringify(ours.logPath)))
})

t.test(
  'a line of containerd in any time zone is read, and each rule finds its message',
  async (t) => {
    const { timestamp, message, timestampFormat } = ours.pluginConfig
    // Go's layout of RFC 3339: Z or an offset. https://pkg.go.dev/time#RFC3339Nano
    t.equal(timestampFormat, '2006-01-02T15:04:05.999999999Z07:00')
    for (const [at, said, reason] of [
      [
        '2026-11-24T09:00:00.000000000+01:00',
        'failed to extract layer sha256:aa: archive/tar: invalid tar header',
        'CorruptContainerImageLayer',
      ],
      [
        '2026-11-24T08:00:00.000000000Z',
        'error unpacking image: wrong diff id calculated on extraction',
        'LayerDigestMismatch',
      ],
      [
        '2026-11-24T08:00:00.000000000Z',
        'Failed to unmarshall layerchain json - invalid character',
        'LayerChainBroken',
      ],
    ] as const) {
      const line = `time="${at}" level=error msg="${said}"`
      t.equal(new RegExp(timestamp).exec(line)?.[1], at)
      const found = new RegExp(message).exec(line)?.[1] ?? ''
      const reasons = ours.rules.filter(({ pattern }) => goPattern(pattern).test(found))
      t.strictSame(
        reasons.map((rule) => rule.reason),
        [reason],
      )
    }
  },
)

/** Of Go's flags, only `(?i)` at the start is used. */
function goPattern(pattern: string): RegExp {
  const insensitive = pattern.startsWith('(?i)')
  return new RegExp(insensitive ? pattern.slice(4) : pattern, insensitive ? 'i' : '')
}
