// Antrea's configuration: the agents' recorded answers for each setting, and what winnode writes and finds in a cluster.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { parse } from 'yaml'
import { linux } from '../../src/cni/antrea/linux.ts'
import { compile } from '../../src/compile.ts'
import { isList, isObject, type Json, type JsonObject, valueAt } from '../../src/model/json.ts'
import { layerOf, today } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

const { cases } = JSON.parse(
  readFileSync(path.join(root, 'test/upstream/verdicts/antrea-agent-conf.json'), 'utf8'),
) as { cases: readonly JsonObject[] }

interface Case {
  readonly id: string
  readonly conf: JsonObject
  readonly verdicts: readonly string[]
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Cases that give the file as text, one setting beside proxyAll. */
const texts: readonly Case[] = cases.flatMap((one) => {
  const text = valueAt(one, ['input', 'text'])
  if (typeof text !== 'string') return []
  try {
    const conf: unknown = parse(text, { uniqueKeys: false })
    const answers = one['answers']
    return isObject(conf) && isList(answers)
      ? [
          {
            id: textOf(one['id']),
            conf,
            verdicts: answers.map((each) => textOf(valueAt(each, ['verdict']))),
          },
        ]
      : []
  } catch {
    return []
  }
})

/** Settings of the cluster that `init --from-cluster` reads. */
const read = [
  'trafficEncapMode',
  'tunnelType',
  'tunnelPort',
  'trafficEncryptionMode',
  'enableBridgingMode',
  'snatFullyRandomPorts',
  'noSNAT',
]

t.test(
  'a cluster gets a note where the agents refuse its settings on Windows, and only there',
  (t) => {
    const known = texts.filter(({ conf }) => read.some((key) => Object.hasOwn(conf, key)))
    const ofRead = known.filter(({ conf }) =>
      Object.keys(conf).every((key) => key === 'antreaProxy' || read.includes(key)),
    )
    t.ok(ofRead.length >= 25, `${ofRead.length} cases`)
    for (const { id, conf, verdicts } of ofRead) {
      if (valueAt(conf, ['antreaProxy', 'enable']) === false) continue
      const { notes } = linux.read(conf, 'antrea-config')
      const refused = verdicts.every((verdict) => verdict === 'refused')
      t.equal(
        notes.some((note) => !note.includes('the bundle is for encap')),
        refused,
        `${id}: ${notes.join('; ')}`,
      )
    }
    t.end()
  },
)

t.test('a word that every object of JavaScript has is no mode', (t) => {
  const { notes } = linux.read({ trafficEncapMode: 'constructor' }, 'antrea-config')
  t.strictSame(notes, ['trafficEncapMode is constructor; Antrea knows no such mode'])
  t.end()
})

const digest = `sha256:${'a'.repeat(64)}`

/** The file and the patch for a backend. */
function written(network: JsonObject): readonly [conf: JsonObject, patch: Json | undefined] {
  const { plan } = compile(
    [
      layerOf({
        windows: { release: 'ws2022' },
        network: {
          cni: 'antrea',
          mode: 'transparent',
          antrea: { ovsDriver: 'signed' },
          ...network,
        },
        join: { endpoint: '10.0.0.10:6443', caCertHashes: [digest] },
        host: { features: ['Containers', 'Hyper-V', 'Hyper-V-PowerShell'] },
      }),
    ],
    'antrea',
    { today },
  )
  const body = (id: string) => {
    const file = plan?.files.find((one) => one.id === id)
    return file?.body.kind === 'json' ? file.body.value : undefined
  }
  const conf = body('cluster-antrea-agent')
  return [isObject(conf) ? conf : {}, body('cluster-antrea-windows-config')]
}

t.test(
  'each setting of the file is one that the agents take, with the value that they have then',
  (t) => {
    const [conf, patch] = written({
      backend: 'stt',
      antrea: { ovsDriver: 'signed', tunnelPort: 8472 },
    })
    t.equal(
      valueAt(patch, ['data', 'antrea-agent.conf']),
      `${JSON.stringify(conf, undefined, 2)}\n`,
      'the patch has the whole file',
    )
    const effects: Readonly<Record<string, string>> = {
      trafficEncapMode: 'encap-mode-encap',
      tunnelType: 'tunnel-type-stt',
      tunnelPort: 'tunnel-port-of-its-own',
      antreaProxy: 'proxy-all',
      kubeAPIServerOverride: 'api-override-golden',
    }
    t.strictSame(Object.keys(conf), Object.keys(effects))
    for (const [key, value] of Object.entries(conf)) {
      const one = texts.find(({ id }) => id === effects[key])
      t.strictSame(one?.conf[key], value, key)
      t.ok(
        one?.verdicts.every((verdict) => verdict === 'accepted'),
        key,
      )
    }
    t.notOk(Object.hasOwn(written({})[0], 'tunnelPort'), 'the default of the tunnel type')
    t.end()
  },
)
