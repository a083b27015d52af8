// Health of a node that has joined: each check healthy, and each one failing, with evidence and remedy.
import { statSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { joined, loop, reset, succeeded } from '../host/course.ts'
import { everyKind, withHealth } from '../host/every-kind.ts'
import { trouble, type Host, type Result } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'

const document = withHealth(everyKind())
const kinds =
  'kubelet certificate node network sandboxes endpoints proxy services image clock disk ports'.split(
    ' ',
  )

scenario('a healthy node', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  // The last one is this machine, before it got another name.
  await host.ps(`Start-Sleep -Seconds 60
    ${peers(['00:15:5d:00:0a:02', '192.0.2.11'], ['00-15-5D-00-0A-01', '192.0.2.10'])}`)
  const { result, calls, writes } = await host.run('Test')
  t.equal(result.exitCode, 0, trouble(result))
  t.strictSame(
    result.health.map(({ id, verdict, remedy }) => [id, verdict, remedy]),
    kinds.map((id) => [id, 'ok', '']),
  )
  t.match({ calls, writes }, { calls: [], writes: 0 })
  const says = Object.fromEntries(result.health.map(({ id, evidence }) => [id, evidence]))
  t.match(says, {
    kubelet: 'http://127.0.0.1:10248/healthz: 200 ok',
    certificate: /^valid until 2026-12-31 .*, 364 days$/,
    node: 'node-a is Ready, kubelet v1.36.0',
    network:
      /^HNS network flannel\.4096, Overlay, at 192\.0\.2\.10; endpoint of the source VIP 10\.244\.3\.2 at/,
    services:
      'default/kubernetes 10.96.0.1:443 TCP to 192.0.2.5; kube-system/kube-dns 10.96.0.10:53 UDP to 10.244.0.2, 10.244.0.3; ' +
      'kube-system/kube-dns 10.96.0.10:53 TCP to 10.244.0.2, 10.244.0.3',
    clock: /^0 s off the API server/,
    disk: 'C: has 40 GiB of 100 free, expected more than 10',
    ports:
      '10250 kubelet; 10248 kubelet; 10256 kube-proxy; 60 of 31536 dynamic ports in use or reserved, 491 blocks of 64 free',
  })
})

/** The port ranges that the steps exclude. */
const excluded = [
  "@{ Protocol = 'udp'; From = 65330; To = 65330; Mark = '*' }",
  "@{ Protocol = 'tcp'; From = 30000; To = 32767; Mark = '*' }",
].join('; ')

/** One thing that is wrong, how it comes about, how it ends, and what Test makes of it. */
interface Trouble {
  readonly what: string
  readonly spoil: string
  readonly mend: string
  /** Verdicts that are not ok. */
  readonly verdicts: Readonly<Record<string, string>>
  readonly evidence: RegExp | string
  /** Of the whole of Test. */
  readonly code?: number
}

const inHost = (script: string): string => `& (Get-Module -Name host) { ${script} }`
const again = 'Start-Sleep -Seconds 60'
/** The other nodes of the overlay, as HNS has them: https://github.com/flannel-io/flannel/pull/1238 */
const peers = (...nodes: readonly (readonly [mac: string, address: string])[]): string =>
  inHost(
    `foreach ($network in $script:Machine.Networks) { $network.Policies = @(@{ Type = 'HostRoute' }${nodes
      .map(
        ([mac, address], index) =>
          `, @{ Type = 'RemoteSubnetRoute'; IsolationId = 4096; DestinationPrefix = '10.244.${index}.0/24'; DistributedRouterMacAddress = '${mac}'; ProviderAddress = '${address}' }`,
      )
      .join('')}) }`,
  )
const nodePath = "'/api/v1/nodes/node-a'"
const node = (change: string): string =>
  `$node = [WinNodeHost.ApiServer]::Get(${nodePath}) | ConvertFrom-Json -AsHashtable; ${change}; Set-HostObject -Path ${nodePath} -Value $node`
const serves = (user: string): string =>
  `Set-HostToken -Token 'token-of-kube-proxy' -User '${user}'`

