// The stand-ins answer as the recorded real programs do, and every uncertain behavior of Windows is tested both ways.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { bring, install, ownFolders, reset, succeeded, token } from './course.ts'
import { everyKind } from './every-kind.ts'
import { differences, trouble } from './host.ts'
import { scenario } from './stage.ts'
import { root } from '../tools/run.ts'
import { everything } from '../tools/everything.ts'

interface Answer<Effect> {
  readonly verdict: 'accepted' | 'warned' | 'ignored' | 'refused'
  readonly message?: string
  readonly effect?: Effect
}
interface Case<Input, Effect> {
  readonly id: string
  readonly input: Input
  readonly answers: readonly [Answer<Effect>]
}

function upstream(name: string) {
  return JSON.parse(readFileSync(path.join(root, 'test/upstream', name), 'utf8'))
}

/** Inputs of a program, and what the real one said to them. */
function verdicts<Input, Effect = never>(program: string): readonly Case<Input, Effect>[] {
  return upstream(`verdicts/${program}.json`).cases
}

/** What it made of them, by the id of the case. */
function effects<Effect>(program: string): Readonly<Record<string, Effect>> {
  return upstream(`effects/${program}.json`)
}

interface Store {
  readonly [file: string]: string
}

interface HostLocalInput {
  readonly command: string
  readonly containerId: string
  readonly ifName: string
  readonly args?: string
  readonly conf: { readonly name?: string }
  readonly store: Store
}

scenario('host-local', async (t, { host, machine }) => {
  await machine(everyKind())
  const cases = verdicts<HostLocalInput>('host-local')
  const given = cases.map(({ input }) => ({
    ...input,
    name: input.conf.name ?? 'none',
    conf: JSON.stringify(input.conf),
  }))
  const said = await host.ps<readonly { code: number; said: string; store: Store }[]>(
    `$with.cases | ForEach-Object -Process { Invoke-HostLocalCase -Case $_ }`,
    { cases: given },
  )
  const made = effects<{ readonly result?: object; readonly store: Store }>('host-local')
  for (const [index, { id, answers }] of cases.entries()) {
    const [{ verdict, message }] = answers
    const answer = said[index]
    t.equal(answer?.code, verdict === 'refused' ? 1 : 0, id)
    t.strictSame(answer?.store, made[id]?.store, `${id}: the store after it`)
    const text = answer?.said ?? ''
    if (verdict === 'refused') t.equal(JSON.parse(text).msg, message, id)
    else t.strictSame(text === '' ? undefined : JSON.parse(text), made[id]?.result, id)
  }
})

interface FlannelInput {
  readonly 'net-conf.json': string | null
  readonly nodePodCIDRs: readonly string[]
  readonly nodeName: string
  readonly flags: readonly string[]
  readonly kubeconfig?: string
  readonly managementIPAfter?: string
}

/** What the recorded program met in its surroundings only, and not in its input. */
const surroundings: Readonly<Record<string, string>> = {
  'flag-interface-missing': 'there was no PowerShell to ask for the default interface',
}

/** What is written behind a kubeconfig that works. */
const spoilt: Readonly<Record<string, string>> = {
  'tokenFile names a file that is not there':
    'x:\n  tokenFile: C:\\etc\\kubernetes\\flannel.token\n',
  'current-context names no context': 'current-context: other\n',
}

scenario('flanneld', async (t, { host, machine }) => {
  await machine(everyKind())
  const cases = verdicts<FlannelInput>('flanneld').filter(({ id }) => !(id in surroundings))
  const given = cases.map(({ input }) => ({
    conf: input['net-conf.json'],
    flags: input.flags,
    node: input.nodeName,
    subnet: input.nodePodCIDRs.find((cidr) => cidr.includes('.')) ?? input.nodePodCIDRs[0],
    kubeconfig: spoilt[input.kubeconfig ?? ''] ?? '',
    late: Number.parseInt(input.managementIPAfter ?? '10', 10) / 1000,
  }))
  await host.ps(
    `Set-HostFact -Name Features -Value @{ Containers = 'Installed' }; Update-HostCommand`,
  )
  const said = await host.ps<
    readonly { said: readonly string[]; network: readonly string[]; file: string }[]
  >(`$with.cases | ForEach-Object -Process { Invoke-FlannelCase -Case $_ }`, { cases: given })
  const made = effects<{ readonly network?: string; readonly file?: string }>('flanneld')
  // A missing file has another message there.
  const inWords = (text: string) =>
    text.replace('File not found.', 'The system cannot find the file specified.')
  for (const [index, { id, answers }] of cases.entries()) {
    const [{ verdict, message = '' }] = answers
    const answer = said[index]
    if (verdict === 'refused') {
      t.match(answer?.said.join('\n'), inWords(message), id)
      t.match(answer, { network: [], file: '' }, id)
      continue
    }
    const { network, file } = made[id] ?? {}
    if (network !== undefined) t.match(answer?.network, [network], id)
    if (file !== undefined) t.equal(answer?.file, file, id)
    t.strictSame(answer?.said, [], `${id}: nothing is in the way`)
  }
})

