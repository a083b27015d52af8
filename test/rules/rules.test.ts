// Every rule fires where it must, and is silent where nothing is wrong.
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import t from 'tap'
import { checkWithoutUpgrades as judgeWhole, checkErrors } from '../../src/check.ts'
import { compile } from '../../src/compile.ts'
import { containerdLines } from '../../src/matrix/containerd.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { bySeverityAndHarm, hasErrors, type Finding } from '../../src/model/finding.ts'
import { isObject, mergeJson, type JsonObject } from '../../src/model/json.ts'
import { formatPath, isWithin, type Path } from '../../src/model/path.ts'
import type { Rule } from '../../src/model/rule.ts'
import { planOf } from '../../src/plan.ts'
import { fields as catalogue } from '../../src/profile/catalogue.ts'
import { rowsOf } from '../../src/components/config-table.ts'
import { kubelet } from '../../src/components/kubelet.ts'
import { fieldUnknown } from '../../src/rules/settings/field-unknown.ts'
import { rules } from '../../src/rules/index.ts'
import { kubeProxyRows } from './kube-proxy.ts'
import { kubeletRows } from './kubelet.ts'
import { networkRows } from './network.ts'
import { nodeRows } from './node.ts'
import { antrea, config, containerd, kubernetes, network, type Row, windows } from './profiles.ts'
import { settingsRows } from './settings.ts'
import { supplyRows } from './supply.ts'
import { boundaries, type VersionBoundary } from './version-boundaries.ts'
import { versionsRows } from './versions.ts'
import { checkedIn, filesBelow } from '../tools/checked-in.ts'
import { newestMinor, unknownMinor } from '../tools/minors.ts'
import { root as project } from '../tools/run.ts'
import { sampleOf } from '../tools/everything.ts'

const today = '2026-11-20'

/** Many rows ask for the same. */
const known = new Map<string, readonly Finding[]>()

/** As `compile` finds them, with their own remedies: the versions in remedies have a separate test. */
function findingsOf(patch: JsonObject, day = today): readonly Finding[] {
  const text = JSON.stringify([patch, day])
  const before = known.get(text)
  if (before) return before
  const layer = { name: 'test', patch, place: () => undefined }
  const { findings, facts, decisions } = judgeWhole([layer], 'test', {
    today: day,
    allowNewer: false,
  })
  if (!hasErrors(findings)) planOf(facts, decisions)
  known.set(text, findings)
  return findings
}

function idsOf(patch: JsonObject, day = today): readonly string[] {
  return findingsOf(patch, day).map(({ id }) => id)
}

const rows: readonly Row[] = [
  ...versionsRows,
  ...settingsRows,
  ...kubeletRows,
  ...kubeProxyRows,
  ...networkRows,
  ...supplyRows,
  ...nodeRows,
]

for (const [id, fires, silent = {}, day] of rows) {
  const alwaysFires = JSON.stringify(fires) === '{}' && JSON.stringify(silent) === '{}'
  t.test(`${id}: ${JSON.stringify(fires).slice(0, 90)}`, async (t) => {
    const found = findingsOf(fires, day).filter((finding) => finding.id === id)
    t.ok(found.length > 0, 'fires')
    t.ok(
      found.every(({ path }) => isOfProfile(path)),
      'at a field of the profile',
    )
    if (!alwaysFires) t.notOk(idsOf(silent).includes(id), 'is silent')
    const judged = findingsOf(fires).filter(({ severity }) => severity === 'error')
    t.strictSame(triedOf(fires), judged, 'errors alone are the same errors')
  })
}

function isOfProfile(path: Path): boolean {
  return (
    path.length === 0 ||
    catalogue.some((one) => !one.group && (isWithin(path, one.path) || isWithin(one.path, path)))
  )
}

function triedOf(patch: JsonObject): readonly Finding[] {
  const layer = { name: 'test', patch, place: () => undefined }
  return checkErrors([layer], 'test', { today, allowNewer: false }).findings
}

