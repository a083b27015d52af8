// Antrea's DaemonSet on a node: what it leaves on the disk and in HNS, through restarts of the machine and a reset.
import path from 'node:path'
import { install, joinOrThrow, loop, ownFolders, reset, succeeded, token } from '../host/course.ts'
import { member, type Days } from '../host/days.ts'
import { differences, trouble, type Host } from '../host/host.ts'
import { renderedMachine } from '../host/rendered.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'

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
  t.equal(await health(host), `7 fail: ${good}; the interface br-int does not have the address`)
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
    'the adapter vEthernet (Ethernet) is virtual: remove the HNS network that has the physical one: nat2',
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

scenarioOfAll('a reset removes what Antrea leaves', async (t, stage) => {
  const days = await node(stage, path.join(t.testdir({}), 'c'))
  const { host } = days
  await reset(host)
  t.equal(await host.ps('@((& (Get-Module -Name host) { $script:Machine.Pods })).Count'), 0)
  t.strictSame(
    differences(days.bare, await host.describe(), ownFolders).filter(
      (line) => !/^path C:\\var\\log\\(pods|containers): /.test(line),
    ),
    ['run', 'run\\secrets', 'run\\secrets\\kubernetes.io'].map(
      (folder) => `path C:\\var\\${folder}: nothing -> folder`,
    ),
    'but folders that the kubelet and containerd make, too',
  )
})