/** Cases of the course of a join, and what makes them: PowerShell, before kubeadm starts. */
const joins: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'join-file-discovery': {},
  'join-token-discovery': { byToken: true },
  'api-server-down-file': { prepared: '[WinNodeHost.ApiServer]::Stop()' },
  'api-server-down-token': { byToken: true, prepared: '[WinNodeHost.ApiServer]::Stop()' },
  'wrong-ca-file': {
    prepared: `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\discovery.conf' -NoNewline -Value (Get-HostKubeconfig -Ca ([WinNodeHost.ApiServer]::ForeignPem))`,
  },
  'wrong-hash-token': { byToken: true, hashes: [`sha256:${'0'.repeat(64)}`] },
  'token-unknown-file': { token: 'zzzzzz.aaaaaaaaaaaaaaaa' },
  'token-unknown-token': { byToken: true, token: 'zzzzzz.aaaaaaaaaaaaaaaa' },
  'token-secret-wrong-file': { token: 'abcdef.aaaaaaaaaaaaaaaa' },
  'token-secret-wrong-token': { byToken: true, token: 'abcdef.aaaaaaaaaaaaaaaa' },
  'token-malformed-file': { token: 'abc' },
  'token-empty-file': { token: '' },
  'no-hash-token': { byToken: true, hashes: [] },
  'certificate-expired-file': {
    prepared: `[WinNodeHost.ApiServer]::Serve('', [datetime]'2025-01-01', [datetime]'2025-06-01')`,
  },
  'anonymous-auth-off-file': { prepared: '[WinNodeHost.ApiServer]::Anonymous = $false' },
  'name-taken-and-ready': { prepared: 'Set-HostNode -Name node-a -Ready $true' },
  'name-taken-not-ready': { prepared: 'Set-HostNode -Name node-a -Ready $false' },
  'csr-pending': { prepared: 'Set-HostCluster -Name Signs -Value wait' },
  'kubelet-never-healthy': {
    prepared: `Microsoft.PowerShell.Management\\Remove-Item -LiteralPath 'C:\\k\\own.json'`,
  },
  'kubelet-conf-left': {
    prepared: `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\kubelet.conf' -Value ''`,
  },
  'bootstrap-kubelet-conf-left': {
    prepared: `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf' -Value ''`,
  },
  'ca-left': {
    prepared: `$null = New-Item -ItemType Directory -Path 'C:\\etc\\kubernetes\\pki'; Set-Content -LiteralPath 'C:\\etc\\kubernetes\\pki\\ca.crt' -Value ''`,
  },
  'discovery-file-absent': {
    prepared: `Microsoft.PowerShell.Management\\Remove-Item -LiteralPath 'C:\\etc\\kubernetes\\discovery.conf'`,
  },
  'discovery-file-empty': {
    prepared: `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\discovery.conf' -Value ''`,
  },
  'node-name-with-underscore': { name: 'node_a' },
  'kubelet-config-missing': {
    prepared: `[WinNodeHost.ApiServer]::Remove('/api/v1/namespaces/kube-system/configmaps/kubelet-config')`,
  },
  'kubeadm-config-missing': {
    prepared: `[WinNodeHost.ApiServer]::Remove('/api/v1/namespaces/kube-system/configmaps/kubeadm-config')`,
  },
  'cluster-info-missing-file': {
    prepared: `[WinNodeHost.ApiServer]::Remove('/api/v1/namespaces/kube-public/configmaps/cluster-info')`,
  },
}

interface Course {
  readonly code: number
  readonly seconds: number
  readonly message: string
  readonly left: readonly string[]
  readonly problems?: readonly string[]
}

