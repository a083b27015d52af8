// winnode doctor: each diagnosis is found in the report of its trouble, alone, and in none of a node that works.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { diagnoses } from '../../src/doctor/diagnoses.ts'
import { diagnose } from '../../src/doctor/diagnose.ts'
import { computed } from '../../src/doctor/computed-signs.ts'
import { fieldOf, fields } from '../../src/profile/catalogue.ts'
import { prettyDoctor } from '../../src/present/doctor.ts'
import { plainScreen } from '../../src/present/screen.ts'
import { parts, reportOf as partsOf } from '../../src/report/report.ts'
import type { Json, JsonObject } from '../../src/model/json.ts'
import { cited } from './cited.ts'
import { runbooks } from './runbooks.ts'
import { installed, member, memberDocument, reportOf } from './member.ts'
import { type Changes, changed, changesOf } from './recorded.ts'
import { simulated, unjoined } from './simulated.ts'
import { scenario } from '../host/stage.ts'
import { breaches } from '../tools/json-schema.ts'
import { inProcess, root } from '../tools/run.ts'
import { everything } from '../tools/everything.ts'

const read = (name: string): JsonObject =>
  JSON.parse(readFileSync(path.join(root, 'test/doctor', name), 'utf8')) as JsonObject
const healthy = read('healthy.json')
const recorded = read('simulated.json') as Readonly<Record<string, Changes>>
const spoils = { ...simulated, ...unjoined }

/** Without a recorded report or a cited log line: each has its own test. */
const crafted = ['hns-network-pending', 'mac-addresses-filtered']

const found = (report: JsonObject): readonly string[] =>
  diagnose(report).found.map(({ diagnosis }) => diagnosis.id)

/** What the health check of the Node says until the Node says something. */
const ill: Changes = {
  'health node': {
    id: 'node',
    kind: 'node',
    verdict: 'fail',
    evidence: 'the Node is not Ready: no Ready condition yet',
    remedy: 'see kubectl describe node and the kubelet’s log',
  },
}

t.test('a fix names fields that a profile has', (t) => {
  const groups = [...new Set(fields.map(({ path: [group = ''] }) => group))].join('|')
  for (const { id, fix } of diagnoses)
    for (const [name] of fix.matchAll(
      new RegExp(`\\b(?:${groups})\\.[a-zA-Z.]*[a-zA-Z]\\b(?!\\\\)`, 'g'),
    ))
      if (!/\.(?:json|yaml|exe|sock|md|io|config\..*)$/.test(name))
        t.ok(fieldOf(name.split('.')), `${id}: ${name}`)
  t.end()
})

t.test('nothing is found on a node that works', async (t) => {
  t.strictSame(diagnose(healthy), { found: [], unexplained: [], missing: [], skipped: 0 })
})

t.test('each trouble of the simulated host has one cause', async (t) => {
  for (const id of Object.keys(spoils)) {
    const report = changed(healthy, recorded[id] ?? {})
    const { found: all } = diagnose(report)
    t.strictSame(
      all.map(({ diagnosis }) => diagnosis.id),
      [id],
    )
    t.ok(all[0]?.evidence.length, `${id} is shown`)
  }
})

t.test('a bridge that differs, in the words of its step', async (t) => {
  for (const detail of [
    'the network is Overlay, expected L2Bridge',
    "the network's subnet is 10.9.0.0/24, expected the node's pod CIDR 10.244.3.0/24",
    'the network has no endpoint cbr0_ep',
    'cbr0_ep is at 10.244.3.9, expected 10.244.3.2',
    'IP forwarding is disabled at 10.244.3.2',
  ]) {
    const network = { id: 'hns-network', kind: 'hnsNetwork', state: 'Different', detail }
    t.strictSame(
      found(changed(healthy, { 'steps network': network })),
      ['hns-network-wrong'],
      detail,
    )
  }
})

