// Antrea's DaemonSet on a node: what it leaves on the disk and in HNS, through restarts of the machine and a reset.
import path from 'node:path'
import { install, joinOrThrow, loop, ownFolders, reset, succeeded, token } from '../host/course.ts'
import { member, type Days } from '../host/days.ts'
import { differences, trouble, type Host } from '../host/host.ts'
import { renderedMachine } from '../host/rendered.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'

const conf = 'C:\\etc\\cni\\net.d\\10-antrea.conflist'
const database = 'C:\\openvswitch\\etc\\openvswitch\\conf.db'

/** A node with its network, and a pod that uses it. */
async function node(stage: Stage, drive: string): Promise<Days> {
  const days = await member(stage, 'ws2022-antrea', drive)
  await stage.host.ps(`Start-Sleep -Seconds 60
    Add-HostPod -Name web -Namespace default; Start-Sleep -Seconds 30`)
  return days
}

/** What the check of the network says, with its verdict. */
async function health(host: Host): Promise<string> {
  const { result } = await host.run('Test')
  const found = result.health.find(({ id }) => id === 'network')
  return `${result.exitCode} ${found?.verdict}: ${found?.evidence}`
}

/** The boot task, without the five minutes before it. */
const atOnce = (host: Host) =>
  host.run('Install', { Phase: 'boot' }, 'C:\\ProgramData\\winnode\\bundle')
const all = { RemoveData: true, RemoveFeature: true }
const lacks = (host: Host): Promise<string> => host.ps(`(Get-HostLack) -join '; '`)
const events = (host: Host): Promise<string> =>
  host.ps(`(& (Get-Module -Name host) { $script:Machine.Events }) -match 'antrea' -join '; '`)
const changes = (run: { result: { steps: readonly { state: string; id: string }[] } }) =>
  run.result.steps.filter(({ state }) => state === 'Changed').map(({ id }) => id)

scenario('a restart: leftovers go before the pod of this start', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  t.equal(await lacks(host), '')
  t.match(await host.run('Test'), { code: 0 })
  await host.restart()
  t.ok(await host.ps(`Test-Path -LiteralPath '${database}'`), 'a restart keeps the database')
  await host.ps('Start-Sleep -Seconds 30')
  const run = succeeded(await loop(host))
  t.strictSame(
    changes(run),
    ['antrea-switch', 'running-kubelet'],
    'the conf and the database go, then the kubelet starts',
  )
  t.notOk(await host.ps(`Test-Path -LiteralPath '${database}'`))
  await host.ps('Start-Sleep -Seconds 90')
  t.equal(await events(host), '')
  t.equal(await lacks(host), '', 'the pod has an endpoint in the network of this start')
  t.match(await host.run('Test'), { code: 0 })
  t.match(succeeded(await loop(host)), { calls: [] }, 'the loop leaves it')
})

scenarioOfAll('nothing goes while Open vSwitch is in use', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  await host.ps(`Stop-HostAntreaPod`)
  t.match(succeeded(await atOnce(host)), { calls: [] }, 'while no server runs')
  t.match(succeeded(await loop(host)), { calls: [] }, 'during a rollout')
  await host.ps('Start-Sleep -Seconds 60')
  t.equal(await lacks(host), '', 'the pod keeps its endpoint')
  await host.ps('Stop-Service -Name kubelet')
  t.strictSame(changes(succeeded(await loop(host))), ['running-kubelet'], 'without a kubelet')
  t.equal(await lacks(host), '')
})

