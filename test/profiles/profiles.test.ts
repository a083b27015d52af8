// The built-in profiles: each renders, and whatever it warns of is explained in its comments.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { compile } from '../../src/compile.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { builtinNames, builtinPath, listProfiles } from '../../src/io/profiles/builtins.ts'
import { newestKubernetes } from '../../src/matrix/newest.ts'
import { windowsReleases, windowsStatus } from '../../src/matrix/windows.ts'
import { cniNames } from '../../src/cni/index.ts'
import { groupFindings } from '../../src/present/groups.ts'
import { renderFiles } from '../../src/render/render.ts'
import { compileBuiltin, errorsOf, requiredFieldsOf, layerOf, readStatic } from '../tools/bundle.ts'
import { root } from '../tools/run.ts'

const today = '2026-11-20'

const compiled = (name: string) => {
  const { layers } = loadProfile({ profile: name, root, cwd: root })
  return compile([...layers, layerOf(requiredFieldsOf(name))], name, { today })
}
const textOf = (name: string) => readFileSync(builtinPath(root, name), 'utf8')

for (const name of builtinNames(root)) {
  t.test(name, async (t) => {
    const { findings, plan } = compiled(name)
    t.strictSame(
      findings.filter(({ severity }) => severity === 'error'),
      [],
      'has no error',
    )
    if (!plan) return
    const files = await renderFiles(plan, readStatic)
    t.ok(files.some((file) => file.path === 'node.json'))
    const comments = [textOf('base'), textOf(name)].join('\n').match(/#.*/g)?.join('\n') ?? ''
    for (const { id } of findings.filter(({ severity }) => severity === 'warning'))
      t.ok(comments.includes(id), `${id} is explained`)
  })
}

/** What only the owner of the cluster knows: an error by profile. */
const gaps: Readonly<Record<string, readonly string[]>> = {
  'ws2022-antrea': ['antrea-needs-api-server-address'],
  'ws2022-calico': ['calico-needs-api-server-address'],
  'ws2022-calico-bgp': ['calico-needs-api-server-address'],
  'ws2022-calico-routed': ['calico-needs-api-server-address'],
  'ws2022-eks': ['eks-needs-cluster-name'],
}

t.test('a built-in profile has no warning and at most two notes', async (t) => {
  for (const name of builtinNames(root)) {
    const { layers } = loadProfile({ profile: name, root, cwd: root })
    const { findings } = compile(layers, name, { today })
    const errors = findings.filter(({ severity }) => severity === 'error')
    // An error is shown alone.
    const shown = errors.length > 0 ? errors : groupFindings(findings)
    const of = (worst: string) =>
      shown.flatMap(({ id, severity }) => (severity === worst ? [id] : []))
    const asked = gaps[name] ?? []
    t.strictSame([of('error'), of('warning')], [asked, []], name)
    t.ok(of('info').length <= 2, `${name}: ${of('info').join(', ')}`)
  }
})

t.test('the list', async (t) => {
  for (const row of listProfiles(root)) {
    t.match(row.summary, /\.$/, `${row.name} has a purpose`)
    t.equal(row.extends, row.name === 'base' ? undefined : 'base')
  }
})

t.test('each file of profiles/ is a built-in profile', async (t) => {
  const named = builtinNames(root).map((name) => path.basename(builtinPath(root, name)))
  t.strictSame(readdirSync(path.join(root, 'profiles')).sort(), named.sort())
  const wrong = named.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*\.yaml$/.test(name))
  t.strictSame(wrong, [], 'in lower case')
})

t.test('each network plugin has a profile', async (t) => {
  const all = builtinNames(root).map((name) => compiled(name).facts.spec.network.cni)
  for (const cni of cniNames) t.ok(all.includes(cni), `profiles/ has one with ${cni}`)
})

t.test('each Windows release that Kubernetes supports has a profile', async (t) => {
  const all = builtinNames(root).map((name) => compiled(name).facts.spec.windows.release)
  const { minor } = newestKubernetes()
  const supported = windowsReleases.filter(
    (one) => windowsStatus(one, minor)?.status === 'supported',
  )
  for (const { id } of supported) t.ok(all.includes(id), `profiles/ has one with ${id}`)
})

t.test('values that a profile leaves open are required', async (t) => {
  const found = Object.fromEntries(
    builtinNames(root).map((name) => [name, errorsOf(compileBuiltin(name))] as const),
  )
  const open = Object.entries(found).filter(([, errors]) => errors.length > 0)
  t.strictSame(Object.fromEntries(open), gaps)
  for (const [name, errors] of open)
    for (const id of errors) t.ok(textOf(name).includes(id), `${id} is explained`)
})

t.test('Antrea prepares the machine and leaves the network to its DaemonSet', async (t) => {
  const plan = compiled('ws2022-antrea').plan
  const ids = plan?.steps.map(({ id }) => id) ?? []
  const files = plan?.files.map((file) => file.path) ?? []
  t.strictSame(
    files.filter((file) => /kube-proxy|files\/cni|flannel/.test(file)),
    [],
    'no CNI conf, no kube-proxy',
  )
  t.strictSame(
    plan?.steps
      .filter(({ phase, kind }) => phase === 'boot' && kind !== 'pluginFile')
      .map(({ id }) => id),
    ['antrea-switch', 'running-kubelet', 'route-metadata'],
    'the loop removes what the last boot has left, then it looks after the kubelet and the route to a cloud',
  )
  t.ok(ids.includes('boot-task'))
  t.notOk(ids.some((id) => id.includes('kube-proxy')))
  for (const id of ['boot-test-signing', 'firewall-geneve', 'firewall-antrea', 'feature-hyper-v'])
    t.ok(ids.includes(id), id)
  t.ok(plan?.preflight.some(({ kind }) => kind === 'secureBootOff'))
  t.strictSame(
    plan?.facts.map(({ name }) => name),
    ['nodeName', 'nodeIP', 'podSubnet'],
    'only what is used',
  )
})

t.test('Antrea opens the port of its tunnel, and of no other', (t) => {
  const opened = (backend: string, antrea = {}) => {
    const { layers } = loadProfile({ profile: 'ws2022-antrea', root, cwd: root })
    const patch = { network: { backend, antrea } }
    const { plan } = compile(
      [...layers, layerOf(requiredFieldsOf('ws2022-antrea')), layerOf(patch)],
      'antrea',
      { today },
    )
    return plan?.steps.flatMap((step) =>
      step.kind === 'firewallRule' && /geneve|vxlan|stt/.test(step.id)
        ? [`${step.id} ${step.protocol} ${step.ports}`]
        : [],
    )
  }
  t.strictSame(opened('geneve'), ['firewall-geneve UDP 6081'])
  t.strictSame(opened('vxlan'), ['firewall-vxlan UDP 4789'])
  t.strictSame(opened('stt'), ['firewall-stt TCP 7471'])
  t.strictSame(opened('vxlan', { tunnelPort: 8472 }), ['firewall-vxlan UDP 8472'])
  t.end()
})

t.test('patch levels', async (t) => {
  const rows: readonly (readonly [name: string, revision: number | undefined])[] = [
    ['ws2019-flannel-overlay', 1518],
    ['ws2022-flannel-overlay', undefined],
    ['ws2025-flannel-overlay', 6899],
  ]
  for (const [name, revision] of rows) {
    const check = compiled(name).plan?.preflight.find(({ kind }) => kind === 'revisionAtLeast')
    t.equal(check?.with['revision'], revision, `${name} refuses less`)
  }
})
