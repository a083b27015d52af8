// Calico's DaemonSet on a node: what it leaves on the disk and in HNS, through restarts of the machine and a reset.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { loop, succeeded } from '../host/course.ts'
import { member } from '../host/days.ts'
import { trouble, type Host } from '../host/host.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'

const folder = 'C:\\etc\\cni\\net.d'
const conflist = `${folder}\\10-calico.conflist`

/** A node with its network, and a pod that uses it. */
async function node(stage: Stage, drive: string, profile = 'ws2022-calico'): Promise<Host> {
  await member(stage, profile, drive)
  await stage.host.ps(`Start-Sleep -Seconds 60
    Add-HostPod -Name web -Namespace default; Add-HostPod -Name calico-node -HostNetwork -Namespace calico-system
    Start-Sleep -Seconds 30`)
  return stage.host
}

const lacks = (host: Host): Promise<string> => host.ps(`(Get-HostLack) -join '; '`)

scenario('a restart: pods wait for the network of this start', async (t, stage) => {
  const host = await node(stage, path.join(t.testdir({}), 'c'))
  t.equal(await lacks(host), '')
  await host.restart()
  t.ok(await host.ps(`Test-Path -LiteralPath '${conflist}'`), 'a restart keeps the file')
  await host.ps('Start-Sleep -Seconds 30')
  t.notOk(
    await host.ps(`(Get-Service -Name kubelet).Status -eq 'Running'`),
    'Windows does not start the kubelet',
  )
  const run = succeeded(await loop(host))
  t.match(
    run.result.steps.filter(({ state }) => state === 'Changed').map(({ id }) => id),
    ['calico-conf', 'running-kubelet'],
    'first the file goes, then the kubelet starts',
  )
  t.notOk(await host.ps(`Test-Path -LiteralPath '${conflist}'`))
  await host.ps('Start-Sleep -Seconds 60')
  t.equal(await lacks(host), '', 'the pod has an endpoint in the network of this start')
  t.ok(await host.ps(`Test-Path -LiteralPath '${conflist}'`), 'which Calico has written again')
  t.match(await host.run('Test'), { code: 0 })
  const idle = succeeded(await loop(host))
  t.match(idle, { calls: [] }, 'the loop leaves it')
  t.ok(await host.ps(`Test-Path -LiteralPath '${conflist}'`))
})

scenarioOfAll('a restart while the loop is suspended', async (t, stage) => {
  const host = await node(stage, path.join(t.testdir({}), 'c'))
  succeeded(await host.run('Suspend', { For: '1d' }))
  await host.restart()
  succeeded(await loop(host))
  await host.ps('Start-Sleep -Seconds 60')
  t.equal(await lacks(host), '')
  await host.ps('Stop-Service -Name kubelet')
  succeeded(await loop(host))
  t.equal(
    await host.ps(`"$((Get-Service -Name kubelet).Status)"`),
    'Stopped',
    'a kubelet that an administrator stops stays stopped',
  )
  await host.ps('Set-Service -Name kubelet -StartupType Disabled')
  await host.restart()
  succeeded(await loop(host))
  t.equal(await host.ps(`"$((Get-Service -Name kubelet).Status)"`), 'Stopped')
})

scenarioOfAll('a reset: pods go before the files that their removal needs', async (t, stage) => {
  const drive = path.join(t.testdir({}), 'c')
  const host = await node(stage, drive)
  const { result } = await host.run('Reset')
  t.equal(trouble(result), '')
  t.equal(await host.ps('@((& (Get-Module -Name host) { $script:Machine.Pods })).Count'), 0)
  t.notOk(existsSync(path.join(drive, 'etc/cni/net.d')), 'and nothing of Calico keeps the folder')
})

