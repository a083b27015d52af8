// winnode solve: the best supported values of what a profile leaves out, or the fields that allow none.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
import { checkWithoutUpgrades } from '../../src/check.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { containerdLines } from '../../src/matrix/containerd.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import type { JsonObject } from '../../src/model/json.ts'
import { solve } from '../../src/support/solve.ts'
import { newestPatch } from '../tools/minors.ts'
import { inProcess, root } from '../tools/run.ts'

const day = '2026-11-26'
const minimal = 'apiVersion: winnode/v1\nkind: NodeProfile\n'

interface Solved {
  readonly choices: readonly {
    readonly field: string
    readonly value: string
    readonly reason: string
  }[]
  readonly supportedUntil: string
  readonly findings: readonly { readonly severity: string }[]
  readonly written: boolean
}

async function solved(
  t: Test,
  text: string,
  ...flags: readonly string[]
): Promise<Solved & { readonly text: string }> {
  const file = path.join(t.testdir({ 'node.yaml': text }), 'node.yaml')
  const { stdout, code } = await inProcess(['solve', file, '--as-of', day, '--json', ...flags])
  t.equal(code, 0, stdout)
  return { ...(JSON.parse(stdout) as Solved), text: readFileSync(file, 'utf8') }
}

const valuesOf = ({ choices }: Pick<Solved, 'choices'>) =>
  Object.fromEntries(choices.map(({ field, value }) => [field, value]))

t.test('a profile that leaves everything out', async (t) => {
  const all = await solved(t, minimal)
  t.match(valuesOf(all), {
    'windows.release': 'ws2022',
    'network.cni': 'flannel',
    'network.mode': 'overlay',
    'network.backend': 'vxlan',
  })
  const reasons = Object.fromEntries(all.choices.map(({ field, reason }) => [field, reason]))
  t.match(reasons, {
    'windows.release': 'ws2025 adds warnings: overlay-needs-patch-level',
    'kubernetes.version': /^supported until \d{4}-\d\d-\d\d; 1\.\d+\.\d+ until \d{4}-\d\d-\d\d$/,
    'containerd.version': /^supported until \d{4}-\d\d-\d\d; 2\.\d+\.\d+ until \d{4}-\d\d-\d\d$/,
    'network.cni': 'win-bridge l2bridge also needs network.routes',
    'network.mode': 'the default; flannel l2bridge host-gw is supported as long',
    'network.backend': 'the only backend of flannel overlay',
  })
  t.equal((await solved(t, minimal)).supportedUntil, all.supportedUntil, 'the same every time')
})

t.test('another containerd where the default adds a warning', async (t) => {
  const text = `${minimal}kubernetes:\n  version: '1.30'\n`
  const found = await solved(t, text)
  const choice = found.choices.find(({ field }) => field === 'containerd.version')
  t.match(choice, { value: /^2\.0\./, reason: /adds warnings: containerd-newer-than-kubernetes$/ })
  const count = ({ findings }: Pick<Solved, 'findings'>) =>
    findings.filter(({ severity }) => severity === 'warning').length
  for (const { line } of containerdLines.filter(({ endOfLife }) => day <= endOfLife)) {
    const other = await solved(t, `${text}containerd:\n  version: '${line}'\n`)
    t.ok(count(other) >= count(found), line)
  }
})

t.test('what the profile sets stays, and decides about the rest', async (t) => {
  const calico = await solved(t, `${minimal}network:\n  cni: calico\n`)
  t.notMatch(valuesOf(calico), { 'network.cni': /./ })
  t.match(valuesOf(calico), { 'network.mode': 'overlay', 'windows.release': 'ws2022' })
  t.match(
    calico.choices.find(({ field }) => field === 'kubernetes.version')?.reason,
    /^1\.\d+\.\d+ adds warnings: calico-untested-with-kubernetes$/,
  )
  const old = await solved(t, `${minimal}kubernetes:\n  apiServer: '1.35'\n`)
  t.match(valuesOf(old)['kubernetes.version'], /^1\.35\./, 'not newer than the API server')
})