scenarioOfAll('health: the switch, its bridge, and the agent', async (t, stage) => {
  const { host } = await member(stage, 'ws2022-antrea', path.join(t.testdir({}), 'c'))
  t.match(await health(host), /^7 fail: network pending: .* HNS network antrea-hnsnetwork$/)
  await host.ps('Start-Sleep -Seconds 60')
  const good = 'HNS network antrea-hnsnetwork, Transparent, at 192.0.2.10'
  t.equal(await health(host), `0 ok: ${good}`)
  const network = (change: string) =>
    host.ps(`& (Get-Module -Name host) { $network = $script:Machine.Networks[0]; ${change} }`)
  await network('$network.Extension = $false')
  t.equal(await health(host), `7 fail: ${good}; the extension of Open vSwitch is not enabled`)
  await network('$network.Extension = $true; $script:Machine.VMSwitches = @()')
  t.equal(
    await health(host),
    `7 fail: ${good}; the interface br-int does not have the address; restart the machine if it has another one`,
  )
  await network(
    '$script:Machine.VMSwitches = @($network.Name); $script:Machine.DaemonSet.Server = -1',
  )
  t.equal(
    await health(host),
    `7 fail: ${good}; no program listens at port 10350, the network plugin's agent`,
  )
})

scenarioOfAll('an adapter that another network holds', async (t, stage) => {
  const { host } = stage
  const drive = path.join(t.testdir({}), 'c')
  await renderedMachine(stage, 'ws2022-antrea', drive)
  await install(host)
  await host.ps(
    `Add-HostNetwork -Name nat2 -Type L2Bridge -Subnet 10.9.0.0/24; Start-Sleep -Seconds 30`,
  )
  const refused = await host.run('Join', { Token: token })
  t.equal(refused.result.exitCode, 2)
  t.match(
    trouble(refused.result),
    'the adapter vEthernet (Ethernet) is virtual: remove the HNS network or virtual switch that has the physical one: nat2',
  )
})

scenarioOfAll('an adapter that a virtual switch for machines holds', async (t, stage) => {
  const { host } = stage
  await renderedMachine(stage, 'ws2022-antrea', path.join(t.testdir({}), 'c'))
  await install(host)
  // Beside the network that the feature Containers adds.
  await host.ps(
    `Add-HostNetwork -Name nat -Type NAT -Subnet 172.20.0.0/20; Set-HostFact -Name UplinkSwitch -Value lab; Start-Sleep -Seconds 30`,
  )
  const refused = await host.run('Join', { Token: token })
  t.equal(refused.result.exitCode, 2)
  t.match(
    trouble(refused.result),
    'the adapter vEthernet (lab) is virtual: remove the HNS network or virtual switch that has the physical one: lab',
  )
})

scenarioOfAll('an adapter that is given moves to the bridge', async (t, stage) => {
  const drive = path.join(t.testdir({}), 'c')
  const { host } = stage
  await renderedMachine(stage, 'ws2022-antrea', drive, ['network.adapter=Ethernet'])
  await install(host)
  await joinOrThrow(host, { Token: token })
  await host.ps('Start-Sleep -Seconds 60')
  t.match(succeeded(await loop(host)), { calls: [] })
  t.match(await host.run('Test'), { code: 0 })
  await joinOrThrow(host, { Token: token })
})

/** Another adapter, with a default route of a higher metric. */
const second = `Set-HostFact -Name Cards -Value @(@{ Alias = 'Ethernet 2'; Index = 7; Address = '198.51.100.20' })`

const addressOfKubelet = (host: Host): Promise<string> =>
  host.ps(
    `[regex]::Match((Get-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet').ImagePath, '--node-ip=(\\S+?)"?( |$)').Groups[1].Value`,
  )

scenario('an adapter without its address, beside another one', async (t, stage) => {
  const { host } = await member(stage, 'ws2022-antrea', path.join(t.testdir({}), 'c'), second)
  await host.ps(`Set-HostFact -Name Network -Value @{ Address = 1; Interface = 40 }`)
  const moving = (): Promise<boolean> =>
    host.ps(`& (Get-Module -Name host) { $script:Machine.Moving }`)
  for (let seconds = 0; !(await moving()); seconds += 1) {
    if (seconds === 300) throw new Error('the agent has not begun to make its network')
    await host.ps('Start-Sleep -Seconds 1')
  }
  succeeded(await atOnce(host))
  t.equal(await addressOfKubelet(host), '192.0.2.10', 'while HNS makes the network')
  await host.restart()
  t.strictSame(changes(succeeded(await loop(host))), ['antrea-switch', 'running-kubelet'])
  t.equal(await addressOfKubelet(host), '192.0.2.10')
  t.match(succeeded(await loop(host)), { calls: [] }, 'also in the run after it')
  t.equal(await addressOfKubelet(host), '192.0.2.10')
  t.match(await host.run('Test'), { code: 0 })
})

