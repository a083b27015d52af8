// winnode drift, field by field: what its change needs of a node, and that each edit is reported once and named right.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { profileFieldOf } from '../../src/drift/purpose.ts'
import { artifactSources } from '../../src/matrix/artifact-sources.ts'
import { type Json, type JsonObject, valueAt } from '../../src/model/json.ts'
import { largestNeed, type Need } from '../../src/model/need.ts'
import { isWithin, parsePath, type Path } from '../../src/model/path.ts'
import type { StepFields } from '../../src/model/step.ts'
import { fields } from '../../src/profile/catalogue.ts'
import { fieldNeed } from '../../src/profile/field-needs.ts'
import { checkFields, stepFields } from '../../src/steps/fields.ts'
import { compileBuiltin, requiredFieldsOf, renderCompiled } from '../tools/bundle.ts'
import { changesOf } from './change.ts'
import { inProcess, root } from '../tools/run.ts'
import { scratch, profile, rendered } from './asking.ts'
import { everything } from '../tools/everything.ts'
import {
  changed,
  type Edit,
  editsOf,
  leavesOf,
  lineEditsOf,
  objectEditsOf,
  other,
  type Steps,
} from './field-edits.ts'

const bases = [
  'ws2022-flannel-overlay',
  'ws2022-flannel-l2bridge',
  'ws2022-antrea',
  'ws2022-calico',
  'ws2022-calico-bgp',
  'ws2022-none',
]

/** What the bundles before and after a change of one field need; `undefined` where it is refused. */
async function needOf(base: string, field: Path, value: Json): Promise<Need | undefined> {
  const patch = field.reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject
  const before = compileBuiltin(base, requiredFieldsOf(base))
  const after = compileBuiltin(base, requiredFieldsOf(base), patch)
  if (!after.plan) return undefined
  const files = [await renderCompiled(before), await renderCompiled(after)] as const
  return largestNeed((await changesOf(...files, after.plan)).flatMap(({ need }) => need ?? []))
}

const changes: readonly [field: string, value: Json, need: Need][] = [
  ['summary', 'Another sentence.', 'nothing'],
  ['kubernetes.version', '1.36.0', 'install'],
  ['kubelet.maxPods', 60, 'install'],
  ['network.clusterDNS', ['10.96.0.11'], 'install'],
  ['host.pageFileMiB', 4096, 'restart'],
  ['windows.revision', 4297, 'restart'],
  ['host.tls', 'strict', 'restart'],
  // Install asks for no restart after these values of the registry.
  ['host.windowsUpdate', 'unmanaged', 'install'],
  ['host.processDumps', 'D:\\dumps', 'install'],
  ['kubelet.taints', [], 'join'],
  ['kubelet.labels', { 'example.com/pool': 'web' }, 'join'],
  ['network.flannel.vni', 5000, 'join'],
  ['windows.release', 'ws2025', 'machine'],
]

t.test('a change needs what its field declares', async (t) => {
  for (const [name, value, need] of changes) {
    const field = parsePath(name) ?? []
    t.equal(fieldNeed(field), need, `the table has ${name}`)
    t.equal(await needOf(profile, field, value), need, `a bundle shows ${name}`)
  }
})

t.test('every field declares what its change needs', async (t) => {
  const known = fields.filter(({ group }) => !group)
  for (const { path: field, required, example, fallback } of known) {
    if (required) continue
    const name = field.join('.')
    const said = fieldNeed(field)
    t.ok(said, `${name} says it`)
    for (const base of everything ? bases : []) {
      const shown = await needOf(base, field, example ?? fallback ?? null)
      const most = largestNeed([shown ?? 'nothing', said ?? 'nothing'])
      t.equal(most, said, `${base} needs no more for ${name}: ${shown ?? 'it is refused'}`)
    }
  }
  const rows = [stepFields, checkFields].flatMap((table) => Object.values(table))
  const named = rows.flatMap((row) => (typeof row === 'string' ? [row] : Object.values(row)))
  for (const base of bases)
    for (const { settings = {} } of compileBuiltin(base, requiredFieldsOf(base)).plan?.files ?? [])
      named.push(...Object.values(settings).flatMap((setting) => setting.field ?? []))
  t.ok(named.length > 60, `${named.length} are named`)
  for (const name of named) {
    const free = /^(kubelet|kubeProxy)\.config\./.test(name)
    const at = parsePath(name) ?? []
    t.ok(free || fields.some(({ path: one }) => isWithin(one, at) || isWithin(at, one)), name)
  }
})

