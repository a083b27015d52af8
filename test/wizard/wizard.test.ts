// The wizard: what it asks, what it refuses, and that no answers lead to a profile that does not work.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import t from 'tap'
import { checkWithoutUpgrades } from '../../src/check.ts'
import { compile } from '../../src/compile.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { withoutHeader } from '../../src/io/profiles/header.ts'
import { newestKubernetes } from '../../src/matrix/newest.ts'
import { readSource } from '../../src/io/source.ts'
import { editProfile } from '../../src/io/source/edit-profile.ts'
import { composeProfile } from '../../src/io/source/compose.ts'
import { mergeJson, valueAt, type Json, type JsonObject } from '../../src/model/json.ts'
import type { Layer } from '../../src/model/layer.ts'
import type { Path } from '../../src/model/path.ts'
import { fields } from '../../src/profile/catalogue.ts'
import { planOf } from '../../src/plan.ts'
import { mergeLayers } from '../../src/profile/merge.ts'
import { engine } from '../../src/wizard/engine.ts'
import { flags } from '../../src/wizard/flags.ts'
import type { Outcome, Question } from '../../src/wizard/question.ts'
import { menu, rowAt, rowOf, rows } from '../../src/wizard/rows.ts'
import { baseOf, type Session } from '../../src/wizard/session.ts'
import { codecFor } from '../../src/wizard/row.ts'
import { isEqual } from '../../src/wizard/equal.ts'
import { bases, choice, digest, opening, run, upTo } from './answered.ts'
import { errorsOf, layerOf, renderCompiled, textsOf, today } from '../tools/bundle.ts'
import { inProcess, root } from '../tools/run.ts'
import { everything } from '../tools/everything.ts'

t.test('nothing but Enter gives a profile that works', async (t) => {
  const { outcome, ids } = run({})
  t.equal(outcome.base, 'ws2022-flannel-overlay')
  t.strictSame(outcome.patch, {}, 'an empty patch')
  t.ok(outcome.compiled.plan)
  t.notOk(ids.includes('ca-hashes'), 'without an endpoint no hash is asked')
  t.strictSame(
    outcome.open.map(({ subject }) => subject),
    [
      ...['processors', 'memory', 'disk'],
      ...['API server', 'pod CIDR', 'service CIDR', 'cluster DNS', 'cluster domain'],
    ],
    'what only the cluster knows is left to compare',
  )
})

/** What Enter accepts: the value in the field, or the choice that is selected. */
function acceptAll(session = opening()) {
  const asked: Question[] = []
  let at = session
  for (let question = engine.nextQuestion(at); question; question = engine.nextQuestion(at)) {
    asked.push(question)
    const can = question.choices?.filter(({ cannot }) => cannot === undefined)
    const selected =
      can?.find(({ value }) => value === question.proposal) ??
      can?.find(({ recommended }) => recommended !== undefined) ??
      can?.at(0)
    const text = selected?.value ?? question.proposal
    at = text === undefined ? engine.skip(at, question) : engine.answer(at, question, text)
  }
  return { asked, outcome: engine.outcome(at) }
}

t.test('seven questions, and what they say stays in the profile', async (t) => {
  const { asked, outcome } = acceptAll()
  t.strictSame(
    asked.map(({ title, step }) => [step, title]),
    [
      ['1 of 7', 'Kubernetes API server version'],
      ['2 of 7', 'Windows Server release'],
      ['3 of 7', 'Network plugin'],
      ['4 of 7', 'HNS network mode'],
      ['5 of 7', 'API server endpoint (host:port)'],
      ['6 of 7', 'Pod CIDR'],
      ['7 of 7', 'Service CIDR'],
      [undefined, 'Review and finish, or customize'],
    ],
  )
  t.strictSame(Object.keys(outcome.patch), ['kubernetes', 'windows', 'network'])
  t.match(outcome.patch, {
    windows: { release: 'ws2022' },
    network: { cni: 'flannel', mode: 'overlay', podCIDRs: ['10.244.0.0/16'] },
  })
  t.match(commented(outcome), /podCIDRs|Default value\./)
  t.notMatch(commented(outcome), /reserve|isolation|taints/, 'nothing that was not asked')
  t.ok(
    outcome.open.some(({ subject }) => subject === 'pod CIDR'),
    'a default that was accepted is still to compare',
  )
})

t.test('a question with one answer is not asked, and not counted', async (t) => {
  const antrea = engine.give(opening(), 'cni', 'antrea')
  const { question } = upTo('endpoint', {}, antrea)
  t.equal(question.step, '3 of 5', 'nor one that a flag answers')
  const named = engine.answer(antrea, question, 'api.example.com:6443')
  t.equal(
    engine.question(named, 'ca-hashes')?.step,
    '3 of 5, second part',
    'the hash belongs to the endpoint',
  )
})