t.test('a network that its DaemonSet has not created yet', async (t) => {
  const check = (kind: string, evidence: string) => ({
    [`health ${kind}`]: { id: kind, kind, verdict: 'fail', evidence, remedy: '' },
  })
  const report = changed(healthy, {
    ...check(
      'network',
      'network pending: the network plugin has not created the HNS network Calico',
    ),
    ...check(
      'proxy',
      'http://127.0.0.1:10256/healthz: refused; kube-proxy waits for the HNS network Calico',
    ),
  })
  t.strictSame(found(report), ['hns-network-pending'])
})

t.test('a Node with another pod CIDR than its network', async (t) => {
  const evidence = 'the Node has the pod CIDR 10.244.7.0/24, and the HNS network cbr0 10.244.3.0/24'
  const check = { id: 'node', kind: 'node', verdict: 'fail', remedy: '', evidence }
  const report = changed(healthy, { 'health node': check })
  t.strictSame(found(report), ['subnet-of-earlier-join'])
})

const virtualNetwork = (type: string, name: string, adapter: string): Changes => ({
  'networks 1': { Name: name, Type: type, ID: 'id-2', ManagementIP: '192.0.2.10', State: '1' },
  'adapters 0': { Name: 'Ethernet', InterfaceDescription: adapter, Status: 'Up' },
})

t.test('a transparent network of a virtual machine', async (t) => {
  const [hyperV, physical] = ['Microsoft Hyper-V Network Adapter #2', 'Intel(R) Ethernet X710']
  const ids = (...of: Parameters<typeof virtualNetwork>) =>
    found(changed(healthy, virtualNetwork(...of)))
  t.strictSame(ids('Transparent', 'pods', hyperV), ['mac-addresses-filtered'])
  t.strictSame(ids('transparent', 'pods', 'vmxnet3 Ethernet Adapter'), ['mac-addresses-filtered'])
  t.strictSame(ids('Transparent', 'pods', physical), [])
  t.strictSame(ids('L2Bridge', 'pods', hyperV), [])
  t.strictSame(ids('Transparent', 'antrea-hnsnetwork', hyperV), [])
})

t.test('a CNI file is foreign before that of the bundle, where there is one', async (t) => {
  const ids = (...names: readonly string[]) => {
    const cni = names.map((name) => ({ path: `C:\\etc\\cni\\net.d\\${name}`, bytes: 25 }))
    return found({ ...healthy, cni })
  }
  t.strictSame(ids('05-own.conf', '10-flannel.conflist'), ['cni-configuration-foreign'])
  t.strictSame(ids('10-flannel.conflist', '20-own.conf'), [])
  t.strictSame(ids('20-own.conf', '30-own.conf'), [])
})

t.test('memory that Windows says is short', async (t) => {
  const row = { FreePhysicalMemory: '307200', TotalVirtualMemorySize: '20971520' }
  const report = changed(healthy, { 'memory 0': { ...row, FreeVirtualMemory: '524288' } })
  t.match(diagnose(report).found, [
    {
      diagnosis: { id: 'memory-short' },
      evidence: ['memory: 300 MiB free', 'memory: 512 of 20480 MiB of the commit limit left'],
    },
  ])
  const silent = changed(healthy, { 'memory 0': { ...row, FreeVirtualMemory: null } })
  const [alone] = diagnose(silent).found
  t.strictSame(alone?.evidence, ['memory: 300 MiB free'], 'what is not said is not 0')
})

t.test('a full drive comes with what containerd keeps', async (t) => {
  const report = changed(healthy, recorded['disk-full'] ?? {})
  t.strictSame(diagnose(report).found[0]?.evidence.slice(1), [
    'drive C: 9.0 of 100.0 GiB free',
    'images of containerd: 1, 0.0 GiB',
  ])
})