scenario('a Node that was deleted, and has another pod CIDR', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  const rule = (): Promise<string> =>
    host.ps(
      `"$((& (Get-Module -Name host) { $script:Machine.Rules['{antrea-from}'] }).RemoteAddress)"`,
    )
  t.equal(await rule(), '10.244.3.0/255.255.255.0')
  await host.ps(`Set-HostFact -Name PodSubnet -Value '10.244.7.0/24'
    [WinNodeHost.ApiServer]::Remove('/api/v1/nodes/node-a'); Stop-HostAntreaPod
    Restart-Service -Name kubelet; Start-Sleep -Seconds 60`)
  const why =
    'the Node has the pod CIDR 10.244.7.0/24, and the HNS network antrea-hnsnetwork 10.244.3.0/24: run Reset-WinNode.ps1, Install-WinNode.ps1 and Join-WinNode.ps1'
  const { result: join } = await host.run('Join', { Token: token, TimeoutMinutes: 1 })
  t.match(join, { exitCode: 1, message: `the machine has joined, but ${why}` })
  const { result } = await host.run('Test')
  t.equal(result.exitCode, 7)
  t.match(
    result.health.find(({ id }) => id === 'node'),
    { verdict: 'fail', evidence: why },
  )
  t.equal(await rule(), '10.244.3.0/255.255.255.0', 'the agent keeps it')
  await host.restart()
  succeeded(await loop(host))
  await host.ps('Start-Sleep -Seconds 90')
  t.match(await host.run('Test'), { code: 0 }, 'a restart of the machine does, too')
  t.equal(await rule(), '10.244.7.0/255.255.255.0')
})

scenarioOfAll('a network that a restart keeps, with its extension', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  await host.ps(`& (Get-Module -Name host) { $script:Machine.Networks[0].Kept = $true }`)
  await host.restart()
  t.strictSame(changes(succeeded(await loop(host))), ['running-kubelet'])
  await host.ps('Start-Sleep -Seconds 90')
  t.equal(await events(host), '')
  t.equal(await lacks(host), '')
})

scenarioOfAll('a removal that is interrupted is repeated', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  await host.restart()
  await host.ps(`Add-HostFault -On 'Remove-VMSwitch' -Message 'The operation failed.'`)
  const first = await loop(host)
  t.equal(first.result.exitCode, 1)
  t.match(trouble(first.result), 'The operation failed.')
  t.notOk(await host.ps(`(Get-Service -Name kubelet).Status -eq 'Running'`), 'the kubelet waits')
  t.strictSame(changes(succeeded(await loop(host))), ['antrea-switch', 'running-kubelet'])
  await host.ps('Start-Sleep -Seconds 90')
  t.equal(await events(host), '')
  t.equal(await lacks(host), '')
})

scenarioOfAll('a network that a restart keeps, without its extension', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  await host.ps(
    `& (Get-Module -Name host) { $script:Machine.Networks[0].Kept = $true; $script:Machine.Networks[0].Extension = $false }
    Set-HostFact -Name Network -Value @{ Address = 1; Interface = 150 }`,
  )
  await host.restart()
  const first = await loop(host)
  t.match(
    trouble(first.result),
    'the virtual switch antrea-hnsnetwork is gone, and the machine has no address',
  )
  t.match(first.calls.join('\n'), 'Set-NetAdapterBinding Ethernet vms_pp False')
  t.notOk(await host.ps(`(Get-Service -Name kubelet).Status -eq 'Running'`), 'the kubelet waits')
  t.strictSame(changes(succeeded(await loop(host))), ['antrea-switch', 'running-kubelet'])
  await host.ps('Start-Sleep -Seconds 180')
  t.equal(await events(host), '')
  t.equal(await lacks(host), '')
})