t.test('the line that kubeadm prints answers both questions about joining', async (t) => {
  const line = `kubeadm join 10.0.0.1:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash ${digest}`
  const { at, question } = upTo('endpoint', {})
  t.equal(question.shown(line), `10.0.0.1:6443, ${digest}`, 'the token is not shown')
  const both = engine.answer(at, question, line)
  const { patch } = engine.outcome(both)
  t.strictSame(patch['join'], { endpoint: '10.0.0.1:6443', caCertHashes: [digest] })
  t.equal(engine.nextQuestion(both)?.id, 'pod-network')
  t.equal(engine.nextQuestion(engine.back(both))?.id, 'endpoint')
  const own = engine.give(at, 'ca-hashes', `sha256:${'b'.repeat(64)}`)
  t.match(engine.outcome(engine.answer(own, question, line)).patch, {
    join: { caCertHashes: [`sha256:${'b'.repeat(64)}`] },
  })
  const hash = engine.nextQuestion(engine.answer(at, question, line.replace(/ --disc.*/, '')))
  t.equal(hash?.id, 'ca-hashes', 'a line without its end has no hash')
  t.match(hash?.hint, 'kubeadm token create --print-join-command')
  t.match(hash?.must, /^without it kubeadm/)
  t.equal(hash?.shown(line), digest)
  t.equal(hash?.shown(line.replace('hash ', 'hash=')), digest, 'as scripts write it')
  t.match(engine.question(at, 'pod-network')?.hint, /podSubnet of `kubectl .*kubeadm-config/)
})

t.test('Customize asks a group, and comes back', async (t) => {
  const idsAfter = (group: string, session: Session) => {
    const { at, question } = upTo('customize', {}, session)
    const ids: string[] = []
    let next = engine.answer(at, question, group)
    for (let one = engine.nextQuestion(next); one; one = engine.nextQuestion(next)) {
      if (one.id === 'customize') return ids
      ids.push(one.id)
      next = engine.skip(next, one)
    }
    throw new Error('it does not come back')
  }
  const antrea = ['cni=antrea', 'endpoint=api.example.com:6443', `ca-hashes=${digest}`].reduce(
    (session, word) => {
      const [id = '', text = ''] = word.split('=')
      return engine.give(session, id, text)
    },
    opening(),
  )
  t.strictSame(idsAfter('sizing', opening()), ['cpu', 'memory', 'disk', 'max-pods', 'sizing'])
  t.strictSame(idsAfter('all fields', opening()), ['any-field'])
  const { at, question } = upTo('any-field', {})
  const byField = engine.answer(at, question, 'network.clusterDNS')
  const dns = engine.nextQuestion(byField)
  t.equal(dns?.id, 'dns', 'a field with its own question')
  t.equal(dns && engine.nextQuestion(engine.skip(byField, dns))?.id, 'customize', 'asked once')
  const common = ['join-method', 'kubernetes', 'node-network', 'dns', 'domain', 'node-mask']
  t.strictSame(idsAfter('join', opening()), [...common, 'vni', 'port'])
  t.strictSame(idsAfter('join', antrea), [...common, 'ovs-driver'])
  t.strictSame(idsAfter('join', engine.give(opening(), 'mode', 'l2bridge')), common)
  const eks = upTo(
    'customize',
    { cni: 'eks', 'eks-cluster': 'lab' },
    engine.give(opening(), 'cni', 'eks'),
  )
  t.strictSame(
    engine.answer(eks.at, eks.question, 'join').queue,
    ['kubernetes', 'dns', 'eks-cluster', 'eks-prefixes'],
    'not what the image decides',
  )
})

t.test('the built-in profile that says most is extended', async (t) => {
  const extended: readonly (readonly [answers: Record<string, string>, base: string])[] = [
    [{ windows: 'ws2025' }, 'ws2025-flannel-overlay'],
    [{ windows: 'ws2019' }, 'ws2019-flannel-overlay'],
    [{ mode: 'l2bridge' }, 'ws2022-flannel-l2bridge'],
    [{ windows: 'ws2025', mode: 'l2bridge' }, 'ws2025-flannel-overlay'],
    [{ cni: 'antrea', endpoint: 'api.example.com:6443', 'ca-hashes': digest }, 'ws2022-antrea'],
  ]
  for (const [answers, base] of extended)
    t.equal(run(answers).outcome.base, base, JSON.stringify(answers))
})

t.test('a release keeps its update revision in every mode', async (t) => {
  const { outcome } = run({ windows: 'ws2019', mode: 'l2bridge' })
  t.equal(outcome.base, 'ws2019-flannel-overlay')
  t.notOk(outcome.compiled.findings.some(({ id }) => id === 'dsr-needs-patch-level'))
})

t.test('what people paste is understood', async (t) => {
  const typings: readonly (readonly [id: string, typed: string, value: Json])[] = [
    ['endpoint', 'https://api.example.com:6443/', 'api.example.com:6443'],
    ['endpoint', 'https://api.example.com', 'api.example.com:443'],
    ['endpoint', 'api.example.com:6443', 'api.example.com:6443'],
    ['windows', '2022', 'ws2022'],
    ['windows', 'ltsc2022', 'ws2022'],
    ['windows', '20348', 'ws2022'],
    ['windows', 'Windows Server 2025', 'ws2025'],
    ['mode', 'vxlan', 'overlay'],
    ['mode', 'host-gw', 'l2bridge'],
    ['cni', 'Antrea', 'antrea'],
    [
      'taints',
      'os=windows:NoSchedule, x:NoExecute',
      [
        { key: 'os', value: 'windows', effect: 'NoSchedule' },
        { key: 'x', effect: 'NoExecute' },
      ],
    ],
    ['labels', 'pool=web, zone=a', { pool: 'web', zone: 'a' }],
    ['labels', 'pool: web', { pool: 'web' }],
    [
      'mirrors',
      'docker.io=harbor.corp.example',
      { 'docker.io': [{ url: 'https://harbor.corp.example' }] },
    ],
    [
      'mirrors',
      'docker.io=harbor.corp.example/v2/hub',
      { 'docker.io': [{ url: 'https://harbor.corp.example/v2/hub', overridePath: true }] },
    ],
    [
      'mirrors',
      '{"docker.io": [{"url": "https://m.io", "ca": "C:\\\\ca.crt"}]}',
      { 'docker.io': [{ url: 'https://m.io', ca: 'C:\\ca.crt' }] },
    ],
    [
      'downloads',
      'kubernetes=files.corp.example/k8s',
      { kubernetes: 'https://files.corp.example/k8s' },
    ],
  ]
  for (const [id, typed, value] of typings) {
    const row = rowOf(id)
    if (!row) throw new Error(`${id} is a question`)
    const given = engine.give(opening(), id, typed)
    t.strictSame(given.answers.at(-1)?.value, value, `${id} ${typed}`)
  }
})

t.test('what is not understood is refused with the form that works', async (t) => {
  const typings: readonly (readonly [id: string, typed: string, problem: string])[] = [
    [
      'taints',
      'windows',
      '"windows": expected KEY=VALUE:EFFECT, for example os=windows:NoSchedule',
    ],
    ['labels', 'pool', '"pool": expected KEY=VALUE, for example pool=web'],
    [
      'mirrors',
      'harbor.corp.example',
      '"harbor.corp.example": expected REGISTRY=URL, for example registry.k8s.io=https://harbor.corp.example',
    ],
    [
      'downloads',
      'https://files.corp.example',
      '"https://files.corp.example": expected SOURCE=URL, for example kubernetes=https://files.corp.example',
    ],
    [
      'downloads',
      '/nope',
      '"/nope": expected SOURCE=URL, for example kubernetes=https://mirror.example.com',
    ],
    [
      'mirrors',
      './nope',
      '"./nope": expected REGISTRY=URL, for example registry.k8s.io=https://mirror.example.com',
    ],
    [
      'windows',
      'kubeadm jion 192.0.2.1:6443 --token abcdef.0123456789abcdef',
      `"kubeadm jion 192.0.2.1:6443 ${'*'.repeat(31)}" is not supported; use one of ws2025, ws2022, ws2019`,
    ],
    ['windows', '2012', '"2012" is not supported; use one of ws2025, ws2022, ws2019'],
    [
      'cni',
      'cilium',
      '"cilium" is not supported: it has no agent for Windows; use one of flannel, calico, antrea, win-bridge, eks, none',
    ],
    [
      'mode',
      'NAT',
      '"NAT" is not supported: it connects the containers of one machine, and other nodes cannot reach their addresses; use one of overlay, l2bridge, transparent',
    ],
    ['mode', 'ipip', '"ipip" is not supported; use one of overlay, l2bridge, transparent'],
  ]
  for (const [id, typed, problem] of typings)
    t.equal(engine.question(opening(), id)?.check(typed), problem, `${id} ${typed}`)
  const bridged = engine.give(opening(), 'cni', 'win-bridge')
  t.equal(
    engine.question(bridged, 'mode')?.check('ipip'),
    '"ipip" is not supported; use l2bridge',
    'the only one',
  )
})

t.test('the reason is the reason', async (t) => {
  const found = [
    { path: ['kubernetes', 'apiServer'], value: '1.34.2', where: 'GET /version', others: [] },
  ]
  const { question } = upTo('windows', {}, opening({ found }))
  t.match(choice(question, 'ws2016')?.cannot, /Windows Server 2016/)
  t.notMatch(choice(question, 'ws2016')?.cannot, /too new/, 'no kubelet has been chosen yet')
  const own = layerOf({
    kubernetes: { version: '1.36' },
    network: { cni: 'antrea' },
    join: { endpoint: 'api.example.com:6443', caCertHashes: [digest] },
  })
  t.match(
    choice(upTo('api-server', {}, opening({ own })).question, '1.35')?.cannot,
    /^kubelet [\d.]+ is newer than/,
    'not the missing driver, which another question asks',
  )
  const antrea = engine.give(opening(), 'cni', 'antrea')
  t.match(engine.question(antrea, 'endpoint')?.must, /Antrea replaces kube-proxy/)
  t.match(engine.question(antrea, 'ca-hashes')?.must, /^without it kubeadm/)
  const named = engine.give(antrea, 'endpoint', 'api.example.com:6443')
  t.match(engine.question(named, 'ca-hashes')?.must, /cannot verify the API server/)
})

t.test('what is recommended has a reason that needs no later answer', async (t) => {
  const question = engine.nextQuestion(opening())
  t.equal(question?.id, 'api-server')
  const reasons = question?.choices?.flatMap(({ recommended }) => recommended ?? [])
  t.match(reasons, [/^newest known patch of [\d.]+, the newest minor with no known CVEs$/])
})

t.test('the current value can be selected, whatever else is offered', async (t) => {
  const asking = (session: Session, id: string): Question => {
    const question = engine.question(session, id)
    if (!question) throw new Error(`${id} is not asked`)
    return question
  }
  const says = (value: string) =>
    opening({
      found: [{ path: ['kubernetes', 'apiServer'], value, where: 'GET /version', others: [] }],
    })
  const values = (session: Session) =>
    asking(session, 'api-server').choices?.map(({ value }) => value) ?? []
  const offered = values(opening())
  t.strictSame(
    values(says('1.36.2')),
    offered.flatMap((value) => (value === '1.36' ? ['1.36.2', value] : [value])),
  )
  t.strictSame(values(says('1.36')), offered)
  t.match(choice(asking(says('0.1.2'), 'api-server'), '0.1.2')?.cannot, /0\.1/)
  const own = layerOf({ containerd: { version: '2.3.1' } })
  const containerd = asking(opening({ own }), 'containerd')
  t.equal(containerd.current, '2.3.1')
  t.ok(choice(containerd, '2.3.1'))
})

t.test('an example is what a person would type', async (t) => {
  const examples = new Map(rows.map(({ id }) => [id, engine.question(opening(), id)?.example]))
  t.equal(examples.get('taints'), 'os=windows:NoSchedule')
  t.match(examples.get('mirrors'), /^[\w.-]+=https:/)
  t.equal(examples.get('proxy'), 'http://proxy.example.com:3128')
  t.equal(examples.get('ca'), undefined)
})

t.test('what cannot be chosen has the reason of a rule', async (t) => {
  const older = upTo('kubernetes', { 'api-server': '1.35' }).question
  t.match(choice(older, '1.37')?.cannot, /1\.37/)
  t.equal(choice(older, '1.35')?.cannot, undefined)
  t.ok(choice(older, '1.35')?.recommended, 'the newest that fits is recommended')
  t.match(older.fallback, /^1\.35\./, 'and used when skipped')
  const { question } = upTo('windows', {})
  t.match(choice(question, 'ws2016')?.cannot, /2016/)
  t.equal(choice(question, 'ws2022')?.recommended, undefined, 'a default without a reason')
  t.equal(question.proposal, 'ws2022')
  const bridged = upTo('mode', {}).question
  t.match(choice(bridged, 'transparent')?.cannot, /flannel does not support transparent/)
})

t.test('a choice that another one would settle stays possible', async (t) => {
  const old = upTo('windows', { 'api-server': '1.27' }).question
  t.equal(choice(old, 'ws2022')?.cannot, undefined)
  t.ok(choice(old, 'ws2025')?.cannot, 'no kubelet for that API server runs on it')
})

t.test('what is derived is not asked', async (t) => {
  const antrea = { cni: 'antrea', endpoint: 'api.example.com:6443', 'ca-hashes': digest }
  const { ids } = run(antrea)
  t.notOk(ids.includes('mode'), 'Antrea has one mode')
})

t.test('what a rule needs must be answered', async (t) => {
  const { at, question } = upTo('endpoint', { cni: 'antrea' })
  t.match(question.must, /API server/)
  const later = engine.nextQuestion(engine.skip(at, question))
  t.ok(later, 'a skip does not end it')
  t.throws(() => run({ cni: 'antrea' }), /endpoint/, 'is asked again')
})

t.test('back and change', async (t) => {
  const { at, question } = upTo('kubernetes', { windows: 'ws2019' })
  const before = engine.back(engine.answer(at, question, '1.33'))
  const again = engine.nextQuestion(before)
  t.equal(again?.id, 'kubernetes')
  t.equal(again?.current, '1.33', 'with the previous answer')
  const { session } = run({ 'api-server': '1.36', kubernetes: '1.36', 'max-pods': '60' })
  const changed = engine.ask(session, 'api-server')
  const changing = engine.nextQuestion(changed)
  if (!changing) throw new Error('it is asked')
  const first = engine.nextQuestion(opening())?.choices
  t.strictSame(changing.choices, first, 'no later answer takes a choice away')
  const older = engine.answer(changed, changing, '1.35')
  const { patch } = engine.outcome(older)
  t.strictSame(patch['kubernetes'], { apiServer: '1.35' }, 'what no longer fits is dropped')
  t.strictSame(valueAt(patch, ['kubelet', 'maxPods']), 60, 'the rest stays')
  t.strictSame(engine.back(opening()), opening(), 'before the first there is nothing')
})

t.test('flags', async (t) => {
  t.strictSame(
    flags.map(({ id }) => id),
    rows.map(({ id }) => id),
  )
  for (const { id } of flags) t.match(id, /^[a-z]+(-[a-z]+)*$/)
  const given = engine.give(opening(), 'mode', 'l2bridge')
  const plugin = engine.question(given, 'cni')
  t.match(plugin && choice(plugin, 'antrea')?.cannot, /l2bridge/, 'no answer takes one away')
  t.throws(() => engine.give(opening(), 'mode', 'bridge'), /use one of overlay, l2bridge/)
  t.throws(
    () => engine.give(opening(), 'mirrors', 'docker.io=https://m.example.com,overridePath=true'),
    /invalid key "overridePath".* options of a mirror/,
  )
})

t.test('found', async (t) => {
  const where = 'ConfigMap kube-system/kubeadm-config'
  const session = opening({
    found: [
      { path: ['network', 'podCIDRs'], value: ['10.32.0.0/16'], where, others: [] },
      { path: ['network', 'clusterDomain'], value: 'cluster.local', where, others: [] },
      { path: ['network', 'clusterDNS'], value: ['10.96.0.53'], where, others: [] },
    ],
  })
  const { ids, outcome } = run({}, session)
  t.notOk(ids.includes('dns'), 'what the cluster has is not asked')
  t.match(upTo('pod-network', {}, session).question.found, { value: '10.32.0.0/16', where })
  t.strictSame(outcome.patch, {
    network: {
      podCIDRs: ['10.32.0.0/16'],
      clusterDNS: ['10.96.0.53'],
      clusterDomain: 'cluster.local',
    },
  })
  t.ok(outcome.comments.some(({ text }) => text.includes(where)))
  t.notOk(outcome.open.some(({ subject }) => subject === 'pod CIDR'))
  const antrea = run(
    {},
    opening({
      found: [
        { path: ['network', 'cni'], value: 'antrea', where, others: [] },
        { path: ['network', 'mode'], value: 'transparent', where, others: [] },
        { path: ['join', 'endpoint'], value: '10.0.0.1:6443', where, others: [] },
        { path: ['join', 'caCertHashes'], value: [digest], where, others: [] },
      ],
    }),
  )
  t.notOk(antrea.ids.includes('mode'), 'nor where there is no other choice')
  const pods = { path: ['kubelet', 'maxPods'], value: 100_000, where, others: [] }
  t.strictSame(run({}, opening({ found: [pods] })).outcome.patch, {}, 'not what rules reject')
  t.match(
    antrea.outcome.answers.find(({ id }) => id === 'mode'),
    { value: 'transparent', from: 'found' },
  )
})

t.test('a detected value without effect is not asked', (t) => {
  const certificate = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
  const where = 'ConfigMap kube-public/cluster-info'
  const session = opening({
    found: [
      { path: ['join', 'ca'], value: certificate, where, others: [] },
      { path: ['join', 'endpoint'], value: '10.0.0.1:6443', where, others: [] },
      { path: ['join', 'caCertHashes'], value: [digest], where, others: [] },
    ],
  })
  const kubeadm = run({}, session)
  t.notOk(kubeadm.ids.includes('ca'))
  t.notOk(kubeadm.outcome.compiled.findings.some(({ id }) => id === 'join-ca-unread'))
  const { question } = upTo('ca', {}, engine.give(session, 'join-method', 'bootstrapKubeconfig'))
  t.equal(question.found?.value, certificate)
  t.equal(question.fallback, `3 lines, found in ${where}`)
  t.end()
})

t.test('an edited profile', async (t) => {
  const own = layerOf({ kubelet: { maxPods: 60, labels: { a: 'b', c: 'd' } } })
  const [base] = bases.filter(({ name }) => name === 'ws2025-flannel-overlay')
  if (!base) throw new Error('there is such a profile')
  const session = opening({ own, bases: [base] })
  t.equal(upTo('max-pods', {}, session).question.current, '60')
  t.strictSame(run({}, session).outcome.patch, own.patch, 'what is skipped stays')
  const other = upTo('any-field', {}, session).question
  t.equal(other.current, undefined, 'the menu of fields has no current value')
  const { outcome } = run({ labels: 'c=e' }, session)
  t.strictSame(outcome.patch, { kubelet: { maxPods: 60, labels: { c: 'e' } } })
  t.equal(outcome.base, 'ws2025-flannel-overlay')
  const { at, question } = upTo('pod-network', {}, session)
  const accepted = engine.answer(at, question, question.proposal ?? '')
  t.strictSame(engine.outcome(accepted).patch, own.patch, 'a default that is accepted')
  const first = upTo('api-server', {}, session)
  const line = first.question.choices?.find(({ recommended }) => recommended)?.value ?? ''
  const kept = engine.answer(first.at, first.question, line)
  t.strictSame(engine.outcome(kept).patch, own.patch, 'a version line that is the default')
  const older = engine.answer(first.at, first.question, '1.36')
  t.match(engine.outcome(older).patch, { kubernetes: { apiServer: '1.36' } })
  const changed = engine.answer(at, question, '10.1.0.0/16')
  const again = engine.answer(engine.ask(changed, 'pod-network'), question, '10.1.0.0/16')
  t.match(engine.outcome(again).patch, { network: { podCIDRs: ['10.1.0.0/16'] } }, 'given twice')
  const labels = layerOf({ kubelet: { labels: { a: 'b', c: 'd' } } })
  const parent = baseOf('parent.yaml', [...base.layers, labels])
  const below = run({ labels: 'c=e' }, opening({ own: layerOf({}), bases: [parent] })).outcome
  t.strictSame(below.patch, { kubelet: { labels: { a: null, c: 'e' } } }, 'what the parent sets')
})

t.test('a setting that the cluster contradicts is asked', async (t) => {
  const [base] = bases.filter(({ name }) => name === 'ws2025-flannel-overlay')
  if (!base) throw new Error('there is such a profile')
  const where = 'ConfigMap kube-system/kubeadm-config'
  const found = [{ path: ['network', 'clusterDomain'], value: 'corp.local', where, others: [] }]
  const editing = (clusterDomain: string) =>
    opening({ own: layerOf({ network: { clusterDomain } }), bases: [base], found })
  t.notOk(run({}, editing('corp.local')).ids.includes('domain'), 'both say the same')
  t.ok(run({}, editing('old.local')).ids.includes('domain'), 'without a selection of it')
  const { outcome } = run({ domain: 'corp.local' }, editing('old.local'))
  t.strictSame(outcome.patch, { network: { clusterDomain: 'corp.local' } })
  t.match(outcome.answers.at(-1), { id: 'domain', value: 'corp.local', from: 'found' })
  t.ok(outcome.comments.some(({ text }) => text.endsWith(` Found in ${where}.`)))
  const kept = run({ domain: 'new.local' }, editing('old.local')).outcome.answers
  t.match(kept.at(-1), { id: 'domain', value: 'new.local', from: 'answered' })
})

t.test(
  'of the versions that an answer excludes, the one that the profile sets is asked',
  async (t) => {
    const [base] = bases.filter(({ name }) => name === 'ws2022-flannel-overlay')
    if (!base) throw new Error('there is such a profile')
    const session = opening({ own: layerOf({ kubernetes: { version: '1.30' } }), bases: [base] })
    const { ids, outcome } = run({ 'api-server': '1.36' }, session)
    t.equal(ids.at(-2), 'kubernetes', 'kube-proxy follows the kubelet')
    t.strictSame(outcome.patch, { kubernetes: { version: '1.36', apiServer: '1.36' } })
  },
)

t.test('an answer that only a question of another group would settle is refused', async (t) => {
  const [base] = bases.filter(({ name }) => name === 'ws2022-flannel-overlay')
  if (!base) throw new Error('there is such a profile')
  const join = { endpoint: 'api.example.com:6443', caCertHashes: [digest] }
  const { at, question } = upTo('any-field', {}, opening({ own: layerOf({ join }), bases: [base] }))
  const file = engine.nextQuestion(engine.answer(at, question, 'join.discoveryFile'))
  t.match(file?.check('C:\\d.conf'), /kubeadm accepts only one/)
})

t.test('a setting is taken out again', async (t) => {
  const [base] = bases.filter(({ name }) => name === 'ws2025-flannel-overlay')
  if (!base) throw new Error('there is such a profile')
  const editing = (own: JsonObject) => opening({ own: layerOf(own), bases: [base] })
  const session = editing({
    kubelet: { maxPods: 60, labels: { a: 'b' } },
    host: { proxy: { url: 'http://proxy:1' } },
  })
  const { at, question } = upTo('max-pods', {}, session)
  t.strictSame(question.unset, { then: '110' })
  const { patch, answers, compiled } = run({}, engine.unset(at, question)).outcome
  t.strictSame(patch, {
    kubelet: { labels: { a: 'b' } },
    host: { proxy: { url: 'http://proxy:1' } },
  })
  t.match(
    answers.find(({ id }) => id === 'max-pods'),
    { value: '110', from: 'unset' },
  )
  t.strictSame(errorsOf(compiled), [])
  const proxy = upTo('proxy', {}, session)
  t.strictSame(proxy.question.unset, { then: 'none' })
  const bare = run({}, engine.unset(proxy.at, proxy.question)).outcome.patch
  t.strictSame(Object.keys(bare), ['kubelet'], 'and the map that is empty then')
  t.equal(upTo('max-pods', {}, session).question.fallback, '60', 'which is what a skip keeps')
  const gone = editing({ kubelet: { maxPods: null } })
  t.equal(upTo('max-pods', {}, gone).question.current, undefined)
  t.equal(upTo('cpu', {}, session).question.unset, undefined, 'only settings of the profile itself')
  t.equal(upTo('cpu', {}).question.unset, undefined)
  t.throws(() => engine.unset(at, upTo('cpu', {}, session).question), /is not set by the profile/)
  const antrea = { cni: 'antrea', mode: 'transparent' }
  const join = { endpoint: 'api.example.com:6443', caCertHashes: [digest] }
  const bound = engine.question(editing({ network: antrea, join }), 'mode')
  t.match(bound?.unset?.cannot, /overlay/, 'the reason of a rule')
})

t.test('every value of a field can be typed', async (t) => {
  const header = ['apiVersion', 'kind', 'extends', 'facts']
  for (const { path: at, example, group } of fields) {
    const row = rowAt(at)
    if (group || header.includes(at.join('.'))) continue
    if (!row) return t.fail(`${at.join('.')} has a question`)
    const { decode, encode } = codecFor(row)
    if (example !== undefined) t.strictSame(decode(encode(example)), example, at.join('.'))
  }
})

t.test('a key given twice is refused, as in a file', async (t) => {
  const repeated: readonly [at: string, typed: string][] = [
    ['kubelet.labels', 'a=b,a=c'],
    ['kubelet.labels', 'a=b, c=d, a: b'],
    ['kubelet.labels', '{"a":"b","a":"c"}'],
    ['kubelet.featureGates', 'WinDSR=yes,WinDSR=no'],
    ['registry.mirrors', 'docker.io=https://a,docker.io=https://b'],
    ['artifacts.baseURLs', 'kubernetes=a,kubernetes=b'],
  ]
  for (const [at, typed] of repeated) {
    const row = rowAt(at.split('.'))
    if (!row) return t.fail(`${at} has a question`)
    const codec = codecFor(row)
    t.equal(codec.decode(typed), typed, 'no value is lost')
    t.equal(codec.form?.(typed), 'each key once', typed)
  }
  const settings = rowAt(['kubelet', 'config'])
  const nested = '{"a":{"b":1,"c":{"b":2},"b":3}}'
  t.equal(settings && codecFor(settings).decode(nested), nested, 'in JSON at any depth')
  const each = '{"a":{"b":1},"b":{"b":"a\\":"}}'
  t.strictSame(settings && codecFor(settings).decode(each), JSON.parse(each), 'each in its map')
})

function commented({ base, patch, comments }: Outcome): string {
  return composeProfile({ base, patch, comments, schema: 'profile.schema.json' })
}

/** The settings in a file, without its header. */
function saidBy(text: string): JsonObject {
  const { layer, findings } = readSource(new TextEncoder().encode(text), 'node.yaml')
  if (!layer || findings.length > 0) throw new Error(findings.map(({ message }) => message).join())
  return withoutHeader(layer).patch
}

t.test('the profile that is written', async (t) => {
  const { outcome } = run({ windows: 'ws2025', kubernetes: '1.36', taints: '', labels: 'a=yes' })
  const text = commented(outcome)
  t.strictSame(saidBy(text), outcome.patch, 'has the answers')
  t.matchOnly(text.split('\n').slice(0, 4), [
    '# yaml-language-server: $schema=profile.schema.json',
    'apiVersion: winnode/v1',
    'kind: NodeProfile',
    'extends: ws2025-flannel-overlay',
  ])
  t.match(text, /# Version of the kubelet\.\n {2}version: '1\.36'/, 'with comments')
  t.notMatch(composeProfile({ ...outcome, schema: undefined }), 'yaml-language-server')
  t.ok(text.split('\n').every((line) => line.length <= 100))
})

t.test('the profile that is amended', async (t) => {
  const text = [
    '# ours',
    'apiVersion: winnode/v1',
    'kind: NodeProfile',
    'extends: base',
    'network:',
    '  nodeCIDRs: &nodes [10.0.0.0/24] # the rack',
    'host:',
    '  # all of them',
    '  firewall: &open',
    '    kubeletFrom: *nodes',
    '    nodePortsFrom:',
    '    - 10.1.0.0/24',
    '  timeServers: [time.example.com]',
    'kubelet: {maxPods: 60, verbosity: 4}',
    '',
  ].join('\n')
  const before = saidBy(text)
  const amend = (after: JsonObject) => editProfile(text, { before, after }, [])
  t.equal(amend(before), text, 'nothing changes where nothing is changed')
  const changes: readonly JsonObject[] = [
    { network: { nodeCIDRs: ['10.2.0.0/24'] } },
    { host: { firewall: { kubeletFrom: ['10.3.0.0/24'] } } },
    { kubelet: { maxPods: 80, labels: { a: 'b' } } },
    { machine: { cpu: 8 } },
  ]
  for (const change of changes) {
    const after = mergeJson(before, change)
    const amended = amend(after)
    t.strictSame(saidBy(amended), after, JSON.stringify(change))
    for (const part of ['# ours', '# the rack', '# all of them', '&nodes', '&open'])
      t.ok(amended.includes(part), `${part} stays`)
  }
  t.match(
    amend(mergeJson(before, { kubelet: { maxPods: 80 } })),
    'kubelet: {maxPods: 80, verbosity: 4}',
  )
  // The values of an edit come from another reading of the profile.
  const read = structuredClone(mergeJson(before, { machine: { cpu: 8 } }))
  t.match(amend(read), 'kubeletFrom: *nodes', 'aliases too')
})

t.test('lines of other keys stay as they are', async (t) => {
  const text = [
    'extends:   base     # ours',
    'kubernetes:',
    "    version:  '1.33'   # of all pools",
    '    apiServer: "1.34"',
    '',
    '    # ---',
    'network: {podCIDRs: [10.0.0.0/16],   mode: overlay}',
    'join:',
    '    ca: |',
    '        -----BEGIN CERTIFICATE-----',
    '# the end',
    '',
  ].join('\n')
  const before = saidBy(text)
  const amend = (change: JsonObject, from = text) =>
    editProfile(from, { before, after: mergeJson(before, change) }, [])
  const version = { kubernetes: { version: '1.34', apiServer: '1.35' } }
  const moved = text.replace('1.34', '1.35').replace('1.33', '1.34')
  t.equal(amend(version), moved)
  t.equal(amend(version, text.replaceAll('\n', '\r\n')), moved.replaceAll('\n', '\r\n'))
  t.equal(
    amend({ kubernetes: { kubeProxy: '1.33' } }),
    text.replace(/.*1\.34.*\n/, (line) => `${line}    kubeProxy: '1.33'\n`),
    'a new key, below the last one',
  )
  const labels = { labels: { a: 'b', c: '1' } }
  t.equal(
    amend({ kubelet: labels }),
    text.replace('# the end', "kubelet:\n    labels:\n        a: b\n        c: '1'\n# the end"),
    'after a text of several lines',
  )
  const open = text.slice(0, -'\n# the end\n'.length)
  t.equal(amend({ name: 'pool' }, open), `${open}\nname: pool\n`, 'without a last line end')
  const aliased = "lab: &v '1.33'\nkubernetes:\n  version: *v  # CHG-1234\n"
  const moved34 = { lab: '1.33', kubernetes: { version: '1.34' } }
  t.equal(
    editProfile(aliased, { before: saidBy(aliased), after: moved34 }, []),
    aliased.replace('*v', "'1.34'"),
    'the comment of an alias',
  )
  const inner = 'kubelet:\n  labels:\n    a: x\n\n    # of labels\n  # of kubelet'
  const named = { ...saidBy(inner), name: 'pool' }
  t.equal(
    editProfile(inner, { before: saidBy(inner), after: named }, []),
    `${inner}\nname: pool\n`,
    'comments within the map above',
  )
  const cases: readonly JsonObject[] = [
    { network: { mode: 'a, b' } },
    { join: { ca: 'one line' } },
    { kubernetes: { version: 'a: b # c' } },
    { kubernetes: { version: 1.3 } },
  ]
  for (const change of cases)
    t.strictSame(saidBy(amend(change)), mergeJson(before, change), JSON.stringify(change))
})

t.test('a byte order mark stays', async (t) => {
  const before = { kubelet: { maxPods: 60 } }
  const texts = [
    '\ufeff# ours\r\nextends: base\r\nkubelet:\r\n  maxPods: 60\r\n',
    `\ufeff${JSON.stringify({ extends: 'base', ...before })}\n`,
  ]
  for (const text of texts)
    for (const kubelet of [{ maxPods: 60 }, { maxPods: 70 }, { labels: { a: 'b' } }, {}]) {
      const after = { kubelet }
      const amended = editProfile(text, { before, after }, [
        { path: ['kubelet', 'labels'], text: 'Labels.' },
      ])
      t.match(amended, /^\ufeff[^\ufeff]*$/)
      t.strictSame(saidBy(amended), after)
      t.equal(amended.includes('\r\n'), text.includes('\r\n'))
    }
})

t.test('what was JSON stays JSON', async (t) => {
  const before = { extends: 'base', kubelet: { maxPods: 60 } }
  const after = { ...before, kubelet: { maxPods: 70, labels: { a: 'z' }, taints: [] } }
  const comments = [{ path: ['kubelet', 'labels'], text: 'Labels.' }]
  for (const space of [undefined, 2, '\t']) {
    const amended = editProfile(JSON.stringify(before, null, space), { before, after }, comments)
    t.strictSame(JSON.parse(amended), after, amended)
  }
})

t.test('a key that goes takes its own lines along, and nothing else', async (t) => {
  const text = [
    '# ours',
    'apiVersion: winnode/v1',
    'kind: NodeProfile',
    'extends: base',
    '',
    '# --- the network ---',
    'network:',
    '  podCIDRs:   [10.1.0.0/16]   # wide',
    '  # the end of the network',
    '',
    '# --- the kubelet ---',
    'kubelet:',
    '  # ten to a core',
    '  maxPods: 60 # for now',
    '  # two pools',
    '  labels: &labels',
    '    a: b',
    '  verbosity: 4',
    'machine: {cpu: 8, memory: 16Gi} # the smallest',
    'join:',
    '  ca: |',
    '    -----BEGIN CERTIFICATE-----',
    '',
    '  # until June',
    '  endpoint: api.example.com:6443',
    'targets:',
    '  capi:',
    '    labels: *labels',
    '# Next:',
    '#   winnode validate',
    '',
  ].join('\n')
  const before = saidBy(text)
  const amend = (after: JsonObject) => editProfile(text, { before, after }, [])
  const without = (...lines: readonly string[]) =>
    lines.reduce((rest, line) => rest.replace(`${line}\n`, ''), text)
  const maxPods = ['  # ten to a core', '  maxPods: 60 # for now']
  const kubelet = { labels: { a: 'b' }, verbosity: 4 }
  t.equal(amend({ ...before, kubelet }), without(...maxPods))
  const notJoined = Object.fromEntries(Object.entries(before).filter(([key]) => key !== 'join'))
  const crlf = editProfile(
    text.replaceAll('\n', '\r\n'),
    { before, after: { ...before, kubelet } },
    [],
  )
  t.equal(crlf, without(...maxPods).replaceAll('\n', '\r\n'))
  t.equal(
    amend(notJoined),
    text.replace(/join:[^]*(?=targets:)/, ''),
    'a map, with a text of several lines in it',
  )
  const untied = amend({ ...before, kubelet: { maxPods: 60, verbosity: 4 } })
  t.strictSame(saidBy(untied), { ...before, kubelet: { maxPods: 60, verbosity: 4 } })
  t.match(untied, /capi:\n {4}labels:\n {6}a: b/, 'what an anchor was for stands in its place')
  const flow = amend({ ...before, machine: { cpu: 8 } })
  t.match(flow, 'machine: {cpu: 8} # the smallest')
  const empty = { ...before, kubelet: { maxPods: 60, labels: {}, verbosity: 4 } }
  t.strictSame(saidBy(amend(empty)), empty, 'a map that has nothing left is one')
})

t.test('the last key goes from a file without a last line end', async (t) => {
  for (const lineEnd of ['\n', '\r\n']) {
    const text = ['extends: base', 'name: pool', 'summary: of web'].join(lineEnd)
    const edited = editProfile(text, { before: saidBy(text), after: { name: 'pool' } }, [])
    t.equal(edited, `extends: base${lineEnd}name: pool`, JSON.stringify(lineEnd))
  }
})

t.test('items of a list that stay keep their comments', async (t) => {
  const text = [
    'network:',
    '  nodeCIDRs: # of the racks',
    '    - 10.0.0.0/24 # rack 1',
    '    # moves in June',
    '    - 10.0.1.0/24',
    '    - 10.0.1.0/24 # rack 3, for now',
    'kubelet:',
    '  taints:',
    '    - {effect: NoSchedule, key: os, value: windows} # of all',
    '',
  ].join('\n')
  const before = saidBy(text)
  const pool = { key: 'pool', effect: 'NoExecute' }
  const after = {
    network: { nodeCIDRs: ['10.0.1.0/24', '10.0.9.0/24', '10.0.1.0/24', '10.0.0.0/24'] },
    kubelet: { taints: [pool, { key: 'os', value: 'windows', effect: 'NoSchedule' }] },
  }
  const edited = editProfile(text, { before, after }, [])
  t.strictSame(saidBy(edited), after)
  t.match(
    edited,
    /# moves in June\n +- 10\.0\.1\.0.*\n.*\n.*# rack 3.*\n +- 10\.0\.0\.0\/24 # rack 1/,
  )
  t.match(edited, /\{effect: NoSchedule, key: os, value: windows} # of all/)
  const fewer = editProfile(
    text,
    { before, after: mergeJson(before, { network: { nodeCIDRs: ['10.0.0.0/24'] } }) },
    [],
  )
  t.match(fewer, '10.0.0.0/24 # rack 1')
  t.notMatch(fewer, /rack 3/, 'of an item that goes, no comment stays')
})

/** Numbers that look like chance, and are the same at each run. */
function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

const hostile = [
  '',
  ' ',
  "'; Remove-Item C:\\ -Recurse; '",
  '$(Get-Process)',
  '{{value}}',
  'a: b # c',
  '*x',
  '\u0000',
  '\ud800',
  '__proto__=1',
  '{"__proto__": 1}',
  '[1, {"a": null}]',
  '0x10',
  '1e9',
  'null',
  '\u2028',
  '10.0.0.0/33',
  '10.96.0.0/16',
  'ws2025',
  '1.99',
  'Infinity',
  'a=b=c, d',
]

/** Answers by chance: a choice, an example, a hostile text; goes back and skips. */
function walk(seed: number, start: Session): Outcome {
  const next = chance(seed)
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(next() * all.length)]
  let at = start
  for (let step = 0; step < 150; step += 1) {
    const question = engine.nextQuestion(at)
    if (!question) return engine.outcome(at)
    const example = question.paths.flatMap((one) => {
      const value = fields.find((field) => isEqual(field.path, one))?.example
      return value === undefined ? [] : [writingOfPath(one, value)]
    })
    const luck = next()
    if (luck < 0.05 && step < 60) at = engine.back(at)
    else if (question.paths.length === 0) {
      const text = luck < 0.6 && step < 60 ? pick(question.choices ?? [])?.value : undefined
      at = text === undefined ? engine.skip(at, question) : engine.answer(at, question, text)
    } else if (luck < 0.6 && question.must === undefined) at = engine.skip(at, question)
    else {
      const choices = luck < 0.9 ? question.choices?.map(({ value }) => value) : undefined
      const text = pick(choices ?? (luck < 0.75 ? hostile : example)) ?? ''
      if (question.check(text) === undefined) at = engine.answer(at, question, text)
      else if (question.must === undefined) at = engine.skip(at, question)
      else if (step > 60) at = engine.back(at)
    }
  }
  throw new Error(`walk ${seed} finds no end at ${engine.nextQuestion(at)?.id}`)
}

const writingOfPath = (at: Path, value: Json) => {
  const row = rowAt(at)
  return row ? codecFor(row).encode(value) : ''
}

/** Reads, checks and renders the file that a walk ends with, as any other file. */
async function tryFile(text: string, { base, patch }: Outcome): Promise<void> {
  const { layer, findings } = readSource(new TextEncoder().encode(text), 'node.yaml')
  const extended = bases.find(({ name }) => name === layer?.patch['extends'])
  if (!layer || !extended || findings.length > 0 || extended.name !== base)
    throw new Error(`it cannot be read: ${findings.map(({ message }) => message).join()}`)
  const own = withoutHeader(layer)
  if (!isEqual(own.patch, patch)) throw new Error('it reads otherwise')
  const judged = checkWithoutUpgrades([...extended.layers, own], 'node', {
    today,
    allowNewer: false,
  })
  if (errorsOf(judged).length > 0) throw new Error(errorsOf(judged).join())
  await renderCompiled({ ...judged, plan: planOf(judged.facts, judged.decisions) })
}

const walks = everything ? 20_000 : 200

t.test(`${walks} walks by chance end with a profile that works`, async (t) => {
  const failed: string[] = []
  let start = opening()
  for (let seed = 1; seed <= walks; seed += 1) {
    // A session keeps each verdict on an answer for as long as it lasts.
    if (seed % 200 === 0) start = opening()
    try {
      const outcome = walk(seed, start)
      await tryFile(commented(outcome), outcome)
    } catch (error) {
      failed.push(`${seed}: ${String(error)}`)
    }
  }
  t.strictSame(failed, [])
})

/** The answers that make that profile: its own settings, and plugin, mode, backend and release of its base. */
function answersOf(layers: readonly Layer[], own: Json): ReadonlyMap<string, string> {
  const { document } = mergeLayers(layers)
  const about = ['network.cni', 'network.mode', 'network.backend', 'windows.release']
  const said = fields.flatMap(({ path: at, group }) => {
    const from = about.includes(at.join('.')) ? document : own
    const value = group ? undefined : valueAt(from, at)
    const row = rowAt(at)
    return row && value !== undefined ? [[row.id, codecFor(row).encode(value)] as const] : []
  })
  return new Map(said)
}

/** Gives those answers. */
function replay(answers: ReadonlyMap<string, string>, session: Session) {
  const left = new Map(answers)
  let at = session
  for (let question = engine.nextQuestion(at); question; question = engine.nextQuestion(at)) {
    const [further] = left.keys()
    // Another answer makes a required one unnecessary: a bootstrap kubeconfig needs no CA hash.
    const isLacking = question.must !== undefined && !left.has(question.id)
    if ((question.id === menu.id || isLacking) && further !== undefined) {
      at = engine.ask(at, further)
      continue
    }
    const text = left.get(question.id)
    left.delete(question.id)
    at = text === undefined ? engine.skip(at, question) : engine.answer(at, question, text)
  }
  return engine.outcome(at)
}

const golden = readdirSync(path.join(root, 'test/golden'), { withFileTypes: true })
for (const { name } of golden.filter((entry) => entry.isDirectory()))
  t.test(`the answers that lead to ${name}`, async (t) => {
    const profile = path.join('test/golden', name, 'profile.yaml')
    const { layers, own } = loadProfile({ profile, root, cwd: root })
    const outcome = replay(answersOf(layers, own?.patch ?? {}), opening({ name }))
    t.strictSame(errorsOf(outcome.compiled), [])
    const replayed = textsOf(await renderCompiled(outcome.compiled))
    const rendered = textsOf(await renderCompiled(compile(layers, name, { today })))
    for (const [file, text] of rendered) t.equal(replayed.get(file), text, file)
    t.strictSame([...replayed.keys()], [...rendered.keys()])
  })

t.test('a value below an anchor changes where it was answered, and in no alias', async (t) => {
  const text = 'kubelet:\n  labels: &same\n    pool: web\nspare:\n  labels: *same\n'
  const before = { kubelet: { labels: { pool: 'web' } }, spare: { labels: { pool: 'web' } } }
  for (const changed of ['kubelet', 'spare'] as const) {
    const after = { ...before, [changed]: { labels: { pool: 'batch' } } }
    t.strictSame(saidBy(editProfile(text, { before, after }, [])), after, changed)
  }
})

t.test('--from keeps the lock beside a profile, and its file of facts', async (t) => {
  const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
  const checksum = 'a'.repeat(64)
  const next = '1.99.0'
  const folder = t.testdir({
    'winnode.lock': `${head}artifacts:\n  lock:\n    https://example.com/a.exe: ${checksum}\n`,
    'node.yaml': `${head}extends: ws2022-flannel-overlay\nkubelet:\n  labels:\n    pool: web\n    zone: a\n`,
    'newer.yaml': `${head}extends: ws2022-flannel-overlay\nfacts: ./facts.yaml\nkubernetes:\n  version: ${next}\n`,
    'facts.yaml': JSON.stringify({
      ...{ apiVersion: 'winnode/v1', kind: 'Facts' },
      why: 'Tested in staging.',
      kubernetes: [
        {
          ...newestKubernetes(),
          minor: '1.99',
          endOfLife: '2099-01-01',
          newestPatch: next,
          see: 'https://example.com/1',
          checked: today,
        },
      ],
    }),
  })
  const edited = async (file: string, ...more: readonly string[]) => {
    const from = ['init', '--from', path.join(folder, file), '--yes', '--as-of', today]
    const { stdout, code } = await inProcess([...from, ...more, '--out', '-'])
    t.equal(code, 0)
    return stdout
  }
  const labels = await edited('node.yaml', '--labels', 'pool=web')
  t.match(labels, / labels:\n {4}pool: web\n$/)
  t.notMatch(labels, 'zone')
  t.match(await edited('newer.yaml', '--max-pods', '100'), `  version: ${next}\n`)
})