t.test('the words of each report have one cause', async (t) => {
  for (const [id, { log, line, ill: needed }] of Object.entries(cited)) {
    const lines: Json = `an earlier line\n${line}\na later line`
    const report = changed(healthy, { [`logs ${log}`]: lines, ...(needed && ill) })
    t.strictSame(found(report), [id], line)
    if (needed)
      t.strictSame(found(changed(healthy, { [`logs ${log}`]: lines })), [], 'as long as it works')
  }
})

t.test('words of a log are as old as the log', async (t) => {
  const events = recorded['service-ends'] ?? {}
  t.match(diagnose(changed(healthy, events)).found, [{ confidence: 'possible' }])
  const { log: name = '', line: words = '' } = cited['kubelet-flag-unknown'] ?? {}
  const twice = changed(healthy, { [`logs ${name}`]: `${words} at 9:00\n${words} at 9:30` })
  t.match(diagnose(twice).found, [{ evidence: [/at 9:30$/] }], 'the last one')
  for (const [id, { log, line, ill: needed }] of Object.entries(cited)) {
    if (needed) continue
    const told = changed(healthy, { [`logs ${log}`]: line })
    const { pods = false, confidence: known } = diagnoses.find((one) => one.id === id) ?? {}
    const confidence = pods ? /likely|possible/ : 'possible'
    t.match(diagnose(told).found, [{ confidence }], `the node works: ${line}`)
    const withoutHealth = { ...told, health: null }
    const usual = known === 'sure' ? 'likely' : known
    t.match(diagnose(withoutHealth).found, [{ confidence: usual }], 'unknown whether it does')
  }
  const line: Json = cited['kubelet-flag-unknown']?.line ?? ''
  const ended = changed(healthy, {
    ...recorded['kubelet-stopped'],
    'logs C:\\var\\log\\kubelet\\kubelet.log': line,
  })
  t.match(diagnose(ended).found, [
    { diagnosis: { id: 'kubelet-flag-unknown' }, confidence: 'sure' },
  ])
})

t.test('what breaks first is reported first', async (t) => {
  const rows: readonly (readonly string[])[] = [
    ['feature-missing', 'disk-full', 'containerd-stopped'],
    ['disk-full', 'service-disabled', 'certificate-expired'],
    ['containerd-stopped', 'hns-network-missing'],
    ['certificate-expired', 'hns-network-wrong'],
  ]
  for (const ids of rows) {
    const report = changed(healthy, Object.assign({}, ...ids.map((id) => recorded[id])) as Changes)
    t.strictSame(found(report), ids)
  }
})

t.test('Windows may speak another language', async (t) => {
  const rows: Readonly<Record<string, Changes>> = {
    'service-ends': {
      'events 0': {
        TimeCreated: '01.01.2026 00:00:00',
        ProviderName: 'Service Control Manager',
        Id: '7034',
        LevelDisplayName: 'Fehler',
        Message: 'Der Dienst "kubelet" wurde unerwartet beendet. Dies ist bereits 3 Mal passiert.',
      },
    },
    'api-server-away': {
      'health clock': {
        id: 'clock',
        kind: 'clock',
        verdict: 'unknown',
        evidence:
          'Es konnte keine Verbindung hergestellt werden, da der Zielcomputer die Verbindung verweigerte.',
        remedy: '',
      },
    },
    'disk-full': {
      'logs C:\\var\\log\\containerd\\containerd.log':
        'msg="hcsshim::ImportLayer failed in Win32: Auf dem Datenträger ist nicht genügend Speicherplatz. (0x70)"',
    },
    'container-lost': {
      'logs C:\\var\\log\\kubelet\\kubelet.log':
        'hcsshim::OpenComputeSystem dc03e5b03640: Ein virtueller Computer mit dieser Kennung ist nicht vorhanden. (0xc037010e)',
    },
  }
  for (const [id, changes] of Object.entries(rows))
    t.strictSame(found(changed(healthy, changes)), [id], id)
  const excluded = (range: string) => {
    const german = `Startport  Endport\n---------- ----------\n     ${range}`
    return found(changed(healthy, { 'commandOutput excludedTcpPorts': german }))
  }
  for (const range of ['10200 10299', '10151 10250', '10250 10349', '10256 10256'])
    t.strictSame(excluded(range), ['port-reserved'], range)
  for (const range of ['10148 10247', '10251 10255', '10257 10356', '10200 10299 *'])
    t.strictSame(excluded(range), [], range)

  const moved = (range: string) =>
    found(
      changed(healthy, {
        'commandOutput excludedTcpPorts': `  ${range}`,
        'configuration kubelet':
          '{ "kind": "KubeletConfiguration", "readOnlyPort": 0, "port": 20250, "healthzPort": 20248 }',
        'configuration kube-proxy':
          '{ "kind": "KubeProxyConfiguration", "healthzBindAddress": "[::]:20256" }',
      }),
    )
  for (const port of ['20248', '20250', '20256'])
    t.strictSame(moved(`${port} ${port}`), ['port-reserved'], port)
  t.strictSame(moved('10200 10299'), [], 'default ports that nothing listens on')
})

