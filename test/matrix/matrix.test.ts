// The room `matrix`: every row is well formed, agrees with the others, and is found by its version.
import validRange from 'semver/ranges/valid.js'
import tables from '#tables'
import t from 'tap'
import {
  advisories,
  advisoriesOf,
  advisoryText,
  appliesByDefault,
} from '../../src/matrix/advisories.ts'
import {
  artifactBases,
  artifactSource,
  artifactSources,
} from '../../src/matrix/artifact-sources.ts'
import { repeatedKey } from '../../src/matrix/added-rows.ts'
import { cipherSuites } from '../../src/matrix/cipher-suites.ts'
import {
  fieldNames,
  fieldOfMinors,
  isLinuxOnly,
  writtenFields,
} from '../../src/matrix/config-fields.ts'
import { type KubeProgram, kubePrograms } from '../../src/matrix/flags.ts'
import { containerdLines, containerdOf, directUpgrades } from '../../src/matrix/containerd.ts'
import { defects, isDefective } from '../../src/matrix/defects.ts'
import { evictionSignals, findEvictionSignal } from '../../src/matrix/eviction-signals.ts'
import { gateIn, isOn } from '../../src/matrix/feature-gates.ts'
import { constraintsOf } from '../../src/matrix/constraints.ts'
import { pickBuild, runsImage } from '../../src/matrix/image-isolation.ts'
import { kubernetesMinors, kubernetesOf } from '../../src/matrix/kubernetes.ts'
import { minorsWithTables, tablesFor } from '../../src/matrix/minors.ts'
import { newestContainerd, newestKubernetes } from '../../src/matrix/newest.ts'
import { labelsOfTheKubelet, mayLabelItself } from '../../src/matrix/node-labels.ts'
import { isUnmet, runtimeRequirements } from '../../src/matrix/runtime-requirements.ts'
import {
  defaultSandboxRepository,
  findSandboxRepository,
  findSandboxTag,
  freesRpcPort,
  sandboxRepositories,
  sandboxTagFor,
} from '../../src/matrix/sandbox-images.ts'
import { judgeSkew, skewRules } from '../../src/matrix/skew.ts'
import {
  isKubectlForSmoke,
  kubectlForSmoke,
  smokeImages,
  smokeTagFor,
} from '../../src/matrix/smoke-images.ts'
import { tablesDate } from '../../src/matrix/tables-date.ts'
import { registryValues } from '../../src/matrix/registry-values.ts'
import { foreignAgents } from '../../src/matrix/foreign-agents.ts'
import { windowsFeatureSources } from '../../src/matrix/windows-features.ts'
import { windowsAssumptions } from '../../src/matrix/windows-assumptions.ts'
import { toolRelease } from '../../src/matrix/tools.ts'
import { hasTrait, traits } from '../../src/matrix/traits.ts'
import {
  compareVersions,
  inRange,
  isNewer,
  isPartial,
  minorDistance,
  minorOf,
  parseVersion,
} from '../../src/matrix/version.ts'
import { windowsOf, windowsReleases, windowsStatus } from '../../src/matrix/windows.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { minors } from '../judge/tables.ts'
import { unknownMinor } from '../tools/minors.ts'
import { windowsIds, type WindowsId } from '../../src/model/choices.ts'
import type { Sourced } from '../../src/model/tables.ts'
import type { TraitId } from '../../src/model/tables.ts'

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/

t.test('versions', async (t) => {
  const rows: readonly (readonly [text: string, canonical: string | undefined])[] = [
    ['1.36.5', '1.36.5'],
    ['v1.36.5', '1.36.5'],
    ['1.36', '1.36.0'],
    ['v2.3', '2.3.0'],
    ['1.37.0-rc.1', '1.37.0-rc.1'],
    ['1.34.2+k3s1', '1.34.2'],
    ['1.9.1-flannel3', '1.9.1-flannel3'],
    ['1', undefined],
    ['1.2.3.4', undefined],
    ['01.2.3', undefined],
    ['latest', undefined],
    ['', undefined],
  ]
  for (const [text, canonical] of rows) t.equal(parseVersion(text)?.text, canonical, `'${text}'`)
  t.strictSame(parseVersion('1.37.0-rc.1'), {
    text: '1.37.0-rc.1',
    major: 1,
    minor: 37,
    patch: 0,
    prerelease: true,
  })
  t.ok(isPartial('1.36'))
  t.notOk(isPartial('1.36.0'))
})

t.test('a release candidate counts as the minor that it leads to', async (t) => {
  // range, below, first inside, last inside, first above, and a candidate with its verdict
  const rows: readonly (readonly [string, string, string, string, string, string, boolean])[] = [
    ['>=1.31 <1.33', '1.30.14', '1.31.0', '1.32.13', '1.33.0', '1.31.0-rc.1', true],
    ['>=1.31 <1.33', '1.30.0', '1.31.0-alpha.0', '1.32.99', '1.33.0-alpha.0', '1.33.0-rc.1', false],
    ['1.31', '1.30.14', '1.31.0', '1.31.14', '1.32.0', '1.32.0-rc.0', false],
    ['<=1.31', '0.0.0-0', '1.0.0', '1.31.14', '1.32.0', '1.32.0-rc.0', false],
    ['>1.30 <1.33', '1.30.14', '1.31.0', '1.32.13', '1.33.0', '1.31.0-rc.1', true],
    ['>=1.31 <1.31.9', '1.30.14', '1.31.0', '1.31.8', '1.31.9', '1.31.9-rc.0', true],
    ['>=2 <2.3', '1.7.36', '2.0.0', '2.2.9', '2.3.0', '2.3.0-beta.0', false],
  ]
  for (const [range, below, first, last, above, candidate, verdict] of rows) {
    if (range !== '<=1.31') t.notOk(inRange(below, range), `${below} is below ${range}`)
    t.ok(inRange(first, range), `${first} is the first in ${range}`)
    t.ok(inRange(last, range), `${last} is the last in ${range}`)
    t.notOk(inRange(above, range), `${above} is above ${range}`)
    t.equal(inRange(candidate, range), verdict, `${candidate} in ${range}`)
  }
  t.notOk(inRange('1.31.0-rc.1', '>=1.31.0'), 'why a bound at a minor is written without a patch')
  t.ok(inRange('1.31', '>=1.31'), 'a line is its first patch')
  t.notOk(inRange('latest', '*'))
  t.notOk(inRange('1.31.0', 'not a range'))
})