const profileAt = (of: VersionBoundary[1], version: string, rest: JsonObject): JsonObject => {
  const kept = isObject(rest['containerd']) ? rest['containerd'] : {}
  if (of === 'containerd') return { ...rest, containerd: { ...kept, version } }
  if (of === 'approver') {
    const image = `registry.example.com/kubelet-csr-approver:${version}`
    return { ...rest, cluster: { csrApprover: { enabled: true, image } } }
  }
  return { ...rest, ...kubernetes(version) }
}

t.test('open ports of a plugin: its own page', (t) => {
  const pageOf = (patch: JsonObject) =>
    findingsOf(patch).find(({ id }) => id === 'tunnel-port-open-to-all')?.see
  const pages = [network({}), network({ cni: 'calico' }), antrea({})].map(pageOf)
  t.match(pages, [/flannel/, /calico/, /antrea/])
  t.end()
})

t.test(
  'rules fire and stay silent at their version boundaries: below, at both ends, above, at a candidate',
  async (t) => {
    for (const [id, of, rest, fires, silent] of boundaries) {
      for (const version of fires.split(' '))
        t.ok(idsOf(profileAt(of, version, rest)).includes(id), `${id} fires at ${of} ${version}`)
      for (const version of silent.split(' ').filter((word) => word !== ''))
        t.notOk(
          idsOf(profileAt(of, version, rest)).includes(id),
          `${id} is silent at ${of} ${version}`,
        )
    }
  },
)

/** Dots of addresses aside. */
const versionIn = /(?<![\d.])\d+\.\d+(?:\.\d+)?(?!\.?\d)/
const sets =
  /(?:Upgrade the nodes first: set kubernetes\S+ .*?to \S+\. .*)?[Ss]et ([\w.]+(?:(?:, | and )[\w.]+)*) to (?:\S+; repeat for (?:\S+, then )*)?(\S+?)\.(?: This adds the (?:warning|finding)s? ([\w., -]+)\.)?(?: Set all suggested versions: this one alone adds the (?:warning|finding)s? ([\w., -]+)\.)?$/

const isSupported = ({ endOfLife }: { readonly endOfLife: string }) => today <= endOfLife
const newestPatches = (
  table: readonly { readonly endOfLife: string; readonly newestPatch: string }[],
) => table.filter(isSupported).map(({ newestPatch }) => newestPatch)
const minors = newestPatches(kubernetesMinors)
const lines = newestPatches(containerdLines)

/** Every API server with every kubeadm and containerd, of those that are supported. */
const clusters: readonly JsonObject[] = [
  {},
  ...minors.flatMap((apiServer) =>
    minors.flatMap((kubeadm) =>
      lines.map((version) => ({ kubernetes: { apiServer, kubeadm }, containerd: { version } })),
    ),
  ),
]

const keyOf = ({ id, path, see }: Finding) => JSON.stringify([id, path, see])
const layersOf = (patch: JsonObject) => [{ name: 'test', patch, place: () => undefined }]

const layerPatch = (path: readonly string[], value: string): JsonObject =>
  path.reduceRight<JsonObject | string>((inner, key) => ({ [key]: inner }), value) as JsonObject

interface Suggested {
  readonly finding: Finding
  /** Sets the version. */
  readonly patch: JsonObject
  readonly sentence: string
  /** Ids of findings that it adds, with all other suggestions too, and those that it adds alone. */
  readonly adds: readonly string[]
  readonly addsAlone: readonly string[]
}

function suggestedIn(finding: Finding): Suggested | undefined {
  const [sentence, fields = '', value = '', adds = '', addsAlone = ''] =
    sets.exec(finding.remedy ?? '') ?? []
  if (sentence === undefined || !versionIn.test(value)) return undefined
  const patch = fields
    .split(/, | and /)
    .map((field) => layerPatch(field.split('.'), value))
    .reduce(mergeJson)
  return { finding, patch, sentence, adds: adds.split(', '), addsAlone: addsAlone.split(', ') }
}

