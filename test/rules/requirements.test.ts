// Requirements of the research: none is lost, and what implements each exists.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import tables from '#tables'
import { checkWithoutUpgrades } from '../../src/check.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { tablesDate } from '../../src/matrix/tables-date.ts'
import { structuralErrors } from '../../src/profile/structural-errors.ts'
import { rules } from '../../src/rules/index.ts'
import { workloadRules } from '../../src/workloads/rules/index.ts'
import { styleRows } from '../node/style-rows.ts'
import { root } from '../tools/run.ts'
import { requirementExamples } from './requirement-examples.ts'
import { groups, implementedOf, notAppliedOf, proofs } from './requirements.ts'

/** What a bundle and its scripts contain, or must not contain: the files, and a pattern. */
const bundleRows: readonly (readonly [
  name: string,
  where: RegExp,
  contains: boolean,
  pattern: RegExp,
])[] = [
  ['cluster-role-without-nodes-proxy', /cluster\//, false, /nodes\/(?:proxy|\*)/],
  [
    'tls-is-verified',
    // Join reads the cluster-info without a CA, and verifies it by the CA public key hash, as kubeadm does.
    /^(?!.*setup\/cluster\/request\.ps1$)/,
    false,
    /SkipCertificateCheck|insecure-skip-tls-verify|skip_verify|curl [^\n]*(?: -k|--insecure)\b/,
  ],
  ['no-secret-on-a-command-line', /node\.json$/, false, /--(?:token|password)\b/],
  [
    'no-remote-administration',
    /node\.json$|templates\/node/,
    false,
    /\b(?:22|3389|5985|5986)"|AllowUnencrypted|Set-PSSessionConfiguration/,
  ],
  [
    'services-of-the-system',
    /node\.json$|templates\/node/,
    false,
    /"(?:account|startName)"|-Credential\b/,
  ],
  ['no-moving-address', /bom\.json$/, false, /:latest\b|\/(?:latest|master|main)\//],
  ['nothing-fetched-by-pods', /cluster\/.*\.yaml/, false, /Invoke-WebRequest|\b(?:curl|wget)\b/],
  ['firewall-stays-on', /./, false, /Set-NetFirewallProfile|advfirewall set/],
  ['no-edge-traversal', /./, false, /EdgeTraversalPolicy (?!Block)/],
  ['no-system-proxy', /./, false, /netsh winhttp|SetEnvironmentVariable\([^)]*PROXY/],
  ['defender-stays-on', /./, false, /-DisableRealtimeMonitoring/],
  [
    'hyper-v-overhead',
    /runtime-class-hyperv\.yaml/,
    true,
    /^overhead:\n {2}podFixed:\n {4}cpu: \S+\n {4}memory: \S/m,
  ],
  [
    'node-ports-of-both-protocols',
    /newest\/bundle\/node\.json$/,
    true,
    /node ports, TCP"[^]*node ports, UDP"/,
  ],
  [
    'routes-of-services',
    /l2bridge[^/]*\/bundle\/files\/cni\//,
    true,
    /"SDNRoute",[^}]*"10\.96\.0\.0\/12"[^]*"SDNRoute",[^}]*"DestinationPrefix": ""/,
  ],
  ['no-masquerade-on-windows', /node\.json$/, false, /--ip-masq\b(?!=false)/],
]

function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      path.relative(root, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'),
    )
}