t.test('order and distance of versions', async (t) => {
  t.ok(isNewer('1.10.0', '1.9.0'))
  t.ok(isNewer('3.10.1-3', '3.10.1-2'))
  t.ok(isNewer('1.37.0', '1.37.0-rc.1'))
  t.notOk(isNewer('1.37.0', '1.37'))
  t.equal(compareVersions('x', 'y'), 0)
  t.ok(compareVersions('x', '0.0.1') < 0, 'what is no version comes first')
  t.ok(compareVersions('0.0.1', 'x') > 0)
  t.strictSame(['1.10.0', '1.9.0', '1.10.0-rc.1'].sort(compareVersions), [
    '1.9.0',
    '1.10.0-rc.1',
    '1.10.0',
  ])
  t.equal(minorOf('1.36.5'), '1.36')
  t.equal(minorOf('v1.36.0-rc.1'), '1.36')
  t.equal(minorOf('latest'), undefined)
  t.equal(minorDistance('1.37.1', '1.34.9'), 3)
  t.equal(minorDistance('1.34', '1.37.0-rc.1'), -3)
  t.equal(minorDistance('2.0.0', '1.7.0'), undefined)
  t.equal(minorDistance('1.7.0', 'x'), undefined)
  t.equal(minorDistance('x', '1.7.0'), undefined)
})

const sourced: Readonly<Record<string, readonly (Sourced & { readonly id?: string })[]>> = {
  windows: windowsReleases,
  kubernetes: kubernetesMinors.map((row) => ({ ...row, id: row.minor })),
  containerd: containerdLines.map((row) => ({ ...row, id: row.line })),
  'sandbox repositories': sandboxRepositories.map((row) => ({
    ...row,
    id: `${row.registry}/${row.repository}`,
  })),
  'sandbox images': [{ ...freesRpcPort, id: 'RPC port' }],
  'smoke images': smokeImages.flatMap((row) => [
    { ...row, id: row.kubernetes },
    { ...row, id: `builds of ${row.kubernetes}`, see: row.seeBuilds },
  ]),
  kubectl: [{ ...kubectlForSmoke, id: 'kubectl of the smoke test' }],
  advisories,
  defects,
  traits: Object.entries(traits).map(([id, row]) => ({ ...row, id })),
  artefacts: artifactSources,
  tools: Object.entries(tables.tools.tools).map(([id, row]) => ({ ...row, id })),
  skew: skewRules,
  'registry values': registryValues.map((row) => ({ ...row, id: `${row.path}\\${row.name}` })),
  'foreign agents': foreignAgents.map((row) => ({ ...row, id: row.service })),
  requirements: runtimeRequirements,
  'assumptions about Windows': windowsAssumptions,
  'Windows features': windowsFeatureSources.map((row) => ({ ...row, id: row.see })),
}

t.test('every row has its own name, a source and a day', async (t) => {
  t.match(tablesDate, day, 'src/matrix/tables-date.ts')
  for (const [table, rows] of Object.entries(sourced)) {
    t.ok(rows.length > 0, table)
    t.equal(new Set(rows.map(({ id }) => id)).size, rows.length, `${table}: no id twice`)
    for (const { id, see, checked } of rows) {
      const name = `${table}: ${id}`
      t.match(see, /^https:\/\/[^\s]+$/, `${name} has an address`)
      t.match(checked, day, `${name} has a day`)
      t.ok(checked <= tablesDate, `${name} was checked by the day in src/matrix/tables-date.ts`)
    }
  }
})

t.test('days of rows are days, and no row is about the future', async (t) => {
  const rows = [
    ...kubernetesMinors.map((row) => ({ name: row.minor, ...row })),
    ...containerdLines.map((row) => ({ name: row.line, ...row })),
    ...windowsReleases,
  ]
  for (const row of rows) {
    for (const [key, value] of Object.entries(row))
      if (/^(released|maintenance|\w+End|endOfLife)$/.test(key))
        t.match(value, day, `${row.name}: ${key}`)
    t.ok(
      row.released <= tablesDate,
      `${row.name} was released by the day in src/matrix/tables-date.ts`,
    )
  }
})

const ranges: Readonly<Record<string, readonly string[]>> = {
  windows: windowsReleases.flatMap((row) => row.kubernetes.map(({ range }) => range)),
  kubernetes: kubernetesMinors.map((row) => row.containerd),
  advisories: advisories.map((row) => row.affected),
  defects: defects.map((row) => row.range),
  traits: Object.values(traits).map((row) => row.range),
  'sandbox images': [freesRpcPort.range],
  requirements: runtimeRequirements.flatMap((row) => [row.range, row.containerd]),
  skew: skewRules.flatMap((row) => row.except?.range ?? []),
  'settings of the kubelet': constraintsOf('kubelet').flatMap((row) => row.range ?? []),
  'settings of kube-proxy': constraintsOf('kube-proxy').flatMap((row) => row.range ?? []),
}

t.test('every range can be read, and its bounds take release candidates', async (t) => {
  for (const [table, list] of Object.entries(ranges)) {
    for (const range of list) {
      t.not(validRange(range), null, `${table}: ${range}`)
      t.notMatch(range, /[<>]=?\s*\d+\.\d+\.0(?![-\d])/, `${table}: ${range} leaves .0 out`)
      t.notMatch(range, /[\^~]|\bx\b/, `${table}: ${range} is written with bounds`)
    }
  }
})