const ending = (Id: string, Message = 'kubelet', ProviderName = 'Service Control Manager') => ({
  events: [{ Id, Message, ProviderName }],
})
const disk = (FreeSpace: string) => ({ volumes: [{ DeviceID: 'D:', FreeSpace, Size: '1000' }] })
const memory = (free: string, left: string) => ({
  memory: [{ FreePhysicalMemory: free, FreeVirtualMemory: left, TotalVirtualMemorySize: '1000' }],
})
const servers = (...of: readonly string[]) => ({
  nameServers: of.map((ServerAddresses) => ({ ServerAddresses, InterfaceAlias: 'Ethernet' })),
})
const behind = (InterfaceDescription: string) => ({
  adapters: [{ InterfaceDescription }],
  networks: [{ Type: 'Transparent', Name: 'pods' }],
})
const named = (kubelet: string, proxy: string) => ({
  services: [{ name: 'kubelet', command: `kubelet.exe --hostname-override=${kubelet} --v=2` }],
  configuration: {
    'C:\\etc\\kubernetes\\kube-proxy\\config.json': `{"hostnameOverride": "${proxy}"}`,
  },
})

/** Each with reports that show it, and reports that are near. */
const bounds: Readonly<
  Partial<Record<keyof typeof computed, readonly (readonly [shows: boolean, report: JsonObject])[]>>
> = {
  'service ends': [
    ...['7023', '7024', '7031', '7034'].map((id) => [true, ending(id)] as const),
    ...['containerd', 'KUBE-PROXY', 'flanneld'].map((one) => [true, ending('7034', one)] as const),
    [false, ending('7036')],
    [false, ending('7034', 'spooler')],
    [false, ending('7034', 'kubelet', 'Service')],
  ],
  'clock not synchronized': [
    ...['0x4C4F434C', 'Local CMOS Clock', 'Free-running System Clock'].map(
      (source) => [true, { commandOutput: { clock: `Source: ${source}\nPoll: 6` } }] as const,
    ),
    [true, { commandOutput: { clock: { error: 'Local CMOS Clock' } } }],
    [false, { commandOutput: { clock: 'Source: time.windows.com' } }],
  ],
  'drive nearly full': [
    [true, disk('99')],
    [false, disk('100')],
  ],
  'memory low': [
    [true, memory(String(500 * 1024 - 1), '1000')],
    [false, memory(String(500 * 1024), '1000')],
    [true, memory('1000000', '49')],
    [false, memory('1000000', '50')],
  ],
  'no name server': [
    [true, servers('', 'fec0:0:0:ffff::1%1, fec0:0:0:ffff::2%1, fec0:0:0:ffff::3%1')],
    [false, servers('', '10.0.0.53')],
    [false, servers('fec0:0:0:ffff::1%1, fd00::53')],
  ],
  'transparent network of a virtual machine': [
    ...['Microsoft Hyper-V Network Adapter', 'vmxnet3 Ethernet', 'Red Hat VirtIO Ethernet'].map(
      (adapter) => [true, behind(adapter)] as const,
    ),
    [false, behind('Intel X710, not vmxnet3')],
  ],
  'kube-proxy for another node': [
    [true, named('win-1', 'win-10')],
    [false, named('win-1', 'WIN-1')],
  ],
}