t.test('each row of fields is of a step or a check that some node has', async (t) => {
  const patches: readonly JsonObject[] = [
    {},
    {
      windows: { revision: 4297 },
      host: { pageFileMiB: 4096, timeServers: ['time.example.com'], encryption: 'check' },
    },
    {
      host: {
        processDumps: 'C:\\dumps',
        tls: 'strict',
        vmwareExcludeNics: '',
        expandSystemVolume: true,
      },
      network: { external: true },
      cluster: { windowsExporter: { enabled: true } },
    },
    // Of Antrea: the rules refuse it elsewhere.
    { network: { backend: 'stt' } },
  ]
  const plans = bases.flatMap((base) =>
    patches.flatMap((patch) => compileBuiltin(base, requiredFieldsOf(base), patch).plan ?? []),
  )
  const missing = (table: StepFields, ids: readonly string[]) =>
    Object.keys(table).filter(
      (key) => !ids.some((id) => id === key || (key.endsWith('-') && id.startsWith(key))),
    )
  const steps = plans.flatMap((plan) => plan.steps.map(({ id }) => id))
  const downloads = artifactSources.flatMap(({ id }) => [`download-${id}`, `archive-${id}`])
  t.strictSame(missing(stepFields, [...steps, ...downloads]), [])
  t.strictSame(
    missing(
      checkFields,
      plans.flatMap((plan) => plan.preflight.map(({ id }) => id)),
    ),
    [],
  )
  const versioned = plans
    .flatMap((plan) => plan.steps)
    .filter(({ kind }) => kind === 'download' || kind === 'archive')
  t.strictSame(
    [...new Set(versioned.map(({ id }) => id))].filter((id) => !Object.hasOwn(stepFields, id)),
    ['archive-nssm', 'download-hns-module'],
    'each other download has the field with its version',
  )
  const fieldAt = (...at: readonly string[]) =>
    profileFieldOf('node.json', undefined, { path: at, steps: at })?.join('.')
  t.equal(fieldAt('steps', 'archive-containerd', 'url'), 'containerd.version')
  t.equal(fieldAt('steps', 'feature-hyper-v'), 'host.features')
  t.equal(fieldAt('steps', 'firewall-vxlan', 'from', '0'), 'host.firewall.networkFrom')
  t.equal(fieldAt('steps', 'firewall-kubelet', 'ports'), undefined)
  t.equal(fieldAt('preflight', 'revision-not-1', 'with'), 'windows.revision')
})

t.test('render --diff prints what the change needs', async (t) => {
  const change = ['render', profile, '--out', rendered, '--diff', '--set', 'kubelet.taints=[]']
  const { stderr } = await inProcess(change)
  t.match(stderr, /on an installed node this needs Reset-WinNode\.ps1, /)
  const needs = async (...argv: readonly string[]) =>
    (JSON.parse((await inProcess([...argv, '--json'])).stdout) as { need: unknown }).need
  t.equal(await needs(...change), 'join')
  t.equal(await needs(...change.slice(0, -2)), 'nothing')
  t.equal(await needs('render', profile, '--out', path.join(scratch, 'new'), '--diff'), null)
})