t.test('an advisory or defect names only known patches', async (t) => {
  const newestOf: Readonly<Record<string, (version: string) => string | undefined>> = {
    kubelet: kubernetesPatch,
    'kube-proxy': kubernetesPatch,
    'kube-apiserver': kubernetesPatch,
    containerd: containerdPatch,
    flannel: () => toolRelease('flanneld').newest,
    'windows-exporter': () => toolRelease('windows-exporter').version,
  }
  for (const { id, component, fixedIn } of [...advisories, ...defects]) {
    for (const version of fixedIn) {
      t.ok(parseVersion(version), `${id}: ${version} is a version`)
      const known = newestOf[component]?.(version)
      if (known !== undefined)
        t.notOk(isNewer(version, known), `${id}: ${version} is at most ${known}`)
    }
  }
})

/** Of minors before the tables nothing is known. */
function kubernetesPatch(version: string): string | undefined {
  const { row, exact } = kubernetesOf(version)
  return exact || isNewer(version, row.minor) ? row.newestPatch : undefined
}

function containerdPatch(version: string): string | undefined {
  const { row, exact } = containerdOf(version)
  return exact || isNewer(version, row.line) ? row.newestPatch : undefined
}

t.test(
  'no version that is said to be fixed is in the range that is said to be affected',
  async (t) => {
    const affected = [...advisories, ...defects.map((row) => ({ ...row, affected: row.range }))]
    for (const { id, fixedIn, affected: range } of affected)
      for (const version of fixedIn) t.notOk(inRange(version, range), `${id}: ${version}`)
    for (const { id, applies, condition } of advisories)
      t.equal(condition !== undefined, applies === 'conditional', `${id} says its condition`)
  },
)