t.test('signs that are computed, and what is near them', async (t) => {
  for (const [sign, rows] of Object.entries(bounds))
    for (const [shows, report] of rows) {
      const evidence = computed[sign as keyof typeof computed].evidenceIn(partsOf(report))
      t.equal(evidence.length > 0, shows, `${sign}: ${JSON.stringify(report)}`)
    }
})

t.test('a report is read as PowerShell writes it again, too', async (t) => {
  const { services = null, ...rest } = changed(healthy, recorded['containerd-stopped'] ?? {})
  const items = services as readonly Json[]
  const stopped = items.filter((item) => JSON.stringify(item).includes('"containerd"'))
  for (const again of [...stopped, { value: items, Count: items.length }])
    t.strictSame(found({ ...rest, services: again }), ['containerd-stopped'])
  const cut = items.map((item) => `@{name=${JSON.stringify(item)}}`)
  t.match(diagnose({ ...rest, services: cut }).missing, ['services'])
})

t.test('a report without one of its parts is no other report', async (t) => {
  const troubles = Object.entries(recorded).filter((_, at) => everything || at % 6 === 0)
  for (const part of Object.keys(healthy)) {
    const without = (report: JsonObject) =>
      Object.fromEntries(Object.entries(report).filter(([name]) => name !== part))
    const answer = diagnose(without(healthy))
    t.strictSame(answer.found, [], part)
    const known = parts.some((one) => one === part)
    t.strictSame(answer.missing, known ? [part] : [])
    for (const [id, changes] of troubles) {
      const ids = found(without(changed(healthy, changes)))
      const others = ids.filter((one) => one !== id)
      const followers = diagnoses.filter(({ causedBy }) => causedBy?.includes(id))
      const left = others.filter((one) => !followers.some((other) => other.id === one))
      t.strictSame(left, [], `${id} without its ${part}`)
      t.notOk(
        part === 'services' && ids.some((one) => one.endsWith('-silent') && one !== id),
        `${id}: no check of a running service`,
      )
    }
  }
})

t.test('recorded verdicts are what is cited', async (t) => {
  for (const { line, from } of Object.values(cited).filter((one) => one.from.startsWith('test/')))
    t.match(readFileSync(path.join(root, from), 'utf8'), line, from)
})