/** The first words of a message, without what is of that cluster alone. */
const firstWords = (text: string): string => text.split(/ "|\. |: Get/)[0] ?? ''

scenario('kubeadm join takes its course', async (t, { host, machine }) => {
  await machine(everyKind())
  const recorded = effects<Course>('kubeadm-join-course')
  for (const [id, prepared] of Object.entries(joins)) {
    const was = recorded[id]
    if (was === undefined) throw new Error(`${id} is not recorded`)
    const is = await host.ps<{ code: number; seconds: number; said: string; left: string[] }>(
      'Reset-HostMember; Invoke-JoinCase -Case $with.case',
      { case: prepared },
    )
    t.equal(is.code, was.code, `${id}: ${is.said}`)
    t.ok(
      Math.abs(is.seconds - was.seconds) < 6,
      `${id} takes ${is.seconds} s, not ${was.seconds} s`,
    )
    t.ok(is.said.includes(firstWords(was.message)), `${id}: ${is.said}`)
    for (const problem of was.problems ?? []) t.ok(is.said.includes(problem), `${id}: ${is.said}`)
    t.strictSame(is.left.toSorted(), was.left.toSorted(), `${id}: what it leaves`)
  }
})

/** A certificate and a kubelet.conf from before. */
const member = `Start-Service -Name kubelet; Start-Sleep -Seconds 5; Stop-Service -Name kubelet`
const without = (file: string) =>
  `Microsoft.PowerShell.Management\\Remove-Item -LiteralPath '${file}' -Recurse -Force`
const bootstrapFile = 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf'
const fixed = `Set-Content -LiteralPath 'C:\\k\\own.json' -Value '{"rotateCertificates": false}'`
const expired = `Set-HostToken -Token 'abcdef.0123456789abcdef'`
const waits = 'Set-HostCluster -Name Signs -Value wait'
const approves = `${waits}; Add-HostDue -After 20 -Name cluster-signs -Subject approve`

const starts: Readonly<Record<string, string>> = {
  approved: '',
  'approved-restart-without-bootstrap-file': `${member}; ${without(bootstrapFile)}`,
  'approved-kubelet-conf-deleted-no-bootstrap-file': `${member}; ${without(bootstrapFile)}; ${without('C:\\etc\\kubernetes\\kubelet.conf')}`,
  'approved-kubelet-conf-deleted-bootstrap-file': `${member}; ${without('C:\\etc\\kubernetes\\kubelet.conf')}`,
  'approved-pki-deleted-no-bootstrap-file': `${member}; ${without(bootstrapFile)}; ${without('C:\\var\\lib\\kubelet\\pki')}`,
  'approved-pki-deleted-bootstrap-file': `${member}; ${without('C:\\etc\\kubernetes\\kubelet.conf')}; ${without('C:\\var\\lib\\kubelet\\pki')}`,
  'no-file-at-all': without(bootstrapFile),
  'pending-for-ever': waits,
  'pending-then-approved': approves,
  'token-expired-for-ever': expired,
  'rotation-off-approved': fixed,
  'rotation-off-pending-then-approved': `${fixed}; ${approves}`,
  'rotation-off-token-expired': `${fixed}; ${expired}`,
  'wrong-ca': `Set-Content -LiteralPath '${bootstrapFile}' -NoNewline -Value (Get-HostKubeconfig -Token 'abcdef.0123456789abcdef' -Ca ([WinNodeHost.ApiServer]::ForeignPem))`,
  'api-server-down': '[WinNodeHost.ApiServer]::Stop()',
}

interface Start {
  readonly runs: boolean
  readonly ended: number | null
  readonly conf: number | null
  readonly cert: number | null
}

scenario('the kubelet comes to its certificate, or ends', async (t, { host, machine }) => {
  await machine(everyKind())
  const recorded = effects<Start>('kubelet-bootstrap-course')
  for (const [id, prepared] of Object.entries(starts)) {
    const was = recorded[id]
    if (was === undefined) throw new Error(`${id} is not recorded`)
    const watch = was.runs ? 40 : 320
    const is = await host.ps<Start & { readonly said: string }>(
      'Reset-HostMember; Invoke-KubeletCase -Case $with.case',
      { case: { prepared, watch } },
    )
    t.equal(is.runs, was.runs, `${id}: ${is.said}`)
    for (const event of ['ended', 'conf', 'cert'] as const) {
      const [then, now] = [was[event], is[event]]
      if (then === null || now === null) t.equal(now, then, `${id}: ${event}`)
      else t.ok(Math.abs(now - then) < 5, `${id}: ${event} after ${now} s, not ${then} s`)
    }
  }
})

/** Name and groups of a request's credentials; anonymous if they are invalid. */
const callers: Readonly<Record<string, string>> = {
  anonymous: 'system:anonymous',
  'bootstrap token of kubeadm':
    'system:bootstrap:abcdef system:bootstrappers:kubeadm:default-node-token',
  'bootstrap token without further groups': 'system:bootstrap:q1w2e3',
  'expired bootstrap token': '',
  'client certificate of node win-1': 'system:node:win-1 system:nodes',
  'client certificate CN=winnode-kube-proxy': 'winnode-kube-proxy',
  'client certificate CN=system:kube-proxy': 'system:kube-proxy',
  admin: 'kubernetes-admin system:masters',
  'ServiceAccount winnode-flannel': 'system:serviceaccount:kube-system:winnode-flannel',
  'ServiceAccount winnode-kube-proxy': 'system:serviceaccount:kube-system:winnode-kube-proxy',
}

scenario('crictl and ctr refuse flags that they do not have', async (t, { host, machine }) => {
  await machine(everyKind())
  const said = (program: string, ...given: readonly string[]) =>
    host.ps<{ readonly code: number; readonly err: string }>(
      '$said = Invoke-HostProgram -Name $with.program -Argument @($with.given); @{ code = $said.Code; err = "$($said.Err)" }',
      { program, given },
    )
  for (const [program, ...given] of [
    ['crictl', '--endpoint', 'npipe:////./pipe/containerd-containerd', 'pods'],
    ['crictl', '--timeout', '30', 'pods'],
    ['crictl', 'pods', '--all'],
    ['crictl', 'stopp', '--force', 'a'],
    ['crictl', 'rmi', '--force', '--all'],
    ['ctr', '-n', 'k8s.io', 'snapshots', 'ls', '-q'],
    ['ctr', '-n', 'k8s.io', 'containers', 'rm', '--force', 'a'],
  ] as const) {
    const { code, err } = await said(program, ...given)
    t.equal(code, 1, `${program} ${given.join(' ')}`)
    t.match(err, /flag provided but not defined|invalid value/, `${program} ${given.join(' ')}`)
  }
})

/** What admission refuses when it reads what is written, which is not stood in for. */
const admission = [
  'client-certificate-of-node-win-1-node-create-win-9',
  'client-certificate-of-node-win-1-lease-create-win-2',
]

scenario('authorization at the API server', async (t, { host, machine }) => {
  await machine(everyKind())
  interface Request {
    readonly as: string
    readonly request: string
  }
  const cases = verdicts<Request, { readonly code: number }>('api-access').filter(
    ({ id }) => !admission.includes(id),
  )
  const given = cases.map(({ input: { as, request } }) => [callers[as], ...request.split(' ')])
  const codes = await host.ps<readonly number[]>(
    `$with.given | ForEach-Object -Process { [WinNodeHost.ApiServer]::Code($_[0], $_[1], $_[2]) }`,
    { given },
  )
  const refusals = [401, 403]
  const differ = cases.flatMap(({ id, answers: [{ effect }] }, index) => {
    const [was, is] = [effect?.code ?? 0, codes[index] ?? 0]
    const same = was === is || (!refusals.includes(was) && !refusals.includes(is))
    return same ? [] : [`${id}: ${is}, not ${was}`]
  })
  t.strictSame(differ, [])
})

/** Names of the switches, each of which Windows may have either way. */
const switches = [
  ...readFileSync(path.join(root, 'test/host/parts/switches.ps1'), 'utf8').matchAll(
    /^ {4}(\w+) += @\{ Usual/gm,
  ),
].map(([, name = '']) => name)

/** All turned at once; one of them may hide an effect of another, so with all tests each alone, too. */
const ways: Readonly<Record<string, readonly string[]>> = {
  'whatever Windows does': switches,
  ...(everything &&
    Object.fromEntries(switches.map((name) => [`with ${name} the other way`, [name]]))),
}

for (const [way, names] of Object.entries(ways))
  scenario(`a node comes up, and goes, ${way}`, async (t, { host, machine }) => {
    t.strictSame(switches, await host.ps('Get-HostSwitchName'), 'every switch is known')
    const drive = await machine(everyKind())
    bring(drive)
    const before = await host.describe()
    await host.ps('Set-HostOther -Name $with.names', { names })
    await install(host)
    succeeded(await host.run('Join', { Token: token }))
    const again = await host.run('Test')
    t.equal(again.result.exitCode, 0, trouble(again.result))
    await host.restart()
    succeeded(await host.run('Install', { Phase: 'boot' }))
    t.match(await host.run('Test'), { code: 0 })
    await reset(host)
    t.strictSame(differences(before, await host.describe(), ownFolders), [])
  })
