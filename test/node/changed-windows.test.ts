// What Windows, its updates, its time service and its administrators do to a node without a word to winnode.
import path from 'node:path'
import { bring, changed, install, loop, reset, succeeded, token } from '../host/course.ts'
import { member } from '../host/days.ts'
import { everyKind } from '../host/every-kind.ts'
import { trouble, type Host, type JsonRun } from '../host/host.ts'
import { filesOf, renderedMachine } from '../host/rendered.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'
import type { Test } from 'tap'

const overlay = 'ws2022-flannel-overlay'
const bridge = 'ws2022-flannel-l2bridge'

/** What Test says once the kubelet has had time to report. */
const tested = async (host: Host): Promise<JsonRun> => {
  await host.ps('Start-Sleep -Seconds 30')
  return host.run('Test')
}

/** A joined node of a built-in profile whose loop has run twice. */
async function node(t: Test, stage: Stage, profile: string, is = ''): Promise<Host> {
  await member(stage, profile, path.join(t.testdir({}), 'c'), is)
  for (let run = 0; run < 2; run++) succeeded(await loop(stage.host))
  return stage.host
}

const events = (host: Host): Promise<string> =>
  host.ps(`(Get-HostApplicationLog | ForEach-Object { "$($_.Id) $($_.Text)" }) -join "\`n"`)

const ignoresLocalRules = `[WinNodeHost.Registry]::Set('SOFTWARE\\Policies\\Microsoft\\WindowsFirewall\\PublicProfile', 'AllowLocalPolicyMerge', 'DWord', 0)`

scenario('a policy that ignores local firewall rules', async (t, stage) => {
  const host = await node(t, stage, overlay)
  await host.ps(ignoresLocalRules)
  const bad = await tested(host)
  t.equal(bad.result.exitCode, 7)
  t.match(trouble(bad.result), /firewall fail: .*Public.*UDP 4789; TCP 10250/)
  // Short runs do not look at the firewall.
  await host.ps('Start-Sleep -Seconds 3600')
  await loop(host)
  t.match(await events(host), /112 firewall: fail, was ok/)

  await host.ps(`Add-HostPolicyRule -Protocol TCP -LocalPort 10250, 10256 -Profile 'Domain, Public'
    Add-HostPolicyRule -Protocol UDP -LocalPort 4000-5000
    Add-HostPolicyRule -Protocol TCP -LocalPort 30000-32767 -Direction Outbound`)
  const less = await tested(host)
  t.match(trouble(less.result), /firewall fail: .*TCP 30000-32767/)
  t.notMatch(trouble(less.result), /10250/, 'only what the policy lacks')
  await host.ps(`Add-HostPolicyRule -Protocol TCP -LocalPort 30000-32767
    Add-HostPolicyRule -Protocol UDP -LocalPort 30000-32767`)
  t.match(await tested(host), { code: 0 }, 'the policy has the rules')
  await host.ps(
    `Set-HostFact -Name PolicyRules -Value @(); Set-HostFact -Name Category -Value 'DomainAuthenticated'`,
  )
  t.match(await tested(host), { code: 0 }, 'the policy is about another network')
  await host.ps(`Set-HostFact -Name Category -Value ''`)
  t.match(await tested(host), { code: 7 }, 'a network that is not identified is public')
})

scenarioOfAll('such a policy on a machine without a node', async (t, stage) => {
  await renderedMachine(stage, overlay, path.join(t.testdir({}), 'c'))
  await stage.host.ps(ignoresLocalRules)
  const refused = await stage.host.run('Install')
  t.match(refused.result, { exitCode: 2, steps: [] })
  t.match(trouble(refused.result), /firewall-policy.*TCP 10250/s)
})

scenario('a drive that BitLocker does not protect', async (t, stage) => {
  const { host } = stage
  const drive = path.join(t.testdir({}), 'c')
  const machine = await renderedMachine(stage, overlay, drive, ['host.encryption=require'])
  const { again } = machine
  const { first, later, texts } = filesOf(machine.node)
  for (const file of [...first, ...later]) bring(drive, [file], texts[path.win32.basename(file)])
  await install(host)
  const joins = async () => host.run('Join', { Token: token })
  for (const [state, said] of [
    ['$null', 'Invalid namespace'],
    ['0', 'off'],
    // Locked.
    ['2', 'off'],
  ] as const) {
    await host.ps(`Set-HostFact -Name BitLocker -Value ${state}`)
    const refused = await joins()
    t.match(refused.result, { exitCode: 2, steps: [] }, state)
    t.match(trouble(refused.result), new RegExp(`BitLocker protection of C:: ${said}.*expected on`))
  }
  again(['host.encryption=check'])
  const warned = succeeded(await joins())
  const check = warned.result.preflight.find(({ id }) => id === 'encryption')
  t.match(check, { verdict: 'warn', passed: false })
  await host.ps('Set-HostFact -Name BitLocker -Value 1')
  again(['host.encryption=require'])
  succeeded(await joins())
})