/** What is wrong with remedies that name a version: each is carried out, alone and with all others. */
function wrongRemedies(profile: JsonObject) {
  const before = compile(layersOf(profile), 'test', { today }).findings
  const earlier = new Map(before.map((one) => [keyOf(one), one]))
  const isNew = (one: Finding) => {
    const was = earlier.get(keyOf(one))
    return was === undefined || bySeverityAndHarm(one, was) < 0
  }
  const after = new Map<string, readonly Finding[]>()
  const follow = (patch: JsonObject) => {
    const key = JSON.stringify(patch)
    const done = after.get(key)
    if (done) return done
    const followed = mergeJson(profile, patch)
    const { findings } = judgeWhole(layersOf(followed), 'test', { today, allowNewer: false })
    after.set(key, findings)
    return findings
  }
  const untested = before.flatMap(({ id, remedy = '' }) =>
    versionIn.test(remedy.replace(sets, '')) ? [`${id}: no test follows "${remedy}"`] : [],
  )
  const suggested = before.flatMap((one) => suggestedIn(one) ?? [])
  const all = suggested.map(({ patch }) => patch).reduce(mergeJson, {})
  const allAdd = suggested.flatMap(({ adds }) => adds)
  const wrong = suggested.flatMap(({ finding, patch, sentence, adds, addsAlone }) => {
    const wrongAfter = (
      found: readonly Finding[],
      told: readonly string[],
      how: 'alone' | 'with all others',
    ) => {
      const untold = found.filter(
        (one) =>
          isNew(one) &&
          !(how === 'alone' && addsAlone.includes(one.id)) &&
          (one.severity !== 'info' || (how === 'alone' && bySeverityAndHarm(one, finding) < 0)) &&
          (one.severity === 'error' || !told.includes(one.id)),
      )
      const still = found.some((one) => keyOf(one) === keyOf(finding))
      return [
        ...(still ? [`${finding.id}: "${sentence}" ${how} does not cure it`] : []),
        ...untold.map(
          (one) => `${finding.id}: "${sentence}" ${how} adds ${one.severity} ${one.id}`,
        ),
      ]
    }
    return [
      ...wrongAfter(follow(patch), [...adds, ...addsAlone], 'alone'),
      ...wrongAfter(follow(all), allAdd, 'with all others'),
    ]
  })
  return { wrong: [...untested, ...wrong], tried: suggested.map(({ finding }) => finding.id) }
}

t.test('a remedy that names a version was tried, and breaks nothing', async (t) => {
  for (const { id, remedy } of rules)
    t.notMatch(remedy, versionIn, `${id}: its remedy is the same everywhere`)
  t.ok(minors.length > 1 && lines.length > 1)
  const upgradable = new Set(
    rules.flatMap(({ id, upgrades = [] }) => (upgrades.length > 0 ? [id] : [])),
  )
  // Not a divisor of the number of minors or lines: each is among them.
  const some = sampleOf(clusters, (_, at) => at % 37 === 0)
  const fired = new Set(rows.map(([id]) => id))
  const firing = [
    ...rows.map(([id, patch]) => ({ id, patch })),
    ...boundaries.flatMap(([id, of, rest, fires]) =>
      fired.has(id) ? [] : [{ id, patch: profileAt(of, fires.split(' ')[0] ?? '', rest) }],
    ),
  ]
  const profiles = new Map(
    firing.flatMap(({ id, patch }) =>
      (upgradable.has(id) ? some : [{}]).map((cluster) => {
        const profile = mergeJson(cluster, patch)
        return [JSON.stringify(profile), profile] as const
      }),
    ),
  )
  const tried = new Set<string>()
  const wrongs = [...profiles].flatMap(([text, profile]) => {
    const found = wrongRemedies(profile)
    for (const one of found.tried) tried.add(one)
    return found.wrong.map((one) => `${one}, in ${text}`)
  })
  t.strictSame(wrongs.slice(0, 10), [], `${wrongs.length} are wrong`)
  t.ok(
    tried.size > 25,
    `${tried.size} rules name a version somewhere, in ${profiles.size} profiles`,
  )
})