scenarioOfAll('virtual switches cannot be read yet', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  await host.restart()
  await host.ps(`Add-HostFault -On 'Get-VMSwitch' -Message 'The service is not running.'`)
  t.match(trouble((await loop(host)).result), 'The service is not running.')
  t.ok(await host.ps(`Test-Path -LiteralPath '${database}'`), 'not taken for no switch')
  t.notOk(await host.ps(`(Get-Service -Name kubelet).Status -eq 'Running'`), 'the kubelet waits')
  t.strictSame(changes(succeeded(await loop(host))), ['antrea-switch', 'running-kubelet'])
  await host.ps('Start-Sleep -Seconds 90')
  t.equal(await lacks(host), '')
})

/** What a reset leaves of all this, except for folders that the kubelet and containerd make, too. */
const left = async ({ bare, host }: Days): Promise<readonly string[]> =>
  differences(bare, await host.describe(), ownFolders).filter(
    (line) =>
      !/^path C:\\var\\(log\\(pods|containers)|run(\\secrets(\\kubernetes\.io)?)?): /.test(line),
  )

/** What an administrator has, beside Antrea. */
const others = `& (Get-Module -Name host) { $script:Machine.VMSwitches += 'lab'; $script:Machine.Nats += 'lab-nat' }
  Set-Content -LiteralPath 'C:\\Windows\\INF\\oem9.inf' -Value '; of a disk'`

scenarioOfAll('a reset removes what Antrea leaves, and nothing else', async (t, stage) => {
  const days = await node(stage, path.join(t.testdir({}), 'c'))
  const { host } = days
  await host.ps(others)
  await host.restart()
  const run = succeeded(await loop(host))
  t.strictSame(changes(run), ['antrea-switch', 'running-kubelet'])
  t.match(run.calls.join('\n'), 'Remove-VMNetworkAdapter antrea-hnsnetwork')
  await host.ps('Start-Sleep -Seconds 90')
  const { calls } = await host.run('Reset', all)
  await reset(host)
  t.match(calls.join('\n'), 'Set-NetAdapterBinding Ethernet vms_pp False')
  t.equal(await host.ps('@((& (Get-Module -Name host) { $script:Machine.Pods })).Count'), 0)
  t.match(await left(days), [
    'nat lab-nat: nothing -> yes',
    /^path C:\\Windows\\INF\\oem9\.inf: nothing/,
    'switch lab: nothing -> yes',
  ])
  await reset(host)
})

scenarioOfAll('a driver that Windows removes at the next start', async (t, stage) => {
  const days = await node(stage, path.join(t.testdir({}), 'c'))
  const { host } = days
  await host.ps(`& (Get-Module -Name host) { $script:Machine['DriverStays'] = $true }`)
  const { result } = await host.run('Reset', all)
  t.match(
    result.steps.find(({ id }) => id === 'antrea-switch'),
    { state: 'Changed', restart: true },
  )
  await host.restart()
  await reset(host)
  t.strictSame(await left(days), [])
})

scenarioOfAll('a machine joins again after a reset, with another pod CIDR', async (t, stage) => {
  const days = await node(stage, path.join(t.testdir({}), 'c'))
  const { host } = days
  await reset(host)
  await host.ps(`Set-HostFact -Name PodSubnet -Value '10.244.7.0/24'
    [WinNodeHost.ApiServer]::Remove('/api/v1/nodes/node-a')`)
  await install(host)
  await joinOrThrow(host, { Token: token })
  await host.ps('Start-Sleep -Seconds 90')
  t.match(await host.run('Test'), { code: 0 })
})

scenarioOfAll('a reset before the pod of Antrea has come', async (t, stage) => {
  const days = await member(stage, 'ws2022-antrea', path.join(t.testdir({}), 'c'))
  await reset(days.host)
  t.strictSame(await left(days), [])
})

scenarioOfAll('a reset that is interrupted, and one without the agent', async (t, stage) => {
  const days = await node(stage, path.join(t.testdir({}), 'c'))
  const { host } = days
  await host.ps(`& (Get-Module -Name host) { $script:Machine.DaemonSet.AgentFails = $true }
    Add-HostFault -On 'Remove-VMSwitch' -Message 'The operation failed.'`)
  const first = await host.run('Reset', all)
  t.equal(first.result.exitCode, 1)
  t.match(trouble(first.result), 'The operation failed.')
  t.ok(await host.ps(`Test-Path -LiteralPath '${database}'`))
  t.match(first.result.message, 'pods or images remain')
  await reset(host)
  t.strictSame(
    (await left(days)).filter((line) => !line.startsWith('image ')),
    ['pod web: nothing -> yes'],
    'whose endpoint only the agent removes',
  )
})