t.test('a backend is free where the profile leaves it out', async (t) => {
  const rows: readonly (readonly [network: string, choices: object, reason: RegExp])[] = [
    [
      'cni: calico, mode: l2bridge',
      { 'network.backend': 'none' },
      /^calico l2bridge bgp is refused: calico-bgp-needs-routing$/,
    ],
    ['cni: flannel, mode: l2bridge', { 'network.backend': 'host-gw' }, /^the only backend of /],
    [
      'backend: host-gw',
      { 'network.cni': 'flannel', 'network.mode': 'l2bridge' },
      /^the only mode of flannel that fits$/,
    ],
    [
      'cni: antrea, antrea: { ovsDriver: signed }',
      { 'network.mode': 'transparent', 'network.backend': 'geneve' },
      /^the default; antrea transparent vxlan is supported as long$/,
    ],
    ['cni: calico, mode: l2bridge, backend: none', { 'network.backend': undefined }, /./],
    ['cni: none, mode: overlay', { 'network.backend': undefined }, /./],
    ['cni: eks', { 'network.mode': 'l2bridge', 'network.backend': undefined }, /^the only mode /],
  ]
  const features = 'host:\n  features: [Containers, Hyper-V, Hyper-V-PowerShell]\n'
  for (const [network, choices, reason] of rows) {
    const text = `${minimal}${network.includes('antrea') ? features : ''}network: { ${network} }\n`
    const found = await solved(t, text)
    const values = valuesOf(found)
    const names = ['network.cni', 'network.mode', 'network.backend'] as const
    t.match(values, choices, network)
    t.strictSame(
      names.filter((name) => name in values),
      Object.entries(choices).flatMap(([name, value]) => (value === undefined ? [] : [name])),
      network,
    )
    const last = found.choices.filter(({ field }) => field.startsWith('network.')).at(-1)
    if (last) t.match(last.reason, reason, network)
  }
})

t.test('a field that a provider’s image decides is not chosen', async (t) => {
  const text = `${minimal}extends: ws2022-eks\nnetwork:\n  eks:\n    clusterName: prod\n`
  const { choices, text: written } = await solved(t, text, '--write')
  t.notMatch(valuesOf({ choices }), { 'containerd.version': /./ })
  t.equal((await solved(t, written)).choices.length, 0)
})

t.test('no other combination is better', (t) => {
  const combine = (patch: JsonObject) =>
    checkWithoutUpgrades(
      [...layers, { name: 'other', patch, place: () => undefined }],
      'node',
      judging,
    ).findings
  const { layers } = loadProfile({ profile: 'ws2022-flannel-overlay', root, cwd: root })
  const judging = { today: day, allowNewer: false }
  const result = solve([layers, 'node', judging])
  if ('fields' in result) throw new Error('no solution')
  const count = (findings: typeof result.solved.findings, severity: string) =>
    findings.filter((one) => one.severity === severity).length
  const warnings = count(result.solved.findings, 'warning')
  t.equal(count(result.solved.findings, 'error'), 0)
  for (const { newestPatch: version } of kubernetesMinors)
    for (const line of containerdLines) {
      const other = combine({ kubernetes: { version }, containerd: { version: line.newestPatch } })
      const worse = count(other, 'error') > 0 || count(other, 'warning') >= warnings
      t.ok(worse, `${version} with ${line.newestPatch}`)
    }
  t.end()
})

t.test('--write writes what was left out, and keeps comments', async (t) => {
  const text = `${minimal}# my pool\nkubelet:\n  maxPods: 50 # fewer\n`
  const { text: written, choices } = await solved(t, text, '--write')
  t.ok(written.startsWith(text))
  for (const { value } of choices) t.match(written, new RegExp(`: ${value}\n`))
  const again = await solved(t, written)
  t.strictSame(again.choices, [], 'nothing is left to choose')
  t.equal((await solved(t, text)).text, text, 'without --write the file stays')
})

t.test('versions out of support where no others fit', async (t) => {
  const old = await solved(t, `${minimal}kubernetes:\n  apiServer: 1.30.14\n`)
  t.match(
    valuesOf(old)['kubernetes.version'],
    /^1\.30\./,
    'no kubelet is newer than its API server',
  )
  t.ok(old.supportedUntil < day, old.supportedUntil)
})