const goldens = readdirSync(path.join(root, 'test/golden'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** What is said of the files of a bundle with these texts. */
async function toldOf(bundle: Bundle, texts: Readonly<Record<string, string>>) {
  const encoder = new TextEncoder()
  const held = bundle.files
    .filter(({ path: name }) => name in texts || name === 'node.json')
    .map((file) => {
      const text = texts[file.path]
      return text === undefined ? file : { path: file.path, content: encoder.encode(text) }
    })
  const names = new Set(held.map(({ path: name }) => name))
  const today = bundle.files.filter(({ path: name }) => names.has(name))
  return changesOf(held, today, bundle.plan)
}

async function bundleOf(golden: string) {
  const compiled = compileBuiltin(`test/golden/${golden}/profile.yaml`)
  const files = await renderCompiled(compiled)
  if (!compiled.plan) throw new Error(`${golden} is refused`)
  return { files, plan: compiled.plan }
}

type Bundle = Awaited<ReturnType<typeof bundleOf>>

/** How the fields of a file are changed; prose and programs have none. */
const edits: readonly (readonly [file: RegExp, of: (text: string) => Iterable<Edit>])[] = [
  [/^files\/.*\.(json|conflist)$|^node\.json$/, (text) => editsOf(JSON.parse(text) as JsonObject)],
  [/^cluster\/.*\.yaml$/, objectEditsOf],
  [/config\.toml$/, lineEditsOf],
]

function* allEdits({ files }: Bundle): Generator<Edit & { readonly name: string }> {
  for (const { path: name, content } of files) {
    const of = edits.find(([file]) => file.test(name))?.[1]
    const text = new TextDecoder().decode(content)
    for (const edit of of?.(text) ?? []) yield { ...edit, name }
  }
}

t.test('one changed field is one difference, named right', async (t) => {
  for (const golden of everything ? goldens : goldens.slice(0, 1)) {
    const bundle = await bundleOf(golden)
    let count = 0
    for (const { name, what, at, text, breaks } of allEdits(bundle)) {
      count += 1
      // node.json is large, and many of its fields are alike.
      const every = (everything ? 1 : 11) * (name === 'node.json' ? 23 : 1)
      if (count % every > 0) continue
      const drifts = await toldOf(bundle, { [name]: text })
      const subjects = drifts.map(({ subject }) => subject)
      const label = `${golden} ${name} ${at.join('.')} ${what}: ${subjects.join(' ')}`
      // An item of a list that is known by its name is another one with another name.
      t.ok(drifts.length >= 1 && drifts.length <= 2, label)
      // Without its digest, the origin of node.json is unknown.
      const owner = at.join('.') === 'sha256' && !breaks ? 'both' : 'theirs'
      t.strictSame([...new Set(drifts.map((drift) => drift.owner))], [owner], label)
      const last = at.findLast((step) => typeof step === 'string') ?? 'more'
      t.ok(
        subjects.some((one) => one.startsWith(breaks ? name : `${name}#`)) &&
          (breaks ?? drifts.every(({ path: said }) => isNear(said, at, last))),
        label,
      )
      if (breaks) t.match(drifts, [{ id: 'file-broken' }], label)
    }
    t.ok(count > 50, `${golden}: ${count} edits`)
  }
})

/** What an object of a cluster is called by: with another one it is another object. */
const called = /^(|kind|metadata\.(name|namespace))$/

/** The field itself, or the item of a list or the object that it names. */
function isNear(said: Path, at: Steps, last: string): boolean {
  if (said.length === 1 && /[ /]\S+$/.test(String(said[0])) && called.test(at.join('.')))
    return true
  const keys = at.filter((step) => typeof step === 'string')
  const list = keys.some((key) => said.includes(key) && at.some((step) => typeof step === 'number'))
  return said.includes(last) || said.includes('more') || list
}

/** The item of a list that a field is of; of no other, the field itself. */
function itemOf({ name, at }: { readonly name: string; readonly at: Steps }): string {
  const end = at.findIndex((step) => typeof step === 'number') + 1
  return [name, ...(end > 0 ? at.slice(0, end) : at)].join(' ')
}

t.test('two changed fields are what each of them is', async (t) => {
  const seeds = everything ? 1000 : 20
  const bundle = await bundleOf(goldens[0] ?? '')
  const documents = bundle.files
    .filter(({ path: name }) => /^files\/.*\.(json|conflist)$/.test(name))
    .map(
      ({ path: name, content }) =>
        [name, JSON.parse(new TextDecoder().decode(content)) as Json] as const,
    )
  const fieldsOf = documents.flatMap(([name, document]) =>
    leavesOf(document).map((at) => ({ name, at })),
  )
  const edited = (some: typeof fieldsOf) =>
    Object.fromEntries(
      documents.flatMap(([name, document]) => {
        const own = some.filter((one) => one.name === name)
        const after = own.reduce(
          (value, { at }) => changed(value, at, other(valueAt(document, at))),
          document,
        )
        return own.length > 0 ? [[name, JSON.stringify(after)]] : []
      }),
    )
  const said = async (...some: typeof fieldsOf) =>
    (await toldOf(bundle, edited(some))).map(({ subject }) => subject)
  for (let seed = 1; seed <= seeds; seed += 1) {
    const [one, two] = [seed * 7919, seed * 104_729 + 13].map(
      (at) => fieldsOf[at % fieldsOf.length],
    )
    // An item is known by some of its fields: with two others it is another one.
    if (!one || !two || one === two || itemOf(one) === itemOf(two)) continue
    const alone = [...(await said(one)), ...(await said(two))]
    const label = `${one.name} ${one.at.join('.')} and ${two.name} ${two.at.join('.')}`
    t.strictSame((await said(one, two)).sort(), [...new Set(alone)].sort(), label)
  }
})