scenarioOfAll('a reset that cannot remove the pod', async (t, stage) => {
  const days = await node(stage, path.join(t.testdir({}), 'c'))
  const { host } = days
  await host.ps(`Add-HostFault -On 'crictl rmp' -Message 'context deadline exceeded' -Times 9`)
  const { result } = await host.run('Reset', { RemoveData: true })
  t.equal(result.exitCode, 1)
  t.match(trouble(result), 'ovsdb-server still runs, in a pod that could not be removed: restart')
  t.ok(await host.ps(`Test-Path -LiteralPath '${database}'`), 'of a server that runs')
  await host.restart()
  await reset(host)
  t.notOk(await host.ps(`Test-Path -LiteralPath '${database}'`))
  t.notMatch((await left(days)).join('\n'), /openvswitch|hnsnetwork/i)
})

scenarioOfAll(
  'Open vSwitch that still runs, and a pod that the kubelet starts',
  async (t, stage) => {
    const { host } = await node(stage, path.join(t.testdir({}), 'c'))
    const network = (change: string) =>
      host.ps(`& (Get-Module -Name host) { $network = $script:Machine.Networks[0]; ${change} }`)
    // The hook before the end of the agent has run, and the server has not ended yet.
    await network('$network.Extension = $false')
    await host.ps('Stop-Service -Name kubelet')
    t.strictSame(changes(succeeded(await loop(host))), ['running-kubelet'])
    t.ok(await host.ps(`Test-Path -LiteralPath '${database}'`), 'of a server that runs')
    await host.ps('Start-Sleep -Seconds 60')
    await host.restart()
    await loop(host)
    await host.ps(`for ($seconds = 0; -not (Test-Path -LiteralPath '${conf}') -and $seconds -lt 99; $seconds++) { Start-Sleep -Seconds 1 }
    Stop-Service -Name kubelet`)
    t.notOk(await host.ps(`Test-Path -LiteralPath '${database}'`), 'the conf comes first')
    t.strictSame(changes(succeeded(await atOnce(host))), ['running-kubelet'])
    t.ok(await host.ps(`Test-Path -LiteralPath '${conf}'`), 'of a pod of this boot')
  },
)

scenarioOfAll('Open vSwitch as services of an administrator', async (t, stage) => {
  const { host } = await node(stage, path.join(t.testdir({}), 'c'))
  await host.ps(
    `$null = New-Service -Name ovsdb-server -BinaryPathName 'C:\\openvswitch\\usr\\sbin\\ovsdb-server.exe'`,
  )
  await host.restart()
  t.strictSame(changes(succeeded(await loop(host))), ['running-kubelet'])
  t.ok(await host.ps(`Test-Path -LiteralPath '${database}'`))
  const run = await host.run('Reset', all)
  t.match(
    run.result.steps.find(({ id }) => id === 'antrea-switch'),
    {
      detail: /kept: the switch, and Open vSwitch/,
    },
  )
  t.ok(await host.ps(`Test-Path -LiteralPath '${database}'`))
})

scenarioOfAll('a driver with a signature of an own certificate', async (t, stage) => {
  const { host } = stage
  const drive = path.join(t.testdir({}), 'c')
  await renderedMachine(stage, 'ws2022-antrea', drive, ['network.antrea.ovsDriver=signed'])
  await install(host)
  await joinOrThrow(host, { Token: token })
  await host.ps('Start-Sleep -Seconds 60')
  await reset(host)
  const store = 'HKLM:\\SOFTWARE\\Microsoft\\SystemCertificates\\ROOT\\Certificates'
  t.equal(
    await host.ps(`@(Get-ChildItem -LiteralPath '${store}').Count`),
    1,
    'it may be trusted for others',
  )
})