t.test('nothing fits', async (t) => {
  const file = path.join(t.testdir(), 'node.yaml')
  writeFileSync(
    file,
    `${minimal}kubelet:\n  maxPods: 40\nwindows:\n  release: ws2025\nkubernetes:\n  version: '1.36'\nnetwork:\n  cni: calico\n`,
  )
  const { code, stdout } = await inProcess(['solve', file, '--as-of', day, '--json'])
  t.equal(code, 3)
  t.match(JSON.parse(stdout), {
    conflict: [
      { field: 'windows.release', value: 'ws2025' },
      { field: 'network.cni', value: 'calico' },
    ],
    findings: [{ id: 'calico-lacks-windows-release' }],
  })
  const { stderr } = await inProcess(['solve', file, '--as-of', day])
  t.match(
    stderr,
    /these fields of the profile exclude each other\nFIELD +VALUE\nwindows\.release +ws2025\n/,
  )
  for (const field of ['windows.release=ws2022', 'network.cni=flannel'])
    t.match(await inProcess(['solve', file, '--as-of', day, '--set', field]), { code: 0 }, field)
})

t.test('an error that every version has is shown for the newest one', async (t) => {
  const sets = ['--set', 'kubernetes.version=1.36', '--set', 'kubelet.featureGates.Nope=true']
  const { stdout } = await inProcess(['solve', 'ws2022-calico', ...sets, '--as-of', day, '--json'])
  t.match(JSON.parse(stdout), {
    conflict: [{ field: 'kubelet.featureGates.Nope', value: true }],
    findings: [{ message: `kubelet ${newestPatch} has no feature gate Nope and would not start` }],
  })
})

t.test('a mode that the plugin lacks', async (t) => {
  for (const cni of ['calico', 'flannel']) {
    const sets = ['--set', `network.cni=${cni}`, '--set', 'network.mode=transparent']
    const { stdout, code } = await inProcess(['solve', 'base', ...sets, '--as-of', day, '--json'])
    t.equal(code, 3)
    t.match(
      JSON.parse(stdout),
      {
        conflict: [
          { field: 'network.cni', value: cni },
          { field: 'network.mode', value: 'transparent' },
        ],
        findings: [{ id: 'network-mode-not-of-plugin' }],
      },
      cni,
    )
    for (const other of ['network.cni=none', 'network.mode=l2bridge'])
      t.match(
        await inProcess(['solve', 'base', ...sets, '--as-of', day, '--set', other]),
        { code: 0 },
        other,
      )
  }
  const antrea = ['--set', 'network.cni=antrea', '--set', 'network.mode=transparent']
  const { stdout } = await inProcess(['solve', 'base', ...antrea, '--as-of', day, '--json'])
  t.match(JSON.parse(stdout), { conflict: [{ field: 'network.cni', value: 'antrea' }] })
})

t.test('a version that another one excludes', async (t) => {
  const rows = ['apiServer', 'kubeProxy'].map((name) => `kubernetes.${name}`)
  for (const field of rows) {
    const value = field.endsWith('apiServer') ? '1.35' : '1.37'
    const sets = ['--set', 'kubernetes.version=1.36', '--set', `${field}=${value}`]
    const { stdout, code } = await inProcess(['solve', 'base', ...sets, '--as-of', day, '--json'])
    t.equal(code, 3)
    const { conflict } = JSON.parse(stdout) as { readonly conflict: readonly { field: string }[] }
    t.strictSame(
      conflict.map((one) => one.field),
      ['kubernetes.version', field],
    )
  }
})

t.test('fields that only the errors of the others name', async (t) => {
  const dual = `network:
  cni: flannel
  podCIDRs: [10.244.0.0/16, 'fd00:1::/56']
  serviceCIDRs: [10.96.0.0/12, 'fd00:2::/112']
`
  for (const [text, one, lacking] of [
    [`${dual}  mode: overlay\n`, 'network.mode', '  mode: overlay\n'],
    [dual, 'network.cni', '  cni: flannel\n'],
  ] as const) {
    const ask = async (network: string) => {
      const file = path.join(t.testdir({ 'node.yaml': `${minimal}${network}` }), 'node.yaml')
      return inProcess(['solve', file, '--as-of', day, '--json'])
    }
    const { stdout, code } = await ask(text)
    t.equal(code, 3)
    const { conflict } = JSON.parse(stdout) as { readonly conflict: readonly { field: string }[] }
    t.strictSame(
      conflict.map(({ field }) => field),
      [one, 'network.serviceCIDRs'],
    )
    const [services = ''] = /^ +serviceCIDRs.*\n/m.exec(text) ?? []
    t.match(await ask(`network:\n${lacking}${services}`), { code: 3 }, 'alone they conflict')
    t.match(await ask(`network:\n${lacking}`), { code: 0 })
    t.match(await ask(`network:\n${services}`), { code: 3 }, 'no known plugin has IPv6')
    t.match(await ask(`network:\n  cni: none\n${services}`), { code: 0 })
  }
})