t.test('bundles contain what requirements ask for, and nothing that they forbid', async (t) => {
  const files = [...filesBelow('test/golden'), ...filesBelow('templates')]
    .filter((name) => /\/bundle\/|^templates\//.test(name))
    .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') }))
  for (const [name, where, contains, pattern] of bundleRows) {
    const read = files.filter((file) => where.test(file.name))
    t.ok(read.length > 0, `${name}: ${read.length} files`)
    const wrong = read.filter(({ text }) => pattern.test(text) !== contains)
    t.strictSame(
      wrong.map((file) => file.name),
      [],
      name,
    )
  }
})

/** How many each group of the research has, by prefix. */
const counts: Readonly<Record<(typeof groups)[number], Readonly<Record<string, number>>>> = {
  kubernetes: { K8S: 12, WIN: 18, CTD: 28, PAU: 12, KLT: 39, FGT: 10, KPX: 19, SEC: 7 },
  hardening: { SIZ: 37, HRD: 29, ACL: 9, SEC: 11, SUP: 25, NET: 14, DEF: 3, GEN: 13, NPM: 5 },
  network: { CNI: 110 },
}

t.test('each requirement is implemented, or has a reason', async (t) => {
  for (const group of groups) {
    const ids = Object.entries(counts[group]).flatMap(([prefix, count]) =>
      Array.from({ length: count }, (_, at) => `${prefix}${String(at + 1).padStart(3, '0')}`),
    )
    const listed = [...implementedOf(group), ...notAppliedOf(group)].map(({ id }) => id)
    t.strictSame(listed.toSorted(), ids.toSorted(), group)
  }
  t.ok(groups.flatMap(notAppliedOf).length <= 40, 'at most 40 are not applied')
})

t.test('what implements a requirement exists', async (t) => {
  const ofRules = new Set(
    [...rules, ...workloadRules].map(({ id }) => id).concat(Object.keys(structuralErrors)),
  )
  const others = [
    ...Object.keys(proofs),
    ...styleRows.map(({ id }) => id),
    ...bundleRows.map(([name]) => name),
  ]
  const known = new Set([...ofRules, ...others])
  t.equal(known.size, ofRules.size + others.length, 'no name means two things')
  const used = groups.flatMap(implementedOf).flatMap(({ by }) => by)
  t.strictSame(
    used.filter((name) => !known.has(name)),
    [],
  )
  t.strictSame(
    [...Object.keys(proofs), ...bundleRows.map(([name]) => name)].filter(
      (name) => !used.includes(name),
    ),
    [],
    'each proof is of a requirement',
  )
  for (const [name, place] of Object.entries(proofs)) {
    const [, file = '', title = ''] = /^(\S+\.test\.ts): (.*)$/.exec(place) ?? []
    const text = readFileSync(path.join(root, 'test', file), 'utf8')
    t.ok(title && text.includes(`'${title}'`), `${name}: ${place}`)
  }
})

t.test('a profile that breaks a requirement gets a rule that implements it', async (t) => {
  const rulesOf = new Map(groups.flatMap(implementedOf).map(({ id, by }) => [id, by]))
  for (const [id, rule, profile, ...sets] of requirementExamples) {
    const { layers, name, findings } = loadProfile({ profile, root, cwd: root, sets })
    const checked = checkWithoutUpgrades(layers, name, { today: tablesDate, allowNewer: false })
    const found = [...findings, ...checked.findings].map((one) => one.id)
    t.ok(found.includes(rule), `${id}: ${rule} ${sets.join(' ')}: ${found.join(' ')}`)
    t.ok(rulesOf.get(id)?.includes(rule), `${id}: ${rule} is listed`)
  }
})

t.test('what is not applied has a reason', async (t) => {
  const diagnoses = JSON.stringify(tables.diagnoses)
  const ids = new Set(rules.map(({ id }) => id))
  for (const { id, fact, because, detail } of groups.flatMap(notAppliedOf)) {
    t.match(fact, /^\S[^\n]*[^.]$/, id)
    if (because === 'superseded')
      for (const by of detail.split(' ')) t.ok(ids.has(by), `${id}: ${by}`)
    else t.match(because, /^(?:not decidable from a profile|node side|dead)$/, id)
    const [, diagnosis] = /^diagnosis (\S+)/.exec(detail) ?? []
    if (diagnosis !== undefined) t.ok(diagnoses.includes(`"${diagnosis}"`), `${id}: ${diagnosis}`)
    for (const file of detail.match(/(?:templates|test)\/\S+/g) ?? [])
      t.ok(readFileSync(path.join(root, file)).length > 0, `${id}: ${file}`)
  }
})