const troubles: readonly Trouble[] = [
  {
    what: 'a kubelet that has not come to its port',
    spoil: 'Restart-Service -Name kubelet',
    mend: again,
    verdicts: { kubelet: 'fail', ports: 'fail' },
    evidence: 'http://127.0.0.1:10248/healthz: No connection could be made',
    code: 7,
  },
  {
    what: 'a Node that is not Ready',
    spoil: node(
      `$node.status.conditions = @(@{ type = 'Ready'; status = 'False'; message = 'PLEG is not healthy' })`,
    ),
    mend: again,
    verdicts: { node: 'fail' },
    evidence: 'the Node is not Ready: PLEG is not healthy',
  },
  {
    what: 'a Node under pressure',
    spoil: node(
      `$node.status.conditions += @{ type = 'DiskPressure'; status = 'True'; message = 'kubelet has disk pressure' }`,
    ),
    mend: again,
    verdicts: { node: 'fail' },
    evidence: 'DiskPressure: kubelet has disk pressure',
  },
  {
    what: 'a Node whose routes no program reports',
    spoil: node(
      `$node.status.conditions += @{ type = 'NetworkUnavailable'; status = 'True'; reason = 'NoRouteCreated'; message = 'no routes yet' }`,
    ),
    mend: node(
      `$node.status.conditions = @($node.status.conditions | Where-Object -FilterScript { $_.type -ne 'NetworkUnavailable' })`,
    ),
    verdicts: { node: 'warn' },
    evidence:
      'Ready, but NetworkUnavailable (NoRouteCreated: no routes yet), which keeps pods away until the network plugin or the route controller of the cloud, whichever set it, clears it',
    code: 0,
  },
  {
    what: 'an older kubelet that still runs',
    spoil: node(`$node.status.nodeInfo.kubeletVersion = 'v1.35.9'`),
    mend: again,
    verdicts: { node: 'fail' },
    evidence: 'the running kubelet is v1.35.9, expected 1.36.0',
  },
  {
    what: 'a kubelet whose version only begins like the expected one',
    spoil: node(`$node.status.nodeInfo.kubeletVersion = 'v1.36.01'`),
    mend: again,
    verdicts: { node: 'fail' },
    evidence: 'the running kubelet is v1.36.01, expected 1.36.0',
  },
  {
    what: 'a machine that its cloud has not found',
    spoil: node(
      `$node.spec.taints = @($node.spec.taints) + @{ key = 'node.cloudprovider.kubernetes.io/uninitialized'; effect = 'NoSchedule' }`,
    ),
    mend: node(
      `$node.spec.taints = @($node.spec.taints | Where-Object -FilterScript { $_.key -eq 'os' })`,
    ),
    verdicts: { node: 'fail' },
    evidence: 'the cloud controller manager has not initialized the Node yet',
  },
  {
    what: 'a Node that was changed by hand',
    spoil: node(
      `$node.spec.unschedulable = $true; $node.metadata.labels = @{}; $node.spec.taints = @()`,
    ),
    mend: node(
      `$node.spec = @{ taints = @(@{ key = 'os'; value = 'windows'; effect = 'NoSchedule' }) }; $node.metadata.labels = @{ pool = 'windows' }`,
    ),
    verdicts: { node: 'warn' },
    evidence:
      'Ready, but label pool=windows is missing; taint os=windows:NoSchedule is missing; cordoned',
    code: 0,
  },
  {
    what: 'an API server that is away',
    spoil: 'Stop-HostApi -For 30',
    mend: again,
    verdicts: { node: 'fail', services: 'unknown', clock: 'unknown' },
    evidence:
      /cannot read the Node from https:\/\/127\.0\.0\.1:\d+: Unable to connect to the server: dial/,
  },
  {
    what: 'a network without the endpoint of the host',
    spoil: 'Set-HostFact -Name Endpoints -Value @()',
    mend: again,
    verdicts: { network: 'fail', services: 'fail' },
    evidence: 'no endpoint of the source VIP 10.244.3.2',
  },
  {
    what: 'a node that is a clone',
    spoil: peers(['00:15:5d:00:0a:02', '192.0.2.11'], ['00:15:5d:00:0a:01', '192.0.2.12']),
    mend: peers(),
    verdicts: { network: 'fail' },
    evidence:
      'the node of 10.244.1.0/24, at 192.0.2.12, has the same MAC address 00-15-5d-00-0a-01',
  },
  {
    what: 'a node with the same tunnel address',
    spoil: peers(['00-15-5D-00-0A-02', '192.0.2.10']),
    mend: peers(),
    verdicts: { network: 'fail' },
    evidence: 'the node of 10.244.0.0/24, at 192.0.2.10, has the same address 192.0.2.10',
  },
  {
    what: 'an endpoint that is attached to no container',
    spoil: `Add-HostPod -Name web; Start-Sleep -Seconds 5
      ${inHost(`$one = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.Name -match '^[0-9a-f]{64}_' })[0]; $one.State = 1`)}`,
    mend: inHost(
      `foreach ($one in @($script:Machine.Endpoints | Where-Object -FilterScript { $_.State -eq 1 })) { $one.State = 2 }`,
    ),
    verdicts: { endpoints: 'warn' },
    evidence:
      /^1 endpoints of pods, 1 not attached: endpoint-[0-9a-f]{64} of default\/web \(Created\)$/,
    code: 0,
  },
  {
    what: 'an endpoint whose pod is gone',
    spoil: inHost(
      `$script:Machine.Endpoints += @{ ID = 'left'; Name = "$('0' * 64)_flannel.4096"; Type = 'Overlay'; IPAddress = '10.244.3.99'; VirtualNetwork = $script:Machine.Networks[0].ID; VirtualNetworkName = 'flannel.4096'; State = 4 }`,
    ),
    mend: inHost(
      `$script:Machine.Endpoints = @($script:Machine.Endpoints | Where-Object -FilterScript { $_.ID -ne 'left' })`,
    ),
    verdicts: { endpoints: 'warn' },
    evidence: '2 endpoints of pods, 1 not attached: left of no running pod (Detached)',
  },
  {
    what: 'a kube-proxy that does not keep up',
    spoil: inHost(`$script:Machine.Proxy.Queued = $script:Machine.Seconds - 61`),
    mend: again,
    verdicts: { proxy: 'fail' },
    evidence: 'http://127.0.0.1:10256/healthz: 503 {"lastUpdated"',
  },
  {
    what: 'a Node that an autoscaler is about to remove',
    spoil: node(
      `$node.spec.taints += @{ key = 'ToBeDeletedByClusterAutoscaler'; effect = 'NoSchedule' }`,
    ),
    mend: node(
      `$node.spec.taints = @($node.spec.taints | Where-Object -FilterScript { $_.key -eq 'os' })`,
    ),
    verdicts: { proxy: 'fail' },
    evidence: '"nodeEligible": false',
  },
  {
    what: 'a service without a load balancer, as where HNS leaked its port',
    spoil: inHost(
      `$script:Machine.PolicyLists = @($script:Machine.PolicyLists | Where-Object -FilterScript { $_.ID -notlike '*UDP' })`,
    ),
    mend: 'Restart-Service -Name kube-proxy; Start-Sleep -Seconds 31',
    verdicts: { services: 'fail' },
    evidence: 'HNS has no load balancer for kube-system/kube-dns 10.96.0.10:53 UDP',
  },
  {
    what: 'a load balancer that leads to what is gone',
    spoil: `Add-HostService -Name kube-system/kube-dns -Address 10.96.0.10 -Behind 10.244.0.9 -Label @{ 'k8s-app' = 'kube-dns' } -Port @{ name = 'dns'; port = 53; protocol = 'UDP' }`,
    mend: again,
    verdicts: { services: 'fail' },
    evidence:
      'HNS sends kube-system/kube-dns 10.96.0.10:53 UDP to 10.244.0.2, 10.244.0.3, expected 10.244.0.9',
  },
  {
    what: 'a kube-proxy whose account may not read',
    spoil: serves('system:serviceaccount:kube-system:other'),
    mend: serves('system:serviceaccount:kube-system:winnode-kube-proxy'),
    verdicts: { services: 'fail' },
    evidence:
      /with the credentials of kube-proxy: Error from server \(Forbidden\): default "services" is forbidden/,
  },
  {
    what: 'a clock that is off',
    spoil: '[WinNodeHost.ApiServer]::Now = [WinNodeHost.ApiServer]::Now.AddSeconds(301)',
    mend: again,
    verdicts: { clock: 'fail' },
    evidence: '301 s off the API server, at most 300 s are allowed',
  },
  {
    what: 'a disk that is full',
    spoil: 'Set-HostFact -Name FreeSpace -Value 10GB',
    mend: 'Set-HostFact -Name FreeSpace -Value 40GB',
    verdicts: { disk: 'fail' },
    evidence: 'C: has 10 GiB of 100 free, expected more than 10',
  },
  {
    what: 'a port that another program holds',
    spoil: `Set-HostFact -Name Holders -Value @{ '10250' = 'exporter' }`,
    mend: 'Set-HostFact -Name Holders -Value @{}',
    verdicts: { ports: 'fail' },
    evidence:
      '10250 is used by exporter, expected kubelet; 60 of 31536 dynamic ports in use or reserved, 491 blocks of 64 free',
  },
  {
    what: 'ports for connections that run out',
    spoil: 'Set-HostFact -Name Connections -Value 31000',
    mend: 'Set-HostFact -Name Connections -Value 0',
    verdicts: { ports: 'warn' },
    evidence: '31000 of 31536 dynamic ports in use or reserved, 8 blocks of 64 free',
  },
  {
    what: 'ports that HNS has reserved for load balancers',
    spoil: `Set-HostFact -Name ExcludedPorts -Value @(${excluded}; for ($port = 34000; $port -lt 64976; $port += 64) {
      @{ Protocol = 'tcp'; From = $port; To = $port + 63; Mark = '' }
    })`,
    mend: `Set-HostFact -Name ExcludedPorts -Value @(${excluded})`,
    verdicts: { ports: 'warn' },
    evidence: '30976 of 31536 dynamic ports in use or reserved, 8 blocks of 64 free',
  },
  {
    what: 'an image of sandboxes that is gone',
    spoil: 'Set-HostFact -Name Images -Value @()',
    mend: `Set-HostFact -Name Images -Value @('registry.example.com/pause:3.10')`,
    verdicts: { image: 'warn' },
    evidence: 'registry.example.com/pause:3.10: containerd does not have the image',
    code: 4,
  },
]