t.test('a mistake of a file or a layer excludes no field', async (t) => {
  const text = 'extends: ws2022-flannel-overlay\nhost:\n'
  const file = path.join(t.testdir({ 'node.yaml': minimal + text }), 'node.yaml')
  const replaced = ['--set', 'kubelet.maxPods=many', '--set', 'kubelet.maxPods=40']
  for (const [id, ...typed] of [
    ['empty-value', file],
    ['wrong-kind', 'base', ...replaced],
    ['unknown-field', 'base', '--set', 'kubelet.maxPod=40'],
    ['unknown-choice', 'base', '--set', 'windows.release=ws2023'],
  ] as const) {
    const { stdout, code } = await inProcess(['solve', ...typed, '--as-of', day, '--json'])
    t.equal(code, 3, id)
    const { conflict, findings } = JSON.parse(stdout) as {
      readonly conflict?: unknown
      readonly findings: readonly { readonly id: string }[]
    }
    t.equal(conflict, undefined, id)
    t.strictSame(
      findings.map((one) => one.id),
      [id],
    )
  }
})

t.test('one field that goes with nothing', async (t) => {
  const text = `${minimal}network:\n  clusterDNS: [10.200.0.10]\n`
  const file = path.join(t.testdir({ 'node.yaml': text }), 'node.yaml')
  const { code, stderr } = await inProcess(['solve', file, '--as-of', day])
  t.equal(code, 3)
  t.match(stderr, /allows none\nFIELD +VALUE\nnetwork\.clusterDNS +\["10\.200\.0\.10"\]\n/)
  t.match(stderr, /\nerror\[cluster-dns-outside-services\] \S*node\.yaml:4:16\n/)
  t.match(stderr, /more about a finding: winnode explain cluster-dns-outside-services\n$/)
})

t.test('a day on which nothing is supported any more', async (t) => {
  const { stdout, stderr, code } = await inProcess(['solve', 'base', '--as-of', '2040-01-01'])
  t.equal(code, 0)
  t.match(
    stdout,
    /^kubernetes\.version +1\..* the default; no version is supported on 2040-01-01$/m,
  )
  t.match(stderr, /kubernetes-end-of-life/)
})

t.test('a day on which other versions have ended', async (t) => {
  for (const [date, field] of [
    [kubernetesMinors.at(-1)?.maintenance, 'kubernetes.version'],
    ['2032-01-01', 'windows.release'],
  ]) {
    const { stdout } = await inProcess(['solve', 'base', '--as-of', String(date), '--json'])
    const { choices } = JSON.parse(stdout) as Solved
    const { reason } = choices.find((one) => one.field === field) ?? {}
    t.equal(reason, `the only version still supported on ${date}`, String(field))
  }
})

t.test('what is refused', async (t) => {
  const write = ['solve', 'ws2022-flannel-overlay', '--write']
  t.match(await inProcess(write), { code: 2, stderr: /--write needs a profile in a file/ })
  const folder = t.testdir({ 'node.yaml': 'apiVersion: winnode/v1\nkind: NodeProfile\n  bad: [\n' })
  const file = path.join(folder, 'node.yaml')
  t.match(await inProcess(['solve', file]), { code: 3, stderr: /./ })
  t.match(await inProcess(['solve', file.replace('node', 'none')]), { code: 2 })
  const layer = ['solve', 'ws2022-flannel-overlay', '--layer', file]
  t.match(await inProcess(layer), { code: 3, stderr: /^error\[/ }, 'a layer that cannot be read')
})