t.test(
  'a suggested upgrade of the control plane names each stop that the skew policy requires',
  async (t) => {
    const last = newestPatches(kubernetesMinors).at(-1) ?? ''
    const patch = (minor: string) =>
      kubernetesMinors.find((row) => row.minor === minor)?.newestPatch ?? ''
    const both = 'set kubernetes.apiServer and kubernetes.version to'
    const slowly = 'pgrade the control plane first, one minor at a time, then'
    const upgrades: readonly (readonly [version: string, apiServer: string, remedy: string])[] = [
      ['1.36.6', '1.36.6', `Upgrade the control plane first, then ${both} ${last}.`],
      ['1.34.0', '1.34.0', `U${slowly} ${both} ${last}.`],
      [
        '1.29.0',
        '1.29.0',
        `U${slowly} ${both} ${patch('1.32')}; repeat for ${patch('1.35')}, then ${last}.`,
      ],
      [
        '1.29.0',
        '1.32.0',
        `Upgrade the nodes first: set kubernetes.version to ${patch('1.32')}. Then upgrade the control plane, one minor at a time, and ${both} ${patch('1.35')}; repeat for ${last}.`,
      ],
      ['1.29.0', '1.34.0', `Set kubernetes.version to ${patch('1.34')}.`],
    ]
    for (const [version, apiServer, remedy] of upgrades) {
      const { findings } = compile(layersOf({ kubernetes: { version, apiServer } }), 'test', {
        today: '2027-08-01',
      })
      const said = findings.flatMap(({ group }) =>
        group?.remedy?.includes('kubernetes.') ? [group.remedy] : [],
      )
      t.match(said[0], remedy, `${version} with an API server ${apiServer}`)
    }
  },
)

t.test('notes alone suggest no upgrade of the control plane', async (t) => {
  const version = minors.at(-2) ?? ''
  const { findings } = compile(layersOf({ kubernetes: { version } }), 'test', { today })
  const notes = findings.filter(
    ({ severity, message }) => severity === 'info' && message.startsWith(`kubelet ${version}: `),
  )
  t.ok(notes.length > 0, 'that a newer minor fixes')
  for (const { message, remedy } of notes) t.notMatch(remedy, /[Ss]et kubernetes/, message)
})

t.test('an old containerd does not hide the target version of Kubernetes', async (t) => {
  const profile = { kubernetes: { version: '1.25' }, containerd: { version: '1.4' } }
  const titles = compile(layersOf(profile), 'test', { today }).findings.flatMap(({ group }) =>
    group?.id === 'upgrade' ? [group.title] : [],
  )
  t.strictSame([...new Set(titles.map((title) => title.split(' ')[0]))].toSorted(), [
    'Kubernetes',
    'containerd',
  ])
  t.strictSame(wrongRemedies(profile).wrong, [])
})