t.test('a profile that names files by relative paths stays in its folder', async (t) => {
  const head = 'apiVersion: winnode/v1\nkind: NodeProfile\n'
  const folder = t.testdir({
    a: {
      'site.yaml': `${head}extends: ws2022-flannel-overlay\n`,
      'child.yaml': `${head}extends: ./site.yaml\n`,
      'facts.yaml': 'apiVersion: winnode/v1\nkind: Facts\nwhy: Tested.\n',
      'with-facts.yaml': `${head}extends: ws2022-flannel-overlay\nfacts: facts.yaml\n`,
    },
    b: {},
  })
  const copy = (from: string, to: string) => {
    const [file, out] = [from, to].map((name) => path.join(folder, name))
    return inProcess(['init', `--from=${file}`, `--out=${out}`, '--yes', '--as-of', today])
  }
  for (const name of ['child.yaml', 'with-facts.yaml']) {
    t.match(await copy(`a/${name}`, 'b/new.yaml'), {
      code: 2,
      stderr: /new\.yaml is not in \S+a, where extends and facts name files\n/,
    })
    t.equal((await copy(`a/${name}`, `a/new-${name}`)).code, 0)
  }
  t.strictSame(readdirSync(path.join(folder, 'b')), [])
  t.equal((await copy('a/site.yaml', 'b/new.yaml')).code, 0, 'a built-in profile is everywhere')
})