scenarioOfAll('a clock that is set after the start', async (t, stage) => {
  const host = await node(t, stage, bridge)
  await host.ps('Set-HostClock -By -500')
  await host.restart()
  for (let run = 0; run < 2; run++) succeeded(await loop(host))
  await host.ps('Set-HostClock -By 500')
  const run = succeeded(await loop(host))
  t.strictSame(changed(run), [], 'subnet.env is of this start')
  t.notOk(run.calls.includes('Stop-Service flanneld'))
  t.match(await tested(host), { code: 0 })
  await host.restart()
  t.ok(changed(succeeded(await loop(host))).includes('running-flanneld'), 'a start is noticed')
  // A hardware clock in local time is hours ahead, until the time service sets it back.
  await host.ps('Set-HostClock -By 7200')
  await host.restart()
  await host.ps('Set-HostClock -By -7200')
  t.ok(changed(succeeded(await loop(host))).includes('running-flanneld'), 'and this one')
  t.strictSame(changed(succeeded(await loop(host))), [], 'subnet.env is of it')
})

scenarioOfAll('a clock that is set while a restart is pending', async (t, { host, machine }) => {
  await machine(everyKind())
  await install(host)
  await host.ps(
    `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management' -Name PagingFiles -Value @('?:\\pagefile.sys')`,
  )
  t.match((await host.run('Install')).result, { exitCode: 3010 })
  await host.ps('Set-HostClock -By 7200')
  t.match((await host.run('Install')).result, { exitCode: 3010 }, 'it is still pending')
  await host.restart()
  await install(host)
})

scenarioOfAll('more snapshots than a command line holds', async (t, stage) => {
  const host = await node(t, stage, overlay)
  await host.ps(`& (Get-Module -Name host) {
    $parent = ''
    $script:Machine.Snapshots += @(1..700 | ForEach-Object {
      $key = 'sha256:{0:x64}' -f $_
      @{ Key = $key; Parent = $parent; Kind = 'Committed' }
      $parent = $key
    }) }`)
  await reset(host)
  t.strictSame(await host.ps('& (Get-Module -Name host) { @($script:Machine.Snapshots).Count }'), 0)
})

for (const [profile, plays] of [
  [overlay, scenario],
  [bridge, scenarioOfAll],
  ['ws2022-win-bridge', scenarioOfAll],
] as const)
  plays(`a route to the metadata service, ${profile}`, async (t, stage) => {
    const host = await node(
      t,
      stage,
      profile,
      `Set-HostFact -Name CloudRoute -Value '192.0.2.1'; Restart-HostMachine`,
    )
    const hop = (): Promise<unknown> =>
      host.ps(`(Get-NetRoute -DestinationPrefix '169.254.169.254/32' -ErrorAction Ignore).NextHop`)
    t.equal(await hop(), '192.0.2.1', 'the network took it away, and it is back')
    await host.restart()
    succeeded(await loop(host))
    t.equal(await hop(), '192.0.2.1')
  })

const windows = (name: string, kind: string, data: string): string =>
  `[WinNodeHost.Registry]::Set('SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion', '${name}', '${kind}', ${data})`

scenarioOfAll('another Windows', async (t, stage) => {
  const host = await node(t, stage, overlay)
  t.notMatch(trouble((await host.run('Test')).result), /windows-update/)
  await host.ps(`${windows('UBR', 'DWord', '20999')}; Restart-HostMachine`)
  succeeded(await loop(host))
  succeeded(await loop(host))
  const updated = await tested(host)
  t.match(updated, { code: 0 }, 'an update is no difference')
  t.match(
    updated.result.preflight.find(({ id }) => id === 'windows-update'),
    { verdict: 'warn', passed: false, message: /20348\.20999, .*20348\.\d+ at Install/ },
  )
  t.equal((await events(host)).match(/Windows was updated/g)?.length, 1, 'an event, once')
  await install(host)
  t.notMatch(trouble((await host.run('Test')).result), /windows-update/, 'Install takes note')

  await host.ps(`${windows('CurrentBuildNumber', 'String', "'26100'")}; Restart-HostMachine`)
  const loops = await loop(host)
  t.equal(loops.result.exitCode, 1)
  t.match(loops.result.message, /build of Windows is 26100, the bundle is for/)
  t.ok(changed(loops).length > 0, 'what can run runs')
  t.match((await tested(host)).result, { exitCode: 4 })
})