t.test('the message of a rule depends on the case', async (t) => {
  const said = (patch: JsonObject, id: string) =>
    compile([{ name: 'test', patch, place: () => undefined }], 'test', { today }).findings.find(
      (finding) => finding.id === id,
    )
  const share = (size: number) =>
    said(
      { ...network({ nodeCIDRMaskSize: size }), kubelet: { maxPods: 200 } },
      'pods-exceed-addresses',
    )
  t.equal(share(30)?.severity, 'error', 'no pod gets an address')
  t.equal(share(29)?.severity, 'warning', 'four of them do')
  t.equal(share(24), undefined)
  const pods = (patch: JsonObject) =>
    said({ ...patch, kubelet: { maxPods: 110 } }, 'pods-exceed-addresses')?.remedy
  t.match(pods(network({ nodeCIDRMaskSize: 26 })), / lower network\.nodeCIDRMaskSize /)
  t.match(pods(network({ cni: 'calico' })), / lower network\.calico\.blockSize /)
  const unknown = (version: string) =>
    said(
      { ...kubernetes(version), kubelet: { featureGates: { NoSuchGate: true } } },
      'kubelet-gate-unknown',
    )
  t.equal(unknown('1.24.17')?.severity, 'warning', 'below the tables')
  t.equal(unknown('1.25.0')?.severity, 'error', 'first inside')
  t.equal(unknown(`${newestMinor}.0-rc.1`)?.severity, 'error', 'the last that was asked')
  t.equal(unknown(`${unknownMinor}.0`)?.severity, 'warning', 'above the tables')
  const gate = (name: string) =>
    said({ kubelet: { featureGates: { [name]: true } } }, 'kubelet-gate-unknown')?.remedy
  t.equal(gate('WindowsGracefulNodeShutdowns'), 'Did you mean WindowsGracefulNodeShutdown?')
  t.equal(gate('NotAFeature'), 'Remove the gate.')
  const feature = said({ host: { features: ['Containers', 'Hyper-W'] } }, 'feature-unknown')
  t.equal(feature?.remedy, 'Did you mean Hyper-V?')
  const backend = (patch: JsonObject) => said(patch, 'network-backend-not-of-plugin')?.message
  t.equal(
    backend(network({ backend: 'bgp' })),
    'flannel has no backend bgp for overlay on Windows; it has vxlan',
  )
  t.equal(
    backend(network({ cni: 'none', backend: 'bgp' })),
    'network.backend has no effect with network.cni none',
  )
  t.equal(said(config({ MaxPods: 5 }), 'kubelet-field-unknown')?.remedy, 'Did you mean maxPods?')
  t.equal(said(config({ maxPodz: 5 }), 'kubelet-field-unknown')?.remedy, 'Did you mean maxPods?')
  t.match(
    said(config({ maxParallelImagePulls: 2, serializeImagePulls: true }), 'kubelet-setting-refused')
      ?.message,
    /^maxParallelImagePulls 2 with serializeImagePulls true must be at most 1; /,
  )
  t.strictSame(
    said(config({ args: ['--password', 'abc'] }), 'secret-in-profile')?.path.slice(-2),
    ['args', 1],
    'the secret, not its flag',
  )
  const plain = (mirror: JsonObject) =>
    said(
      { registry: { mirrors: { 'm.io': [{ url: 'http://m:5000', ...mirror }] } } },
      'mirror-over-http',
    )
  t.match(plain({})?.message, 'is used without TLS;')
  t.match(plain({ ca: 'C:\\m.crt' })?.message, 'if it answers over http, although ca is set')
  t.equal(said(windows('ws2019', 1431), 'dsr-needs-patch-level')?.severity, 'error')
  t.equal(said(windows('ws2019'), 'dsr-needs-patch-level')?.severity, 'warning')
  t.equal(said(windows('ws2025', 1), 'overlay-needs-patch-level')?.severity, 'error')
  t.equal(said(windows('ws2025'), 'overlay-needs-patch-level')?.severity, 'warning')
})

t.test('a range of Windows is an error where network.external takes it', async (t) => {
  const ranges: readonly (readonly [cidr: string, external: boolean, severity: string])[] = [
    ['192.168.255.0/24', true, 'error'],
    ['192.168.255.0/24', false, 'warning'],
    ['169.254.1.0/24', true, 'warning'],
    ['169.254.1.0/24', false, 'warning'],
  ]
  for (const [cidr, external, severity] of ranges) {
    const found = findingsOf(network({ nodeCIDRs: [cidr], external })).find(
      ({ id }) => id === 'cidr-used-by-helper-network',
    )
    t.equal(found?.severity, severity, `${cidr} ${external}`)
    t.match(found?.message, severity === 'error' ? 'network.external' : 'Windows networking')
  }
})

t.test('unknown versions are refused without --allow-newer', async (t) => {
  const judge = (patch: JsonObject, allowNewer: boolean) =>
    compile([{ name: 'test', patch, place: () => undefined }], 'test', { today, allowNewer })
  const newer: readonly (readonly [string, JsonObject])[] = [
    ['kubernetes-newer-than-tables', kubernetes('1.99.0')],
    ['containerd-newer-than-tables', containerd('2.9.0')],
    ['program-newer-than-tables', containerd('2.3.6', { crictl: '1.99.0' })],
  ]
  for (const [id, patch] of newer) {
    const [refused, ...more] = judge(patch, false).findings.filter((one) => one.id === id)
    t.equal(refused?.severity, 'error', `${id}: ${refused?.message ?? ''}`)
    t.strictSame(more, [], 'once, although other versions follow')
    const { findings, plan } = judge(patch, true)
    const allowed = findings.find((one) => one.id === id)
    t.equal(allowed?.severity, 'warning')
    t.match(allowed?.message, / of that line$/)
    t.ok(plan, `${id}: it renders`)
    t.notOk(
      findings.some((one) => /kubernetes-(end|in-main)/.test(one.id)),
      'the days of another minor say nothing of this one',
    )
  }
  for (const patch of [containerd('1.8.0'), kubernetes('1.24.17')])
    t.notOk(judge(patch, true).plan, 'nothing newer about it')
})