t.test('the text of every advisory is whole sentences', async (t) => {
  for (const row of advisories) {
    const text = advisoryText(row)
    t.match(text, /^[\w-]+ \(\w+\): [A-Z].*[^.]\.$/, text)
    t.notMatch(text, /\.[;.,]|\. [a-z(]/, text)
  }
})

t.test('Kubernetes minors follow each other and name what they need', async (t) => {
  kubernetesMinors.forEach((row, index) => {
    const at = `src/matrix/tables/kubernetes.json: ${row.minor}`
    t.equal(row.minor, `1.${25 + index}`, `${at} follows the one before`)
    t.notOk(parseVersion(row.newestPatch)?.prerelease, `${at} has a patch that is no candidate`)
    t.equal(minorOf(row.newestPatch), row.minor, `${at} has its own patch`)
    t.ok(
      row.released < row.maintenance && row.maintenance < row.endOfLife,
      `${at} is released, then in maintenance, then ended`,
    )
    const before = kubernetesMinors[index - 1]
    if (before) t.ok(before.released < row.released, `${at} came after ${before.minor}`)
    const refused = runtimeRequirements.filter(({ severity }) => severity === 'error')
    for (const { newestPatch } of containerdLines.filter((line) =>
      inRange(line.newestPatch, row.containerd),
    ))
      t.strictSame(
        ids(refused.filter((one) => isUnmet(one, row.newestPatch, newestPatch))),
        [],
        `${at} was tested with ${newestPatch}, which no rule refuses`,
      )
    const repository = sandboxRepositories[0]
    t.ok(
      findSandboxTag(repository, row.sandboxTag),
      `${at}: src/matrix/tables/sandbox-images.json has ${row.sandboxTag}`,
    )
    t.ok(
      containerdLines.some((line) => inRange(line.newestPatch, row.containerd)),
      `${at}: src/matrix/tables/containerd.json has a line that it was tested with`,
    )
    t.notOk(inRange('1.6.3', row.containerd), `${at}: its containerd has a lower bound`)
  })
})

t.test('every minor has its tables, and the newest all of them', async (t) => {
  t.strictSame(
    minorsWithTables,
    kubernetesMinors.map(({ minor }) => minor),
    'src/matrix/minors has a file for each row of src/matrix/tables/kubernetes.json',
  )
  const { minor } = newestKubernetes()
  const asked = minors.find((one) => one.minor === minor)
  const behind = minorDistance(minor, kubernetesOf(minor).row.crictl) ?? 99
  const file = `src/matrix/minors/${minor}.json`
  const places: readonly (readonly [place: string, knows: boolean])[] = [
    [`${file}: asked`, asked?.asked !== undefined],
    [`${file}: kubelet.flags`, asked?.kubelet.flags !== undefined],
    [`${file}: kube-proxy.flags`, asked?.['kube-proxy'].flags !== undefined],
    [`${file}: kube-log-runner`, asked?.['kube-log-runner'] !== undefined],
    // crictl of a minor comes weeks after it.
    ['src/matrix/tables/kubernetes.json: crictl', behind <= 1],
  ]
  t.strictSame(
    places.flatMap(([place, knows]) => (knows ? [] : [`${place} lacks ${minor}`])),
    [],
  )
  for (const one of minors)
    t.ok(
      (one.asked ?? '') <= tablesDate,
      `${one.minor} was asked by the day in src/matrix/tables-date.ts`,
    )
})

t.test('direct upgrades of containerd are those that its project names', (t) => {
  const rows: readonly (readonly [from: string, ...to: string[]])[] = [
    ['1.6.39', '1.7'],
    ['1.7.36', '2.0', '2.3'],
    ['2.0.14', '2.1'],
    ['2.1.9', '2.2'],
    ['2.2.9', '2.3'],
  ]
  for (const [from, ...to] of rows) t.strictSame(directUpgrades(from).map(minorOf), to, from)
  t.end()
})

t.test('containerd lines are in order and know their configuration', async (t) => {
  const lines = containerdLines.map(({ line }) => line)
  const table = 'src/matrix/tables/containerd.json'
  t.strictSame(lines, lines.toSorted(compareVersions), `${table}: oldest first`)
  const days = containerdLines.map((row) => row.released)
  t.strictSame(days, days.toSorted(), `${table}: and each later than the one before`)
  t.equal(new Set(lines).size, lines.length, `${table}: each once`)
  const formats = containerdLines.map(({ maxConfigVersion }) => maxConfigVersion)
  t.strictSame(formats, formats.toSorted(), `${table}: a format is never taken back`)
  for (const {
    line,
    released,
    newestPatch,
    endOfLife,
    status,
    maxConfigVersion,
  } of containerdLines) {
    t.notOk(parseVersion(newestPatch)?.prerelease, `${table}: ${newestPatch} is no candidate`)
    t.equal(minorOf(newestPatch), line, `${table}: the newest patch of ${line} is one of it`)
    t.ok(released < endOfLife, `${table}: ${line} begins before it ends`)
    t.equal(endOfLife < tablesDate, status === 'end-of-life', `${table}: ${line} ends as it says`)
    t.equal(
      hasTrait('containerd-config-v3', newestPatch),
      maxConfigVersion >= 3,
      `${table}: ${line} and the trait of format 3 agree`,
    )
  }
})

t.test('a version finds its row, or the nearest', async (t) => {
  const rows: readonly (readonly [string, string, boolean])[] = [
    ['1.36.5', '1.36', true],
    ['1.36', '1.36', true],
    ['v1.36.0', '1.36', true],
    ['1.36.0-rc.1', '1.36', true],
    ['1.36.99', '1.36', true],
    [`1.${25 + kubernetesMinors.length}.0`, newestKubernetes().minor, false],
    ['1.24.17', '1.25', false],
    ['latest', '1.25', false],
  ]
  for (const [version, minor, exact] of rows) {
    const found = kubernetesOf(version)
    t.strictSame([found.row.minor, found.exact], [minor, exact], version)
  }
  t.equal(containerdOf('2.3.6').row.line, '2.3')
  t.strictSame(containerdOf('1.8.0').row.line, '1.7', 'a line that never was')
  t.notOk(containerdOf('3.0.0').exact)
})

t.test('the newest lines are supported and clean', async (t) => {
  t.equal(newestContainerd().status, 'lts', 'a newer line with a shorter life is no default')
  t.equal(newestContainerd('>=2.4').line, containerdLines.at(-1)?.line)
  t.equal(newestContainerd('<2'), newestContainerd(), 'rather outside the range than unsupported')
  for (const row of [newestKubernetes(), newestContainerd()]) t.ok(tablesDate <= row.endOfLife)
  t.strictSame(ids(appliesByDefault('kubelet', '1.37.0')), ['CVE-2026-76654'])
  t.strictSame(appliesByDefault('kubelet', '1.37.1'), [])
  t.strictSame(ids(advisoriesOf('kubelet', '1.37.1')), ['CVE-2025-1767'], 'under a condition only')
  t.strictSame(ids(appliesByDefault('containerd', '2.0.12')), [
    'CVE-2026-53493',
    'GHSA-hc94-p972-ch66',
  ])
  t.strictSame(
    ids(appliesByDefault('containerd', '2.0.13')),
    ['GHSA-hc94-p972-ch66'],
    'fixed in 2.0.13',
  )
  t.strictSame(ids(appliesByDefault('containerd', '2.3.4')), [
    'CVE-2026-53495',
    'GHSA-rp3h-jf77-q9p4',
    'CVE-2026-53493',
    'CVE-2026-95839',
    'GHSA-8647-2jxj-p2rc',
    'GHSA-hc94-p972-ch66',
    'GHSA-5p7c-hggf-c748',
  ])
  t.strictSame(appliesByDefault('nobody', '1.0.0'), [])
})

function ids(rows: readonly { readonly id: string }[]): readonly string[] {
  return rows.map(({ id }) => id)
}

const defectsOf = (component: string, version: string) =>
  defects.filter((row) => row.component === component && isDefective(row, version))

t.test('defects show in their versions only', async (t) => {
  t.strictSame(ids(defectsOf('kubelet', '1.31.0')), ['kubelet-sockets', 'kubelet-subpath-handles'])
  t.strictSame(ids(defectsOf('kubelet', '1.37.0-rc.1')), [])
  t.strictSame(ids(defectsOf('kube-proxy', '1.36.0')), [
    'proxy-stale-endpoints',
    'proxy-hns-restart',
  ])
  t.ok(ids(defectsOf('containerd', '2.3.3')).includes('containerd-sandbox-digest'))
  t.notOk(ids(defectsOf('containerd', '2.3.4')).includes('containerd-sandbox-digest'))
})

t.test('Windows releases', async (t) => {
  t.strictSame(
    ids(windowsReleases),
    windowsIds,
    'a row for each of src/model/tables.ts, in its order',
  )
  const builds = windowsReleases.map(({ build }) => build)
  t.strictSame(
    builds,
    builds.toSorted((a, b) => a - b),
    'oldest build first',
  )
  for (const row of windowsReleases) {
    const { id, build, channel, released, mainstreamEnd, extendedEnd } = row
    const at = `src/matrix/tables/windows.json: ${id}`
    t.equal(
      windowsReleases.find((one) => one.build === build && one.channel === channel)?.id,
      id,
      `${at} has its own build`,
    )
    t.ok(
      released < mainstreamEnd && mainstreamEnd <= extendedEnd,
      `${at} is released, then supported, then ended`,
    )
    for (const { from, below } of row.knownBadRevisions)
      t.ok(from < below, `${at}: what is bad from ${from} on ends after it`)
    for (const { range, status, why } of row.kubernetes)
      t.equal(why === undefined, status === 'supported', `${at} gives its reason for ${range}`)
    for (const { minor } of kubernetesMinors)
      t.ok(windowsStatus(row, minor), `${at} has a status with ${minor}`)
  }
})

t.test('a Windows release that Kubernetes supports has images', async (t) => {
  const { minor, sandboxTag } = newestKubernetes()
  const supported = windowsReleases.filter(
    (release) => windowsStatus(release, minor)?.status === 'supported',
  )
  const lacking = supported.flatMap(({ id, build, imageTag }) => [
    ...(sandboxTagFor(build, sandboxTag) === undefined
      ? [
          `src/matrix/tables/sandbox-images.json lacks a tag from ${sandboxTag} on for ${id}, ${build}`,
        ]
      : []),
    ...(imageTag === undefined
      ? [`src/matrix/tables/windows.json lacks the imageTag of ${id}`]
      : []),
  ])
  t.strictSame(lacking, [])
})

t.test('what Kubernetes says of a Windows release', async (t) => {
  const rows: readonly (readonly [WindowsId, string, string])[] = [
    ['ws2019', '1.34.12', 'supported'],
    ['ws2019', '1.35.0-rc.0', 'unlisted'],
    ['ws2022', '1.25.0', 'supported'],
    ['ws2022', '1.38.0', 'supported'],
    ['ws23h2', '1.36.0', 'unsupported'],
    ['ws2025', '1.30.14', 'unsupported'],
    ['ws2025', '1.31.0', 'unlisted'],
    ['ws2025', '1.34.12', 'unlisted'],
    ['ws2025', '1.35.0', 'supported'],
  ]
  for (const [id, version, status] of rows) {
    t.equal(windowsStatus(windowsOf(id), version)?.status, status, `${id} ${version}`)
  }
})

t.test('images run on their own build, or on a newer one from 20348 on', async (t) => {
  const rows: readonly (readonly [host: number, image: number, runs: boolean])[] = [
    [17763, 17763, true],
    [17763, 14393, false],
    [20348, 17763, false],
    [20348, 20348, true],
    [20348, 26100, false],
    [25398, 20348, true],
    [26100, 17763, false],
    [26100, 20348, true],
    [26100, 26100, true],
  ]
  for (const [host, image, runs] of rows)
    t.equal(runsImage(host, image), runs, `${image} on ${host}`)
  t.equal(pickBuild(26100, [17763, 20348, 26100]), 26100)
  t.equal(pickBuild(25398, [17763, 20348, 26100]), 20348)
  t.equal(pickBuild(26100, [17763]), undefined)
})

t.test('sandbox images', async (t) => {
  t.equal(defaultSandboxRepository, 'registry.k8s.io/pause')
  const upstream = findSandboxRepository('registry.k8s.io', 'pause')
  const signed = findSandboxRepository('mcr.microsoft.com', 'oss/v2/kubernetes/pause')
  if (!upstream || !signed) return t.fail('both repositories are known')
  t.strictSame(findSandboxTag(upstream, '3.10.1')?.builds, [17763, 20348])
  t.strictSame(findSandboxTag(upstream, '3.10.2')?.builds.slice(0, 3), [17763, 20348, 26100])
  t.strictSame(findSandboxTag(signed, '3.10.1-3')?.builds, [17763, 20348, 26100])
  t.strictSame(findSandboxTag(upstream, '3.3')?.builds, [])
  t.equal(findSandboxTag(upstream, '9.9'), undefined)
  t.equal(findSandboxRepository('docker.io', 'pause'), undefined)
  const builds = new Set(windowsReleases.map(({ build }) => build))
  for (const { repository, tags } of sandboxRepositories) {
    const order = tags.map(({ tag }) => tag)
    t.strictSame(order.toSorted(compareTags), order, `${repository} is in order`)
    for (const tag of tags) {
      t.strictSame(
        tag.builds.toSorted((a, b) => a - b),
        tag.builds,
        `src/matrix/tables/sandbox-images.json: builds of ${repository}:${tag.tag} are in order`,
      )
      for (const build of tag.builds)
        t.ok(builds.has(build), `${build} of ${repository}:${tag.tag} is a release`)
    }
  }
})

/** Tags have no patch at times, and a rebuild after a dash. */
function compareTags(a: string, b: string): number {
  const parts = (tag: string) => tag.split(/[.-]/).map(Number)
  const [left, right] = [parts(a), parts(b)]
  const at = left.findIndex((part, index) => part !== right[index])
  if (at === -1) return left.length - right.length
  return (left[at] ?? 0) - (right[at] ?? 0)
}

t.test('smoke images have a tag for each Windows build', async (t) => {
  t.equal(smokeTagFor('1.30', 20348), '2.47')
  t.equal(smokeTagFor('1.28', 17763), '2.40', 'a minor without a row has that of the one before')
  t.equal(smokeTagFor('1.35', 26100), '2.63.0', 'the first tag with the build')
  t.equal(smokeTagFor('1.38', 26100), '2.66.1')
  t.equal(smokeTagFor('1.30', 25398), undefined)
  const known = kubernetesMinors.map(({ minor }) => minor)
  t.ok(smokeImages.every(({ kubernetes }) => known.includes(kubernetes)))
  const tags = smokeImages.map(({ tag }) => tag)
  t.strictSame(tags.toSorted(compareTags), tags, 'in order')
  for (const [version, isEnough] of [
    ['v1.24.0', true],
    ['v1.32.4-vendor', true],
    ['v1.23.17', false],
    ['', false],
  ] as const)
    t.equal(isKubectlForSmoke(version), isEnough, version)
})

t.test('traits turn where they say', async (t) => {
  // the trait, the last version on one side, the first on the other, and whether it comes or goes
  const rows: readonly (readonly [TraitId, string, string, 'comes' | 'goes'])[] = [
    ['apiserver-admission-policies', '1.29.15', '1.30.0', 'comes'],
    ['apiserver-any-variable-name', '1.31.14', '1.32.0', 'comes'],
    ['csr-approver-leaves-requests', '1.2.3', 'v1.2.4', 'comes'],
    ['kubelet-endpoint-in-config', '1.26.15', '1.27.0-rc.1', 'comes'],
    ['kubelet-cgroups-error', '1.30.14', '1.31.0-rc.1', 'goes'],
    ['kubelet-memory-eviction', '1.30.14', '1.31.0', 'comes'],
    ['kubelet-host-process', '1.25.16', '1.26.0', 'comes'],
    ['kubelet-all-processor-groups', '1.26.15', '1.27.0', 'comes'],
    ['kubelet-log-query-exploitable', '1.29.12', '1.29.13', 'goes'],
    ['kubelet-log-query-exploitable', '1.32.0', '1.32.1', 'goes'],
    ['containerd-imports-agent-image', '1.6.17', '1.6.18', 'comes'],
    ['containerd-cpu-affinity', '2.3.2', '2.3.3', 'comes'],
    ['kubelet-resolv-conf-host', '1.26.15', '1.27.0', 'comes'],
    ['kubelet-credential-provider-v1', '1.25.16', '1.26.0', 'comes'],
    ['kubelet-credential-provider-exe', '1.29.15', '1.30.0', 'comes'],
    ['kubelet-graceful-shutdown', '1.31.14', '1.32.0', 'comes'],
    ['kubelet-graceful-shutdown-default', '1.33.13', '1.34.0', 'comes'],
    ['kubelet-unlimited-events', '1.36.6', '1.37.0', 'comes'],
    ['kubelet-config-dir', '1.27.16', '1.28.0', 'comes'],
    ['kubelet-drop-ins-merge', '1.29.15', '1.30.0', 'comes'],
    ['kubelet-protects-container-logs', '1.27.15', '1.27.16', 'comes'],
    ['kubelet-protects-container-logs', '1.28.11', '1.28.12', 'comes'],
    ['kubelet-protects-container-logs', '1.29.6', '1.29.7', 'comes'],
    ['kubelet-protects-container-logs', '1.30.2', '1.30.3', 'comes'],
    ['kubelet-protects-container-logs', '1.30.2', '1.31.0', 'comes'],
    ['kubelet-protects-pod-logs', '1.29.15', '1.30.3', 'comes'],
    ['log-runner-rotates', '1.33.13', '1.34.0', 'comes'],
    ['proxy-blank-mode-kernelspace', '1.25.16', '1.26.0', 'comes'],
    ['proxy-dsr-needs-gate', '1.32.13', '1.33.0', 'goes'],
    ['proxy-gates-locked', '1.33.13', '1.34.0', 'comes'],
    ['kubeadm-v1beta4', '1.30.14', '1.31.0', 'comes'],
    ['kubeadm-reads-healthz-port', '1.30.1', '1.30.2', 'comes'],
    ['containerd-cni-results-1', '1.5.18', '1.6.0-rc.1', 'comes'],
    ['containerd-stable-abi', '1.6.22', '1.6.23', 'comes'],
    ['containerd-stable-abi', '1.7.5', '1.7.6', 'comes'],
    ['containerd-newest-build-first', '2.1.5', '2.1.6', 'comes'],
    ['containerd-bin-dirs', '2.0.12', '2.1.0', 'comes'],
    ['containerd-reads-ipv6-names', '1.6.39', '1.7.0', 'comes'],
    ['containerd-registry-folder', '1.4.13', '1.5.0', 'comes'],
    ['containerd-handler-annotations', '1.6.39', '1.7.0', 'comes'],
    ['containerd-strict-colons', '2.2.9', '2.3.0', 'comes'],
    ['containerd-config-v3', '1.7.36', '2.0.0-rc.1', 'comes'],
    ['containerd-system-roots', '2.2.9', '2.3.0', 'comes'],
    ['containerd-scrub-logs', '1.6.39', '1.7.0', 'comes'],
  ]
  for (const [id, before, after, direction] of rows) {
    t.equal(hasTrait(id, before), direction === 'goes', `${id} in ${before}`)
    t.equal(hasTrait(id, after), direction === 'comes', `${id} in ${after}`)
  }
  const turned = new Set<string>(rows.map(([id]) => id))
  t.strictSame(
    Object.keys(traits).filter((id) => !turned.has(id)),
    [],
    'each trait has the last version before it and the first after, above',
  )
  for (const { summary } of Object.values(traits)) t.match(summary, /^\S.*\.$/)
})

t.test('a version knows its gates', async (t) => {
  const rows: readonly (readonly [string, string, string | undefined])[] = [
    ['toString', '1.37.1', undefined],
    ['WinDSR', '1.32.13', 'Alpha off'],
    ['WinDSR', '1.33.0-rc.1', 'Beta on'],
    ['WinDSR', '1.37.1', 'GA on locked'],
    ['WinDSR', '1.38.0', 'GA on locked'],
    ['WinOverlay', '1.33.13', 'Beta on'],
    ['WindowsHostProcessContainers', '1.27.16', 'GA on locked'],
    ['WindowsHostProcessContainers', '1.28.0', undefined],
    ['WindowsGracefulNodeShutdown', '1.31.14', undefined],
    ['WindowsGracefulNodeShutdown', '1.34.0', 'Beta on'],
    ['WindowsHostNetwork', '1.36.5', 'Deprecated off'],
    ['IdentifyPodOS', '1.27.0', undefined],
    ['DynamicKubeletConfig', '1.25.0', 'Deprecated off'],
    ['DynamicKubeletConfig', '1.26.0', undefined],
    ['NodeLogQuery', '1.35.9', 'Beta off'],
    ['NodeLogQuery', '1.36.0', 'GA on locked'],
    ['SidecarContainers', '1.36.5', 'GA on locked'],
    ['SidecarContainers', '1.37.0', undefined],
    ['ContextualLogging', '1.25.16', 'Alpha off'],
    ['APIServerTracing', '1.29.0', 'Beta on'],
    ['JobSuccessPolicy', '1.37.1', undefined],
    // No build of 1.27 was asked, and these are not as in 1.26 or 1.28.
    ['IPTablesOwnershipCleanup', '1.27.16', 'Beta on'],
    ['SELinuxMountReadWriteOncePod', '1.27.16', 'Beta off'],
    ['ServiceNodePortStaticSubrange', '1.27.16', 'Alpha off'],
    ['AdvancedAuditing', '1.27.16', 'GA on locked'],
    ['WatchListClient', '1.29.0', undefined],
    ['WatchListClient', '1.30.0', 'Beta off'],
    ['AllAlpha', '1.36.0', 'Alpha off'],
    ['NoSuchGate', '1.36.0', undefined],
  ]
  for (const [name, version, verdict] of rows) {
    const found = gateIn(name, version)
    const text =
      found &&
      [found.stage, found.default ? 'on' : 'off', ...(found.locked ? ['locked'] : [])].join(' ')
    t.equal(text, verdict, `${name} in ${version}`)
  }
})

t.test('a gate that is set counts more than the gates of its stage', async (t) => {
  const rows: readonly (readonly [Readonly<Record<string, boolean>>, boolean])[] = [
    [{}, false],
    [{ AllBeta: true }, false],
    [{ AllAlpha: true }, true],
    [{ AllAlpha: true, WinDSR: false }, false],
    [{ AllAlpha: false, WinDSR: true }, true],
  ]
  for (const [gates, on] of rows) t.equal(isOn('WinDSR', gates, '1.32.13'), on, gates)
})

t.test('fields are found by their path, and in their minors', async (t) => {
  const verdict = (program: KubeProgram, path: readonly (string | number)[], version: string) => {
    const leaf: Json = 'x'
    const document = path.reduceRight<Json>(
      (inner, step) => (typeof step === 'number' ? [inner] : { [step]: inner }),
      leaf,
    ) as JsonObject
    const fields = writtenFields(document, program, version)
    const { key = '', field } = fields.at(-1) ?? {}
    if (!fieldOfMinors(program, key)) return `unknown ${key}`
    const missing = fields.find((one) => one.field === undefined)
    if (missing) return `no ${missing.key}`
    return fields.some((one) => isLinuxOnly(program, one.key)) ? 'linux only' : field?.type
  }
  const rows: readonly (readonly [KubeProgram, readonly (string | number)[], string, string])[] = [
    ['kubelet', ['maxPods'], '1.25.0', 'int32'],
    ['kubelet', ['maxPod'], '1.36.0', 'unknown maxPod'],
    ['kubelet', ['toString'], '1.36.0', 'unknown toString'],
    ['kubelet', ['containerRuntimeEndpoint'], '1.26.15', 'no containerRuntimeEndpoint'],
    ['kubelet', ['containerRuntimeEndpoint'], '1.27.0-rc.0', 'string'],
    ['kubelet', ['evictionHard', 'memory.available'], '1.36.0', 'map of string to string'],
    ['kubelet', ['registerWithTaints', 0, 'key'], '1.36.0', 'string'],
    [
      'kubelet',
      ['registerWithTaints', 0, 'colour'],
      '1.36.0',
      'unknown registerWithTaints[].colour',
    ],
    ['kubelet', ['authentication', 'x509', 'clientCAFile'], '1.36.0', 'string'],
    ['kubelet', ['clusterDNS', 0], '1.36.0', 'list of string'],
    ['kubelet', ['cgroupDriver'], '1.36.0', 'linux only'],
    ['kubelet', ['userNamespaces', 'idsPerPod'], '1.36.0', 'linux only'],
    ['kubelet', ['singleProcessOOMKill'], '1.31.0', 'no singleProcessOOMKill'],
    ['kubelet', ['logging', 'options', 'text', 'splitStream'], '1.29.0', 'no logging.options.text'],
    ['kube-proxy', ['udpIdleTimeout'], '1.26.0', 'no udpIdleTimeout'],
    ['kube-proxy', ['windowsRunAsService'], '1.30.0', 'no windowsRunAsService'],
    ['kube-proxy', ['winkernel', 'sourceVip'], '1.30.0', 'string'],
    ['kube-proxy', ['ipvs', 'scheduler'], '1.30.0', 'linux only'],
  ]
  for (const [table, path, version, expected] of rows)
    t.equal(verdict(table, path, version), expected, `${path.join('.')} in ${version}`)
})

t.test('fields say the minors that have them', async (t) => {
  const rows: readonly (readonly [program: KubeProgram, key: string, having: string])[] = [
    ['kubelet', 'maxPods', '-'],
    ['kubelet', 'containerRuntimeEndpoint', '1.27-'],
    ['kubelet', 'tlsCurvePreferences', '1.36-'],
    ['kube-proxy', 'udpIdleTimeout', '-1.26'],
  ]
  for (const [table, key, having] of rows) {
    const { added = '', removed = '' } = fieldOfMinors(table, key) ?? {}
    t.equal(`${added}-${removed}`, having, key)
  }
})

t.test('fields hang together', async (t) => {
  for (const program of kubePrograms) {
    for (const minor of minorsWithTables) {
      const fields = tablesFor(minor)[program]
      for (const name of Object.keys(fields)) {
        const parent = name.slice(0, Math.max(name.lastIndexOf('.'), 0)).replace(/\[\]$/, '')
        if (parent !== '')
          t.match(fields[parent]?.type, /object/, `${name} has a parent in ${minor}`)
      }
    }
    const names = fieldNames(program)
    const linuxOnly = tables['linux-only-fields'][program]
    const strays = linuxOnly.filter((name) => !names.includes(name))
    t.strictSame(strays, [], 'fields for Linux are fields')
  }
})

t.test('artefacts have an address and a way to check them', async (t) => {
  for (const { id, base, path, checksum, digests = [], summary } of artifactSources) {
    t.match(artifactBases[base], /^https:\/\/[^/]+$/, `${id}: ${base} is a base`)
    t.notMatch(path, /^\/|\/\/|\s|\/v?\{version\}\/v\{version\}\//, id)
    t.match(path, /\{version\}/, id)
    t.match(summary, /\.$/, id)
    t.ok(checksum ?? digests.length > 0, id)
    for (const { see } of digests) t.match(see, /[0-9a-f]{40}|v\d/, `${id}: a page that stays`)
  }
  t.equal(
    artifactSource('kube-log-runner').path,
    'release/v{version}/bin/windows/amd64/kube-log-runner.exe',
  )
  t.throws(() => artifactSource('notepad'), { message: /no notepad$/ })
  for (const id of ['flanneld', 'nssm']) {
    const [digest] = artifactSource(id).digests ?? []
    t.equal(digest?.version, toolRelease(id).version, id)
  }
})

t.test('crictl goes with the minor of Kubernetes', async (t) => {
  const rows: readonly (readonly [string, string])[] = [
    ['1.25.3', '1.25.0'],
    ['1.31.14', '1.31.1'],
    ['1.36', '1.36.0'],
    ['1.37', '1.37.0'],
    [unknownMinor, kubernetesMinors.at(-1)?.crictl ?? ''],
    ['1.30.0-rc.1', '1.30.1'],
    ['1.24.0', '1.25.0'],
  ]
  for (const [version, crictl] of rows) t.equal(kubernetesOf(version).row.crictl, crictl, version)
})

t.test('components may lie so far apart', async (t) => {
  const rows: readonly (readonly [string, string, string, string])[] = [
    ['kubelet-with-api-server', '1.37.0', '1.36.5', 'newer'],
    ['kubelet-with-api-server', '1.36.5', '1.36.0', 'fine'],
    ['kubelet-with-api-server', '1.34.0', '1.37.0', 'edge'],
    ['kubelet-with-api-server', '1.33.0', '1.37.0', 'older'],
    ['kubelet-with-api-server', '1.24.0', '1.26.0', 'edge'],
    ['kubelet-with-api-server', '1.24.0', '1.27.0', 'older'],
    ['kube-proxy-with-kubelet', '1.37.0', '1.34.0', 'fine'],
    ['kube-proxy-with-kubelet', '1.37.0', '1.33.0', 'newer'],
    ['kubelet-with-kubeadm', '1.34.0', '1.37.0', 'edge'],
    ['kubelet-with-kubeadm', '1.37.0', '1.36.0', 'newer'],
    ['kubelet-with-api-server', '2.0.0', '1.37.0', 'fine'],
  ]
  for (const [id, of, to, verdict] of rows) {
    const rule = skewRules.find((row) => row.id === id)
    t.equal(rule && judgeSkew(rule, of, to), verdict, `${id}: ${of} with ${to}`)
  }
})

t.test('what a kubelet needs of its runtime', async (t) => {
  const unmet = (kubelet: string, containerd: string) =>
    ids(
      runtimeRequirements.filter(
        (row) => inRange(kubelet, row.range) && !inRange(containerd, row.containerd),
      ),
    )
  t.strictSame(unmet('1.25.16', '1.5.18'), [])
  t.strictSame(unmet('1.26.0', '1.5.18'), ['runtime-lacks-cri-v1'])
  t.strictSame(unmet('1.37.1', '1.7.36'), ['runtime-is-losing-support'])
  t.strictSame(unmet('1.38.0-rc.1', '1.7.36'), ['runtime-lacks-runtime-config'])
  t.strictSame(unmet('1.38.0', '2.0.0'), [])
})

t.test('labels that a node may give itself', async (t) => {
  const rows: readonly (readonly [string, boolean])[] = [
    ['pool', true],
    ['example.com/pool', true],
    ['notkubernetes.io/pool', true],
    ['node.kubernetes.io/pool', true],
    ['deep.node.kubernetes.io/pool', true],
    ['kubelet.kubernetes.io/x', true],
    ['topology.kubernetes.io/zone', true],
    ['topology.kubernetes.io/rack', false],
    ['node-role.kubernetes.io/worker', false],
    ['node-restriction.kubernetes.io/x', false],
    ['kubernetes.io/os', true],
    ['kubernetes.io/pool', false],
    ['app.k8s.io/x', false],
    ['k8s.io/x', false],
  ]
  for (const [key, allowed] of rows) t.equal(mayLabelItself(key), allowed, key)
  for (const key of labelsOfTheKubelet) t.ok(mayLabelItself(key), key)
})

t.test('eviction signals and cipher suites', async (t) => {
  t.equal(findEvictionSignal('memory.available')?.acts, true)
  t.equal(findEvictionSignal('imagefs.inodesFree')?.acts, false)
  t.equal(findEvictionSignal('luck.available'), undefined)
  for (const { signal, acts, why } of evictionSignals) t.ok(acts || why, `${signal} says why`)
  const strong = new Set(cipherSuites.strong)
  t.notOk(cipherSuites.weak.some((suite) => strong.has(suite)))
})

t.test('two added rows of a table differ by their minor, line or id', async (t) => {
  const of = (component: string) => ({ id: 'a', component })
  const rows: readonly [facts: JsonObject, at?: number][] = [
    [{ kubernetes: [{ minor: '1.38' }, { minor: '1.39' }] }],
    [{ kubernetes: [{ minor: '1.38' }, { minor: '1.38' }] }, 1],
    [{ containerd: [{ line: '2.4' }, { line: '2.5' }, { line: '2.4' }] }, 2],
    [{ advisories: [of('kubelet'), of('containerd')] }],
    [{ advisories: [of('kubelet'), of('kubelet')] }, 1],
    [{ defects: [of('kubelet'), of('containerd')].map((one) => ({ ...one, effect: 'x' })) }, 1],
  ]
  for (const [facts, at] of rows) t.equal(repeatedKey(facts)?.path[1], at, JSON.stringify(facts))
})