scenario('what does not work is named, with what shows it', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  await host.ps(again)
  for (const { what, spoil, mend, verdicts: wanted, evidence, code } of troubles) {
    await host.ps(spoil)
    // The whole of Test for some rows: the rest is the same each time.
    const checks = code === undefined ? await asked(host) : await tested(t, host, what, code)
    const bad = checks.filter(({ verdict }) => verdict !== 'ok')
    t.strictSame(Object.fromEntries(bad.map(({ id, verdict }) => [id, verdict])), wanted, what)
    t.ok(
      bad.some(({ evidence: text }) =>
        typeof evidence === 'string' ? text.includes(evidence) : evidence.test(text),
      ),
      `${what}: ${bad.map(({ evidence: text }) => text).join('; ')}`,
    )
    t.ok(
      bad.every(({ remedy }) => remedy !== ''),
      `${what}: what to do`,
    )
    await host.ps(mend)
  }
  t.equal((await host.run('Test')).result.exitCode, 0, 'all of it passes')

  const plugin = '{CCC2A336-D7F3-4818-A213-272B7924213E}'
  const gmsa = async (spoil = '', domain = true): Promise<unknown> =>
    host.ps(`${spoil}
      & (Get-Module -Name WinNode.Loop) { $answer = Get-NodeGmsaHealth -Need @{ domain = $${String(domain)}; plugins = @('${plugin}') }
        "$($answer.Verdict): $($answer.Evidence)" }`)
  const [com, guard] = [
    String.raw`SOFTWARE\Classes\CLSID`,
    String.raw`SYSTEM\CurrentControlSet\Control\CCG\COMClasses`,
  ].map((key) => `${key}\\${plugin}`)
  t.equal(
    await gmsa(),
    `warn: the machine is in no domain; HKLM:\\${com} not found; HKLM:\\${guard} not found`,
  )
  const create = (key = ''): string => `$null = [WinNodeHost.Registry]::Create('${key}')`
  t.equal(await gmsa(create(com), false), `warn: HKLM:\\${guard} not found`)
  t.equal(
    await gmsa(`${create(guard)}; Set-HostFact -Name Domain -Value corp.example.com`),
    `ok: the machine is in the domain corp.example.com; the plug-in ${plugin} is registered`,
  )
})