t.test('every diagnosis is tried, and its consequences are diagnoses', async (t) => {
  const ids = diagnoses.map(({ id }) => id)
  t.equal(new Set(ids).size, ids.length, 'each id once')
  const tried = new Set([...Object.keys(spoils), ...Object.keys(cited), ...crafted])
  t.strictSame(
    ids.filter((id) => !tried.has(id)),
    [],
  )
  t.strictSame(
    [...tried].filter((id) => !ids.includes(id)),
    [],
  )
  const causes = diagnoses.flatMap((one) => one.causedBy ?? [])
  t.strictSame(
    causes.filter((id) => !ids.includes(id)),
    [],
  )
  t.ok(ids.length >= 40, `${ids.length} diagnoses`)
  for (const { id, cause, fix, see } of diagnoses) {
    t.match(cause, /^\S.*\.$/, `${id} says its cause`)
    t.match(fix, /^\S.*\.$/, `${id} has a fix`)
    t.match(see, /^https:\/\//, `${id} has a source`)
  }
})

t.test('each runbook has a section of the page, diagnoses, and a case of each', async (t) => {
  const page = readFileSync(path.join(root, 'docs/runbooks.md'), 'utf8')
  const sections = new Map(
    page
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')), text]),
  )
  const tried = new Set([...Object.keys(recorded), ...Object.keys(cited), ...crafted])
  for (const [id, { symptom, heading, diagnoses: ids, see }] of Object.entries(runbooks)) {
    const section = sections.get(heading) ?? ''
    t.not(section, '', `${id}: section ${heading}`)
    t.ok(ids.length > 0, `${id}: ${symptom}`)
    for (const one of ids) {
      t.match(section, `(doctor.md#${one})`, `${id}: the section names ${one}`)
      t.ok(
        diagnoses.some((row) => row.id === one),
        `${id}: doctor has ${one}`,
      )
      t.ok(tried.has(one), `${id}: a case of ${one}`)
    }
    const commands = /^```(?:powershell|sh) not-run$/m.test(section)
    t.ok(commands || /run|read|\(troubleshoot\.md#/i.test(section), `${id}: what to do`)
    t.match(see, /^https:\/\//, `${id} has a source`)
  }
  t.strictSame(
    [...sections.keys()].toSorted(),
    Object.values(runbooks)
      .map(({ heading }) => heading)
      .toSorted(),
    'the page has no other section',
  )
})

t.test('a report without parts lists what could not be checked', async (t) => {
  const { apiVersion = null, kind = null, steps = null } = healthy
  const answer = diagnose({ apiVersion, kind, steps, logs: { error: 'no right to read' } })
  t.strictSame(answer.found, [])
  t.strictSame(
    answer.missing,
    parts.filter((part) => part !== 'steps'),
  )
  t.ok(
    answer.skipped > 10 && answer.skipped < diagnoses.length,
    `${answer.skipped} were not looked for`,
  )
})

t.test('a failed check without a known cause is reported', async (t) => {
  const answer = diagnose(changed(healthy, ill))
  t.match(answer, { found: [], unexplained: [/^health node: the Node is not Ready/] })
  t.match(answer.unexplained.at(-1), 'not in the report: snapshots (ctr.exe not found)')
})

t.test('no secret of a report is printed again', (t) => {
  const token = 'abcdef.0123456789abcdef'
  const fails = { id: 'hns', kind: 'hns', verdict: 'fail', evidence: `token ${token}`, remedy: '' }
  const said = [
    diagnose(changed(healthy, { 'health hns': fails })),
    diagnose(changed(healthy, { 'health node': { ...fails, id: 'node', kind: 'node' } })),
    diagnose(
      changed(healthy, {
        'steps feature': {
          id: 'feature',
          kind: 'windowsFeature',
          state: 'Different',
          detail: token,
        },
      }),
    ),
  ]
  t.ok(
    said.some(({ found: all }) => all.length > 0) &&
      said.some(({ unexplained }) => unexplained.length > 0),
  )
  t.notMatch(JSON.stringify(said), token)
  t.end()
})

t.test('the command', async (t) => {
  const folder = t.testdir({
    'well.json': JSON.stringify(healthy),
    'ill.json': JSON.stringify({
      ...changed(healthy, recorded['containerd-stopped'] ?? {}),
      facts: { nodeName: 'node-b' },
    }),
  })
  const file = (name: string) => path.join(folder, name)
  const well = await inProcess(['doctor', file('well.json')])
  t.match(well, { code: 0, stdout: 'nothing found on 1 node\n' })
  t.match(await inProcess(['doctor', file('well.json'), '-q']), { code: 0, stdout: '' })
  const both = await inProcess(['doctor', folder])
  t.strictSame(await inProcess(['doctor', folder, '-q']), both, 'quietly the same')
  t.equal(both.code, 0)
  t.match(both.stdout, /^error\[containerd-stopped\] node-b\n {2}containerd is not running/)
  t.match(both.stdout, /\n {2}\| service containerd: Stopped, start 2\n/)
  t.match(both.stdout, /\n1 of 2 nodes: containerd-stopped\n$/)
  const page = await inProcess(['doctor', file('ill.json'), '--format', 'markdown'])
  t.match(page.stdout, '## node-b\n\n**error** [`containerd-stopped`](https://')
  const nothing = await inProcess(['doctor', file('well.json'), '--format', 'markdown'])
  t.match(nothing.stdout, /^## .*\n\nNothing was found\.\n/)
  const asked = async (name: string) =>
    JSON.parse((await inProcess(['doctor', name, '--json'])).stdout) as JsonObject
  const data = await asked(folder)
  writeFileSync(file('cut.json'), '{"kind": "NodeRep')
  const schema = JSON.parse(
    readFileSync(path.join(root, 'docs/doctor.schema.json'), 'utf8'),
  ) as JsonObject
  const answers = [data, await asked(file('well.json')), await asked(file('cut.json'))]
  for (const answer of answers)
    t.strictSame(breaches(schema, answer), [], 'the answer is as docs/doctor.schema.json says')
  t.match(data, {
    ok: true,
    nodes: [{ node: 'node-b', found: [{ id: 'containerd-stopped', confidence: 'sure' }] }, {}],
  })
})

t.test('a fleet is grouped by causes', async (t) => {
  const ailing = (id: string, name: string) =>
    JSON.stringify({ ...changed(healthy, recorded[id] ?? {}), facts: { nodeName: name } })
  const withoutVolumes = { ...healthy, volumes: null }
  const folder = t.testdir({
    'a.json': ailing('containerd-stopped', 'win-1'),
    'b.json': ailing('containerd-stopped', 'win-2'),
    'c.json': ailing('disk-full', 'win-3'),
    'd.json': ailing('containerd-stopped', 'win-3'),
    'e.json': JSON.stringify({ ...withoutVolumes, facts: { nodeName: 'win-4' } }),
    'f.json': JSON.stringify({ ...withoutVolumes, facts: { nodeName: 'win-5' } }),
    'g.json': JSON.stringify({ ...changed(healthy, ill), facts: { nodeName: 'win-6' } }),
  })
  const { stdout } = await inProcess(['doctor', folder])
  t.match(stdout, /error\[containerd-stopped\] 3 of 7 nodes\n/)
  t.match(
    stdout,
    /\n {2}nodes: win-1, win-2, win-3\s+\(.*d\.json\)\n/,
    'two of one name stay apart',
  )
  t.equal(stdout.match(/containerd is not running/g)?.length, 1)
  t.match(stdout, '\nwin-6: unhealthy, cause unknown\n  | health node: the Node is not')
  t.match(stdout, /\n\d of 7 nodes: .*; 1 of 7 nodes: unhealthy, cause unknown\n$/)
  const odd = await inProcess(['doctor', path.join(folder, 'g.json')])
  t.match(odd.stdout, /^win-6: [^]*\n1 of 1 node: unhealthy, cause unknown\n$/)
  t.notMatch(odd.stdout, /nothing/i, 'only one summary')
  const page = await inProcess(['doctor', path.join(folder, 'g.json'), '--format', 'markdown'])
  t.notMatch(page.stdout, /nothing/i)
  t.match(stdout, '\nwin-4, win-5: not in the report: volumes\n')
})

t.test('of causes that are as certain, the one of most nodes is next to the prompt', async (t) => {
  const report = (id: string, name: string) =>
    JSON.stringify({ ...changed(healthy, recorded[id] ?? {}), facts: { nodeName: name } })
  const folder = t.testdir({
    'a.json': report('disk-full', 'win-1'),
    'b.json': report('containerd-stopped', 'win-2'),
    'c.json': report('containerd-stopped', 'win-3'),
  })
  const { stdout } = await inProcess(['doctor', folder])
  t.strictSame(
    [...stdout.matchAll(/^error\[(\S+)\]/gm)].map(([, id]) => id),
    ['disk-full', 'containerd-stopped'],
  )
})

t.test('evidence is folded on a narrow terminal, and cut after three lines', (t) => {
  const [diagnosis] = diagnoses
  if (!diagnosis) throw new Error('there are no diagnoses')
  const evidence = ['the first line of the evidence folds', 'second', 'third', 'fourth', 'fifth']
  const all = [{ diagnosis, evidence, confidence: diagnosis.confidence }]
  const result = { found: all, unexplained: [], missing: [], skipped: 0 }
  const shown = prettyDoctor(
    { examined: [{ node: 'win-1', result }], unreadable: [] },
    { ...plainScreen, columns: 30 },
  )
  t.match(
    shown,
    '\n  | the first line of the\n    evidence folds\n  | second\n  | third\n  | and 2 more\n',
  )
  const both = [
    { node: 'win-1', result },
    { node: 'win-2', result },
  ]
  const cut = { source: 'cut.json', why: 'it is cut off' }
  const shared = prettyDoctor({ examined: both, unreadable: [cut] }, plainScreen)
  t.match(shared, / both nodes\n/, 'of those that could be read')
  t.end()
})

t.test('what is no report', async (t) => {
  const folder = t.testdir({
    'other.json': '{"kind": "Pod"}',
    'cut.json': '{"kind": "NodeRep',
    'bare.json': '{"apiVersion": "winnode/v1", "kind": "NodeReport", "steps": ["@{id=x}"]}',
    bundle: { 'node.json': '{}' },
  })
  const { code, stdout } = await inProcess([
    'doctor',
    path.join(folder, 'other.json'),
    path.join(folder, 'cut.json'),
    path.join(folder, 'bare.json'),
  ])
  t.equal(code, 6)
  // Lines fold where the path of the folder has them fold.
  const said = stdout.replaceAll(/\s+/g, ' ')
  t.match(said, /other\.json could not be read: it is neither a snapshot nor a report/)
  t.match(said, /cut\.json could not be read: it is cut off, or no JSON/)
  t.match(said, /bare\.json could not be read: it has no data about the node/)
  t.match(stdout, /\nno report could be read\n$/)
  const page = await inProcess(['doctor', path.join(folder, 'cut.json'), '--format', 'markdown'])
  t.match(page.stdout, /^`.*cut\.json` could not be read: it is cut off, or no JSON\n$/)
  t.equal((await inProcess(['doctor', path.join(folder, 'bundle')])).code, 2)
  t.equal((await inProcess(['doctor', path.join(folder, 'nowhere')])).code, 2)
  const twice = await inProcess(['doctor', '-', '-'])
  t.match(twice, { code: 2, stderr: /standard input is named twice/ })
  t.equal((await inProcess(['doctor'])).code, 2)
})

/** Records all of them again, or these: `WINNODE_RECORD=disk-full,name-long npm test -- FILE --test-arg=--all`; first `healthy`, alone. */
const anew = process.env['WINNODE_RECORD']?.split(',')

if (everything)
  scenario('the recorded reports are what Export writes', async (t, { host, machineAfter }) => {
    const reports: Record<string, Changes> = { ...recorded }
    if (anew?.includes('healthy')) {
      const drive = await machineAfter(member, memberDocument)
      const text = JSON.stringify(await reportOf(host, drive), null, 2)
      writeFileSync(path.join(root, 'test/doctor/healthy.json'), `${text}\n`)
      return
    }
    for (const [id, spoil] of Object.entries(spoils)) {
      if (anew && !anew.includes(id)) continue
      const drive = await machineAfter(id in unjoined ? installed : member, memberDocument)
      await host.ps(spoil)
      const report = await reportOf(host, drive)
      if (anew) reports[id] = changesOf(healthy, report)
      else t.strictSame(changesOf(changed(healthy, recorded[id] ?? {}), report), {}, id)
    }
    const text = JSON.stringify(reports, null, 2)
    if (anew) writeFileSync(path.join(root, 'test/doctor/simulated.json'), `${text}\n`)
  })