/** Modules that hold rules: what they export of them, a rule or a list. */
async function declared(): Promise<readonly (readonly [place: string, rule: Rule])[]> {
  const names = ['src/rules', 'src/cni'].flatMap((folder) =>
    filesBelow(join(project, folder)).map((name) => `${folder}/${name}`),
  )
  const found = names.map(async (name) => {
    const values: unknown[] = Object.values(await import(join(project, name)))
    return values
      .flat()
      .flatMap((one) => (isRule(one) ? [[`${name}: ${one.id}`, one] as const] : []))
  })
  return (await Promise.all(found)).flat()
}

const isRule = (one: unknown): one is Rule =>
  typeof one === 'object' && one !== null && 'check' in one && 'remedy' in one && 'id' in one

t.test('every rule is asked, fires in a row and is silent in one', async (t) => {
  const all = await declared()
  t.ok(all.length > 200)
  const idle = all.filter(([, rule]) => !rules.includes(rule)).map(([place]) => place)
  t.strictSame(idle, [], 'each is in src/rules/index.ts')
  const fired = new Set([...rows, ...boundaries].map(([id]) => id))
  const silent = new Set([
    ...rows.flatMap(([id, fires, quiet]) => (isEmpty(fires) && !quiet ? [] : [id])),
    ...boundaries.flatMap(([id, , , , quiet]) => (quiet === '' ? [] : [id])),
  ])
  const lacks = rules.flatMap(({ id }) => [
    ...(fired.has(id) ? [] : [`${id}: no row of test/rules where it fires`]),
    ...(silent.has(id) ? [] : [`${id}: no row of test/rules where it is silent`]),
  ])
  t.strictSame(lacks, [])
})

t.test('a rule with a finding that is no error says so, so that a profile can ignore it', (t) => {
  const fixed = new Map(
    rules.flatMap(({ id, severity, severityVaries }) =>
      severity === 'error' && !severityVaries ? [[id, severity] as const] : [],
    ),
  )
  const found = rows.flatMap(([, fires, , day]) => findingsOf(fires, day))
  const less = found.filter(({ id, severity }) => fixed.has(id) && severity !== 'error')
  t.strictSame([...new Set(less.map(({ id }) => id))], [])
  t.end()
})

t.test('what rules say is about fields, in words', async (t) => {
  const isField = (path: Path) =>
    catalogue.some((field) =>
      field.group ? isDeepStrictEqual(path, field.path) : isWithin(path, field.path),
    )
  const found = rows.flatMap(([id, fires, , day]) =>
    findingsOf(fires, day).filter((finding) => finding.id === id),
  )
  for (const { id, path, message } of found) {
    if (!isField(path)) t.fail(`${id} is about ${formatPath(path)}, which is no field`)
    // An advisory is quoted as whole sentences: summary, condition, fixed versions.
    const form = id === 'version-has-advisory' ? /^\S[^\n]*[^\s.]\.$/ : /^\S[^\n]*[^\s.]$/
    if (!form.test(message)) t.fail(`${id} says "${message}": words without a dot`)
  }
  t.ok(found.length > rows.length / 2, `${found.length} findings`)
})

t.test('a rule about one value depends on that value alone', async (t) => {
  const alone = new Set(rules.flatMap(({ id, byValue }) => (byValue ? [id] : [])))
  for (const [id, fires] of rows.filter(([name]) => alone.has(name)))
    for (const { path } of findingsOf(fires).filter((finding) => finding.id === id)) {
      const [first = ''] = path
      const only = { [first]: fires[String(first)] ?? null }
      t.ok(idsOf(only).includes(id), `${id} at ${formatPath(path)}, with nothing beside it`)
    }
})