/** What the checks say, without the steps. */
async function asked(host: Host): Promise<Result['health']> {
  return host.ps(
    `& (Get-Module -Name WinNode.Loop) {
      Open-NodeRun -Path 'C:\\win-node'
      Initialize-NodeName
      try { , @(Get-NodeHealth) } finally { Close-NodeRun }
    }`,
  )
}

async function tested(t: Test, host: Host, what: string, code: number): Promise<Result['health']> {
  const { result } = await host.run('Test')
  t.equal(result.exitCode, code, `${what}: ${trouble(result)}`)
  return result.health
}

scenarioOfAll('waits until it works, or until its time is over', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  // HNS restarts: the reconcile loop fixes it later, here after a minute.
  await host.ps(`Start-Sleep -Seconds 30; Restart-Service -Name kubelet
    ${node(`$node.status.conditions = @(@{ type = 'Ready'; status = 'False'; message = 'not yet' })`)}`)
  const waited = await host.run('Test', { Wait: true, TimeoutMinutes: 5 })
  t.equal(waited.result.exitCode, 0, trouble(waited.result))
  // As an upgrade does: the Node is Ready still, said the kubelet before.
  await host.ps('Restart-Service -Name kubelet')
  succeeded(await host.run('Join'))
  const well = (await asked(host)).find(({ id }) => id === 'kubelet')
  t.match(well, { verdict: 'ok' }, 'Join waits for the kubelet that runs')
  const older = node(`$node.status.nodeInfo.kubeletVersion = 'v1.35.9'`)
  await host.ps(`${older}
    ${inHost(`$script:Said = $script:Happening['kubelet-register']; $script:Happening['kubelet-register'] = {}`)}`)
  t.match((await host.run('Join', { TimeoutMinutes: 1 })).result, {
    exitCode: 1,
    message: /but the running kubelet is v1\.35\.9/,
  })
  await host.ps(`${inHost(`$script:Happening['kubelet-register'] = $script:Said`)}
    Restart-Service -Name kubelet; ${again}`)
  await host.ps('Set-HostFact -Name FreeSpace -Value 1GB')
  const before = await host.ps<number>(inHost('$script:Machine.Seconds'))
  const late = await host.run('Test', { Wait: true, TimeoutMinutes: 1 })
  t.match(late.result, { exitCode: 7, message: 'does not work: disk' })
  const passed = (await host.ps<number>(inHost('$script:Machine.Seconds'))) - before
  t.ok(passed >= 60 && passed < 90, `${passed} s`)
})