scenarioOfAll('BGP: Remote Access runs before Calico restarts it', async (t, stage) => {
  const host = await node(stage, path.join(t.testdir({}), 'c'), 'ws2022-calico-bgp')
  const events = (): Promise<string> =>
    host.ps(
      `(& (Get-Module -Name host) { $script:Machine.Events }) -match 'RemoteAccess' -join '; '`,
    )
  const peers = async (addresses: Readonly<Record<string, boolean>>) => {
    await host.ps(
      `& (Get-Module -Name host) { $script:Machine.Remote.Peers = @(${Object.entries(addresses)
        .map(([address, session]) => `@{ Address = '${address}'; Session = $${String(session)} }`)
        .join(', ')}) }`,
    )
    const { code, result } = await host.run('Test')
    const { verdict, evidence } = result.health.find(({ id }) => id === 'bgp') ?? {}
    return [code, verdict, evidence]
  }
  t.equal(await lacks(host), '')
  await host.ps('& (Get-Module -Name host) { $script:Machine.Remote.Peers = $null }')
  const before = (await host.run('Test')).result.health.find(({ id }) => id === 'bgp')
  t.match(before, { verdict: 'warn', evidence: /has not configured BGP: BGP is not configured/ })
  t.strictSame(await peers({}), [0, 'warn', 'the node has no BGP peer'])
  t.strictSame(await peers({ '192.0.2.21': true, '192.0.2.22': false }), [
    0,
    'warn',
    '1 of 2 BGP peers connected; not 192.0.2.22',
  ])
  t.strictSame(await peers({ '192.0.2.21': false }), [
    7,
    'fail',
    '0 of 1 BGP peers connected; not 192.0.2.21',
  ])
  t.strictSame(await peers({ '192.0.2.21': true }), [0, 'ok', '1 of 1 BGP peers connected'])
  await host.restart()
  succeeded(await loop(host))
  await host.ps('Start-Sleep -Seconds 60')
  t.equal(await lacks(host), '')
  t.equal(await events(), '')
  await host.ps('Stop-Service -Name RemoteAccess')
  const { result } = await host.run('Test')
  t.equal(result.exitCode, 4)
  t.match(trouble(result), 'the service RemoteAccess does not run')
  t.match(
    succeeded(await loop(host)).result.steps.filter(({ state }) => state === 'Changed'),
    [{ id: 'remote-access' }],
  )
  t.match(await host.run('Test'), { code: 0 })
  const reset = await host.run('Reset')
  t.equal(trouble(reset.result), '')
  t.equal(
    await host.ps(`"$((& (Get-Module -Name host) { $script:Machine.Remote.Routing }))"`),
    'Uninstalled',
  )
})

scenarioOfAll('backend none: the network comes with the first pod, and stays', async (t, stage) => {
  const { host } = stage
  await member(stage, 'ws2022-calico-routed', path.join(t.testdir({}), 'c'))
  await host.ps('Start-Sleep -Seconds 60')
  const { result } = await host.run('Test')
  t.equal(result.exitCode, 7)
  const said = Object.fromEntries(result.health.map(({ id, evidence }) => [id, evidence]))
  t.match(said, {
    network: /^network pending: .*HNS network Calico$/,
    proxy: /; kube-proxy waits for the HNS network Calico$/,
  })
  const subnet = await host.ps(`& (Get-Module -Name host) { $script:Machine.PodSubnet }`)
  await host.ps(`Set-HostFact -Name PodSubnet -Value ''; Add-HostPod -Name web -Namespace default
    Start-Sleep -Seconds 30`)
  t.match(
    await lacks(host),
    'the pod web does not run',
    'host-local needs the pod CIDR of the Node',
  )
  await host.ps('Set-HostFact -Name PodSubnet -Value $with.subnet; Start-Sleep -Seconds 30', {
    subnet,
  })
  t.equal(await lacks(host), '')
  t.match(await host.run('Test'), { code: 0 })
  await host.restart()
  succeeded(await loop(host))
  await host.ps('Start-Sleep -Seconds 60')
  t.equal(await lacks(host), '', 'no DaemonSet removed the network')
  const after = await host.run('Test')
  t.equal(trouble(after.result), '')
  t.equal(after.code, 0)
  const reset = await host.run('Reset')
  t.equal(trouble(reset.result), '')
})