t.test('a rule that reads a trait has a row of version boundaries', async (t) => {
  const tested = new Set(boundaries.map(([id]) => id))
  const asking = rules.filter(({ check }) => /\bhas\(["']/.test(String(check)))
  t.strictSame(
    asking.flatMap(({ id }) =>
      tested.has(id) ? [] : [`${id}: no row of test/rules/version-boundaries.ts`],
    ),
    [],
  )
  t.ok(asking.length > 5)
})

const isEmpty = (patch: JsonObject): boolean => Object.keys(patch).length === 0

t.test('catalogue', async (t) => {
  const ids = rules.map(({ id }) => id)
  t.strictSame(
    ids.filter((id, at) => ids.indexOf(id) !== at),
    [],
    'ids are unique',
  )
  for (const rule of rules) {
    t.match(rule.id, /^[a-z0-9]+(?:-[a-z0-9.]+)*$/)
    t.match(rule.summary, /\.$/, `${rule.id}: the summary is a sentence`)
    t.match(rule.remedy, /\.$/, `${rule.id}: the remedy is a sentence`)
    t.match(rule.see, /^https:\/\//, `${rule.id} has a source`)
  }
})

t.test('join.tokenFile is no path that a step writes, reads or runs', (t) => {
  const pathsOf = (value: unknown): readonly string[] => {
    if (typeof value === 'string') return /^C:\\./.test(value) ? [value] : []
    return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(pathsOf) : []
  }
  for (const patch of [network({ cni: 'flannel' }), antrea()]) {
    const layer = { name: 'test', patch, place: () => undefined }
    const { plan } = compile([layer], 'test', { today })
    const used = new Set(plan?.steps.flatMap((step) => pathsOf(step)))
    t.ok(used.size > 20, `${used.size} paths`)
    // What a mask leaves out is a folder.
    const files = [...used].filter((file) => /^C:\\[\w\\.-]*$/.test(file))
    const silent = files.filter((tokenFile) =>
      findingsOf(mergeJson(patch, { join: { tokenFile } })).every(
        ({ severity, path: at }) => severity !== 'error' || formatPath(at) !== 'join.tokenFile',
      ),
    )
    t.strictSame(silent, [])
  }
  t.end()
})

t.test('a key that another profile field writes exists in the chosen version, too', (t) => {
  const added = (value?: number) => ({
    ...kubelet,
    rows: [
      ...kubelet.rows,
      ...rowsOf({
        maxParallelImagePulls: {
          value: () => value,
          field: 'kubelet.maxPods',
          why: 'A made-up row.',
        },
        'crashLoopBackOff.maxContainerRestartPeriod': {
          value: () => value && '60s',
          field: 'kubelet.nodeName',
          why: 'A row whose key stands in a map that is new itself.',
        },
      }),
    ],
  })
  const found = (version: string, value?: number) => {
    const patch = { kubernetes: { version } }
    const { facts } = compile([{ name: 'test', patch, place: () => undefined }], 'test', { today })
    return fieldUnknown(added(value))
      .check(facts)
      .map(({ path, message }) => `${formatPath(path)}: ${message}`)
  }
  const restarts =
    'kubelet.nodeName: kubelet 1.26.15 has no field crashLoopBackOff.maxContainerRestartPeriod; it was added in 1.32'
  t.strictSame(found('1.26.15', 5), [
    'kubelet.maxPods: kubelet 1.26.15 has no field maxParallelImagePulls; it was added in 1.27',
    restarts,
  ])
  t.strictSame(found('1.31.14', 5), [restarts.replace('1.26.15', '1.31.14')])
  t.strictSame(found('1.32.0', 5), [], 'each version has it')
  t.strictSame(found('1.26.15'), [], 'left out by its row')
  t.end()
})

t.test('the findings of these rows', (t) => {
  const defaults = new Map(rules.map((rule) => [rule.id, rule]))
  const text = rows.flatMap(([id, fires, , day]) => [
    `${id}: ${JSON.stringify(fires).slice(0, 200)}`,
    ...findingsOf(fires, day)
      .filter((finding) => finding.id === id)
      .flatMap(({ severity, path, message, remedy, see, at }) => [
        `  ${severity} at ${at === 'key' ? 'key ' : ''}${formatPath(path) || 'the profile'}: ${message}`,
        ...(remedy === defaults.get(id)?.remedy ? [] : [`    fix: ${String(remedy)}`]),
        ...(see === defaults.get(id)?.see ? [] : [`    see: ${String(see)}`]),
      ]),
    '',
  ])
  checkedIn(t, 'test/golden/findings.txt', text.join('\n'))
  t.end()
})