scenarioOfAll('a network that its DaemonSet creates', async (t, { host, machine }) => {
  const drive = await machine(withHealth(everyKind(), true))
  await joined(host, drive)
  await host.ps(`Start-Sleep -Seconds 60; Stop-Service -Name flanneld; Stop-Service -Name kube-proxy
    Get-HnsEndpoint | Remove-HnsEndpoint; Get-HnsNetwork | Remove-HnsNetwork`)
  const said = Object.fromEntries((await asked(host)).map((one) => [one.id, one]))
  t.match(said, {
    network: {
      verdict: 'fail',
      evidence: /^network pending: .* has not created the HNS network flannel\.4096$/,
      remedy: /kubectl get pods/,
    },
    proxy: {
      verdict: 'fail',
      evidence: /; kube-proxy waits for the HNS network flannel\.4096$/,
      remedy: /see the check network$/,
    },
  })
})

const events = async (host: Host): Promise<readonly { Id: number; Type: string; Text: string }[]> =>
  host.ps(', @(Get-HostApplicationLog | Where-Object Id -ne 120)')

scenario('the loop writes one event for each change', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  succeeded(await loop(host))
  const idle = succeeded(await loop(host))
  t.match(idle, { calls: [], writes: 0 })
  t.strictSame([...idle.programs].sort(), ['crictl', 'kubectl', 'netsh', 'whoami'])
  t.strictSame(await events(host), [], 'nothing to say of what works')

  await host.ps('Set-HostFact -Name FreeSpace -Value 1GB')
  succeeded(await loop(host))
  const state = path.join(drive, 'ProgramData/winnode/state.json')
  const noted = statSync(state).mtimeMs
  succeeded(await loop(host))
  t.equal(statSync(state).mtimeMs, noted, 'and not again')
  await host.ps('Stop-HostApi -For 500')
  await loop(host)
  await host.ps('Set-HostFact -Name FreeSpace -Value 40GB; Start-Sleep -Seconds 600')
  await host.ps(`Add-HostFault -On WriteEntry`)
  succeeded(await loop(host))
  succeeded(await loop(host))
  t.match(
    await events(host),
    [
      { Id: 109, Type: 'Error', Text: /^disk: fail, was ok\nC: has 1 GiB.*\nfree space/ },
      { Id: 103, Type: 'Error', Text: /^node: fail, was ok/ },
      { Id: 109, Type: 'Information', Text: /^disk: ok, was fail\nC: has 40 GiB/ },
    ],
    'what could not be asked is no change, and a log that cannot be written ends nothing',
  )
  const source = 'registry HKLM'
  t.ok(
    Object.keys(await host.describe()).some((name) => /EventLog.Application.winnode/.test(name)),
    source,
  )
  await reset(host)
  t.notOk(
    Object.keys(await host.describe()).some((name) => /EventLog.Application.winnode/.test(name)),
  )
})
