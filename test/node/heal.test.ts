// The loop on a node with pods: what the network plugin, HNS and the address of the machine do to them, and what heals.
import path from 'node:path'
import { changed, loop, succeeded } from '../host/course.ts'
import { member, secondsOf, tick } from '../host/days.ts'
import type { Test } from 'tap'
import { trouble, type Host, type JsonRun } from '../host/host.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'

const bridge = 'ws2022-flannel-l2bridge'

/** What Test says once the kubelet has had time to report. */
const tested = async (host: Host): Promise<JsonRun> => {
  await host.ps('Start-Sleep -Seconds 30')
  return host.run('Test')
}

/** A joined node of a built-in profile whose loop has run once. */
async function node({ once, ...stage }: Stage, profile: string): Promise<Host> {
  await once(profile, async (drive) => {
    await member(stage, profile, drive)
    succeeded(await loop(stage.host))
  })
  return stage.host
}

const addressOfKubelet = (host: Host): Promise<string> =>
  host.ps(
    `[regex]::Match((Get-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet').ImagePath, '--node-ip=(\\S+?)"?( |$)').Groups[1].Value`,
  )

scenarioOfAll('the bridge endpoint has a default route', async (t, stage) => {
  const host = await node(stage, bridge)
  t.match(
    await host.ps(`@(Get-NetRoute -DestinationPrefix '0.0.0.0/0').InterfaceAlias`),
    ['vEthernet (cbr0_ep)', 'Ethernet'],
    'as flanneld leaves it',
  )
  t.strictSame(changed(succeeded(await loop(host))), [])
  t.equal(await addressOfKubelet(host), '192.0.2.10')
  t.match(await tested(host), { code: 0 })
})

scenarioOfAll('a node keeps its address while it has it', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  await host.ps(`Set-HostFact -Name Extra -Value @(@{ IPAddress = '192.0.2.99' })`)
  t.strictSame(changed(succeeded(await loop(host))), [], 'another address comes first')
  await host.ps(`Set-HostFact -Name Extra -Value @(
    @{ IPAddress = '192.0.2.98'; AddressState = 'Deprecated' }, @{ IPAddress = '192.0.2.99'; SkipAsSource = $true })
    Set-HostAddress -Address 192.0.2.77 -Follows $false`)
  t.not(changed(succeeded(await loop(host))).length, 0, 'it has lost its address')
  t.equal(await addressOfKubelet(host), '192.0.2.77', 'not one that is for no new connection')
  t.match(await tested(host), { code: 0 })
})

scenarioOfAll('a Node that was deleted has another pod CIDR', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  await host.ps(`Set-HostFact -Name PodSubnet -Value '10.244.7.0/24'
    [WinNodeHost.ApiServer]::Remove('/api/v1/nodes/node-a'); Restart-Service -Name kubelet`)
  const { code, result } = await tested(host)
  t.equal(code, 7)
  t.match(
    trouble(result),
    'the Node has the pod CIDR 10.244.7.0/24, and the HNS network flannel.4096 10.244.3.0/24: run Reset',
  )
})

const lost = (host: Host): Promise<string> => host.ps(`(Get-HostLostPod) -join ' '`)
const stopped = (run: JsonRun): readonly string[] =>
  run.calls.filter((call) => call.startsWith('crictl stopp'))

/** Seven pods, and one with the network of the node. In the code page of the console, the text ends in half a character. */
async function withPods(t: Test, host: Host): Promise<void> {
  await host.ps(`Set-HostFact -Name CodePage -Value 932
    1..7 | ForEach-Object { Add-HostPod -Name "web-$_" }
    & (Get-Module -Name host) { $script:Machine.Pods[-1].annotations = @{ about = '\u8aac\u660e' } }
    Add-HostPod -Name proxy -HostNetwork -Namespace kube-system; Start-Sleep -Seconds 5`)
  t.equal(await lost(host), '')
}

for (const [profile, plays] of [
  [bridge, scenarioOfAll],
  ['ws2022-flannel-overlay', scenario],
] as const) {
  plays(`pods after a new address, ${profile}`, async (t, stage) => {
    const host = await node(stage, profile)
    await withPods(t, host)
    await host.ps('Set-HostAddress -Address 192.0.2.77 -Follows $false')
    const run = succeeded(await loop(host))
    t.ok(run.calls.some((call) => call.startsWith('Remove-HnsEndpoint')))
    t.equal(stopped(run).length, 7, 'not the pod with the network of the node')
    t.match(await tested(host), { code: 0 })
    t.equal(await lost(host), '')
    t.strictSame(stopped(succeeded(await loop(host))), [], 'once')
  })

  plays(`pods and services after HNS has crashed, ${profile}`, async (t, stage) => {
    const host = await node(stage, profile)
    await withPods(t, host)
    await host.ps('Restart-HostHns')
    const overlay = profile.endsWith('overlay')
    t.equal(await lost(host), overlay ? [1, 2, 3, 4, 5, 6, 7].map((n) => `web-${n}`).join(' ') : '')
    t.match(await host.run('Test'), { code: 4 })
    const run = succeeded(await loop(host))
    t.ok(changed(run).includes('running-flanneld') || changed(run).includes('hns-network'))
    t.ok(changed(run).includes('running-kube-proxy'), 'though one load balancer exists again')
    t.equal(stopped(run).length, overlay ? 7 : 0)
    t.match(await tested(host), { code: 0 })
    t.equal(await lost(host), '')
    t.strictSame(changed(succeeded(await loop(host))), [], 'once')
  })
}

scenario('a sandbox that loses its endpoint', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  await withPods(t, host)
  await host.ps(`Get-HnsEndpoint | Where-Object { $_.IPAddress -like '10.*' -and $_.Name -like '*_*' } |
    Select-Object -First 1 | Remove-HnsEndpoint`)
  const { result } = await host.run('Test')
  t.equal(result.exitCode, 7)
  t.match(
    result.health.find(({ id }) => id === 'sandboxes'),
    { evidence: /sandbox has no HNS endpoint: default\/web-1/ },
  )
  t.strictSame(stopped(succeeded(await loop(host))), ['crictl stopp web-1'])
  t.match(await tested(host), { code: 0 })

  await host.restart()
  await host.ps('Start-Sleep -Seconds 5')
  t.strictSame(stopped(succeeded(await loop(host))), [], 'a boot makes all of them anyway')
  t.match(await tested(host), { code: 0 })
  t.equal(await lost(host), '')
})

scenarioOfAll('a plugin that its DaemonSet installs', async (t, stage) => {
  const host = await node(stage, 'test/golden/ws2022-none/profile.yaml')
  await withPods(t, host)
  await host.ps('Restart-HostHns')
  const { result } = await tested(host)
  t.equal(result.exitCode, 7)
  t.match(
    result.health.find(({ id }) => id === 'sandboxes'),
    { verdict: 'fail', evidence: /^7 pods/, remedy: /^delete these pods/ },
  )
  t.strictSame(stopped(await loop(host)), [], 'the loop does not know when its network is back')
})

/** Calls of crictl that fail for some pods, or once. */
const crictlFails = (word: string, script: string) => `& (Get-Module -Name host) {
  $script:Answers = $script:Crictl['${word}']
  $script:Crictl['${word}'] = { param($Call, $Words)
    ${script}
    & $script:Answers $Call $Words
  }
}`
const crictlWorks = (word: string) =>
  `& (Get-Module -Name host) { $script:Crictl['${word}'] = $script:Answers }`

scenarioOfAll('a sandbox that cannot be stopped', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  await withPods(t, host)
  await host.ps(`Restart-HostHns
    ${crictlFails(
      'stopp',
      `foreach ($id in $Words) {
         $pod = $script:Machine.Pods | Where-Object { (Get-HostPodId -Pod $_) -eq $id } | Select-Object -First 1
         if ($pod.metadata.name -eq 'web-1') { throw 'stopping the pod sandbox: rpc error: code = DeadlineExceeded' }
       }`,
    )}`)
  const run = await loop(host)
  t.match(run.result, { exitCode: 1, message: /web-1.*DeadlineExceeded/ })
  await host.ps('Start-Sleep -Seconds 5')
  t.equal(await lost(host), 'web-1', 'the others have a network')
  await host.ps(crictlWorks('stopp'))
  succeeded(await tick(host))
  t.match(await tested(host), { code: 0 })
  t.equal(await lost(host), '')
})

scenarioOfAll('containerd does not answer once', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  await withPods(t, host)
  for (let run = 0; run < 3; run++) succeeded(await tick(host))
  await host.ps(`Restart-HostHns
    & (Get-Module -Name host) { $script:Asked = 0 }
    ${crictlFails(
      'pods',
      `$script:Asked++
       if ($script:Asked -eq 1) { throw 'listing pod sandboxes: rpc error: code = DeadlineExceeded' }`,
    )}`)
  t.match((await tick(host)).result, { exitCode: 1, message: /DeadlineExceeded/ })
  const failed = await secondsOf(host)
  succeeded(await tick(host))
  t.ok((await secondsOf(host)) - failed <= 180, 'the loop runs again 2 minutes later')
  await host.ps(crictlWorks('pods'))
  t.match(await tested(host), { code: 0 })
  t.equal(await lost(host), '')
})

scenarioOfAll('the address of the node is away for a moment', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  await withPods(t, host)
  await host.ps(`Set-HostAddress -Address 192.0.2.99 -Follows $false
    Add-HostDue -After 330 -Name 'address-back'
    & (Get-Module -Name host) { $script:Happening['address-back'] = { Set-HostAddress -Address 192.0.2.10 -Follows $false } }`)
  const run = succeeded(await loop(host))
  t.equal(await addressOfKubelet(host), '192.0.2.10')
  t.strictSame(stopped(run), [], 'the loop waits a minute for it')
  t.match(await tested(host), { code: 0 })
})

scenarioOfAll(
  'a network that is lost more often than the loop restarts flanneld',
  async (t, stage) => {
    const host = await node(stage, 'ws2022-flannel-overlay')
    const conf = `Test-Path -LiteralPath 'C:\\etc\\cni\\net.d\\10-flannel.conflist'`
    for (let crash = 0; crash < 3; crash++) {
      await host.ps('Restart-HostHns')
      succeeded(await loop(host))
    }
    t.equal(await host.ps(conf), true)
    await host.ps('Restart-HostHns')
    t.match((await loop(host)).result, { exitCode: 1 })
    t.equal(await host.ps(conf), false, 'so the Node is not Ready, and gets no new pods')
  },
)

scenarioOfAll('a tool that rewrites a service again and again', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  let stops = 0
  for (let round = 0; round < 5; round++) {
    await host.ps(`$key = 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet'
      Set-ItemProperty -LiteralPath $key -Name ImagePath -Value ((Get-ItemProperty -LiteralPath $key).ImagePath + ' --v=3')`)
    const run = await loop(host)
    stops += run.calls.filter((call) => call === 'Stop-Service kubelet').length
    t.equal(run.result.exitCode, round < 3 ? 0 : 1)
  }
  t.equal(stops, 3, 'three times an hour')
  await host.ps('Set-HostClock -By -1800')
  const { result } = await loop(host)
  t.equal(result.exitCode, 0, 'times after now are from before the clock was set')
})

scenarioOfAll('load balancers that HNS has lost', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  const lose = `& (Get-Module -Name host) { $script:Machine.PolicyLists = @($script:Machine.PolicyLists[0]) }`
  const restarts = (run: JsonRun) =>
    run.calls.filter((call) => call === 'Start-Service kube-proxy').length
  await host.ps(lose)
  const first = succeeded(await loop(host))
  t.equal(restarts(first), 0, 'HNS may be a moment behind')
  t.notMatch(await host.ps(`(Get-HostApplicationLog).Text -join ' '`), 'services: fail')
  const second = await loop(host)
  t.equal(restarts(second), 1, 'not in two runs')
  t.match(await host.ps(`(Get-HostApplicationLog).Text -join ' '`), 'services: fail')
  t.match(await tested(host), { code: 0 })

  for (const limit of [1, 1, 0]) {
    await host.ps(`${lose}; Start-Sleep -Seconds 31`)
    const runs = [await loop(host), await loop(host)]
    t.equal(
      runs.map(restarts).reduce((a, b) => a + b),
      limit,
      'three times an hour',
    )
  }
})

scenario('what starts the task', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  const settings = await host.ps<{ Priority: number }>(
    `(Get-ScheduledTask -TaskName winnode-boot).Settings`,
  )
  t.equal(settings.Priority, 4, 'an ordinary process, not one below it')
  // After the one that follows the first run.
  for (let run = 0; run < 2; run++) t.strictSame(changed(succeeded(await tick(host))), [])
  const begun = await secondsOf(host)
  t.strictSame(changed(succeeded(await tick(host))), [])
  t.equal(Math.round((await secondsOf(host)) - begun), 1800, 'every 30 minutes')

  for (const happens of [
    'Restart-HostHns',
    'Set-HostAddress -Address 192.0.2.77 -Follows $false',
  ]) {
    const before = await secondsOf(host)
    await host.ps(happens)
    t.not(changed(succeeded(await tick(host))).length, 0, happens)
    t.match(await tested(host), { code: 0 })
    t.ok((await secondsOf(host)) - before <= 180, `${happens}: within 3 minutes`)
    const repaired = await secondsOf(host)
    t.strictSame(changed(succeeded(await tick(host))), [], 'looks again 2 minutes later')
    t.ok((await secondsOf(host)) - repaired <= 120)
    const well = await secondsOf(host)
    await tick(host)
    t.ok((await secondsOf(host)) - well > 600, 'and then no more: not at stops and starts in a run')
  }
})

scenario('an HNS that hangs', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  const hang = (...on: readonly string[]): Promise<unknown> =>
    host.ps('foreach ($one in $with.on) { Add-HostFault -On $one -Hangs 7200 -Times 999 }', { on })
  const answers = (): Promise<unknown> =>
    host.ps('& (Get-Module -Name host) { $script:Machine.Faults = @{} }')
  const minutes = async (run: () => Promise<JsonRun>, says: RegExp): Promise<number> => {
    const from = await secondsOf(host)
    t.match(trouble((await run()).result), says)
    return ((await secondsOf(host)) - from) / 60
  }
  const silent = /HNS: no answer within 120 s; restart the service hns, or the machine/
  await hang('Get-HnsNetwork', 'Get-HnsEndpoint', 'Get-HnsPolicyList')
  const test = async () => host.run('Test', { Wait: true, TimeoutMinutes: 15 })
  t.ok((await minutes(test, silent)) < 18, 'Test ends')
  t.ok((await minutes(async () => loop(host), silent)) < 5 + 6, 'long before its task is ended')
  t.match(await host.ps(`"$((Get-HostApplicationLog).Text)"`), silent, 'in an event')
  await answers()
  t.strictSame(changed(succeeded(await loop(host))), [])

  const reset = async () => host.run('Reset')
  await hang('Remove-HnsEndpoint')
  t.ok((await minutes(reset, silent)) < 10)
  await answers()
  await hang('Restart-Service hns')
  t.ok((await minutes(reset, /the service hns did not restart within 60 s/)) < 10)
})

scenarioOfAll('HNS has a translated name', async (t, stage) => {
  const { host } = stage
  const name = `Set-HostFact -Name HnsDisplayName -Value "Service d'hôte"`
  await member(stage, 'ws2022-flannel-overlay', path.join(t.testdir({}), 'c'), name)
  for (let run = 0; run < 2; run++) await tick(host)
  const before = await secondsOf(host)
  await host.ps('Restart-HostHns')
  t.not(changed(succeeded(await tick(host))).length, 0)
  t.ok((await secondsOf(host)) - before <= 180, 'its event starts the task')
})

scenarioOfAll('a log that kube-log-runner cannot rotate', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  const log = 'C:\\var\\log\\kubelet\\kubelet.log'
  const writes = (bytes: string) => host.ps(`Write-HostLog -Name kubelet -Bytes ${bytes}`)
  const length = (): Promise<number> => host.ps(`(Get-Item -LiteralPath '${log}').Length`)
  succeeded(await loop(host))
  await writes('200MB')
  t.equal(await length(), 0, 'it is rotated')
  await host.ps('Start-Sleep -Seconds 7200')
  t.strictSame(changed(succeeded(await loop(host))), [], 'a log with nothing to say')

  await host.ps(`Set-HostFact -Name Readers -Value @('${log}')`)
  await writes('200MB')
  await host.ps('Set-HostFact -Name Readers -Value @()')
  await writes('1MB')
  t.equal(await length(), 200 * 1024 * 1024, 'nothing is written any more')
  t.match(await host.run('Test'), { code: 0 })
  await host.ps('Start-Sleep -Seconds 3700')
  const run = succeeded(await loop(host))
  t.match(await host.ps(`(Get-HostApplicationLog).Text -join ' '`), 'logs: warn, was ok')
  t.ok(run.calls.includes('Start-Service kubelet'))
  await writes('1MB')
  t.ok((await length()) > 0 && (await length()) < 2 * 1024 * 1024, 'and is written again')
  await host.ps('Start-Sleep -Seconds 60')
  succeeded(await loop(host))
  t.match(await tested(host), { code: 0 })
  t.match(await host.ps(`(Get-HostApplicationLog).Text -join ' '`), 'logs: ok, was warn')
})

const cloud = 'test/golden/ws2022-flannel-overlay-cloud/profile.yaml'
const conflist = 'C:\\etc\\cni\\net.d\\10-flannel.conflist'

/** When the CNI configuration was written: removing it makes the Node NotReady. */
const written = (host: Host): Promise<number> =>
  host.ps(`(Get-Item -LiteralPath '${conflist}').LastWriteTimeUtc.Ticks`)

/** A token as the API server gives them, from so many to so many seconds from now. */
const timed = async (host: Host, from: number, until: number): Promise<string> => {
  const now = Date.UTC(2026, 0, 1) / 1000 + (await secondsOf(host))
  const claims = JSON.stringify({ exp: Math.round(now + until), iat: Math.round(now + from) })
  return ['{}', claims, 'signature']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.')
}

const replaceTokens = (host: Host, token: string): Promise<unknown> =>
  host.ps(
    `foreach ($name in 'kube-proxy', 'flannel') {
      Set-HostToken -Token "token-of-$name" -User ''
      Set-HostToken -Token "$($with.token)$name" -User "system:serviceaccount:kube-system:winnode-$name"
      Set-Content -LiteralPath "C:\\etc\\kubernetes\\$name.token" -Value "$($with.token)$name" -NoNewline
    }
    Start-Sleep -Seconds 100`,
    { token },
  )

scenario('a token in a file is replaced', async (t, stage) => {
  const host = await node(stage, cloud)
  succeeded(await loop(host))
  const before = await written(host)
  await replaceTokens(host, await timed(host, 0, 31_536_000))
  const run = succeeded(await loop(host))
  t.strictSame(changed(run), [])
  t.strictSame(
    run.calls.filter((call) => call.includes('-Service')),
    [],
    'nothing restarts',
  )
  t.equal(await written(host), before, 'the CNI configuration stays')
  t.match(await tested(host), { code: 0 })

  await replaceTokens(host, await timed(host, -1_000_000, 50_000))
  const late = await tested(host)
  t.match(late, { code: 0 })
  t.match(
    late.result.health.find(({ id }) => id === 'tokens'),
    { verdict: 'warn', evidence: /kube-proxy\.token valid until 2026-/ },
  )
  await host.ps('Skip-HostTime -Seconds 50000')
  t.match(
    (await host.run('Test')).result.health.find(({ id }) => id === 'tokens'),
    { verdict: 'fail' },
  )
})

scenarioOfAll('credentials that need a restart', async (t, stage) => {
  const host = await node(stage, 'ws2022-flannel-overlay')
  succeeded(await loop(host))
  const before = await written(host)
  await host.ps(`Add-Content -LiteralPath 'C:\\etc\\kubernetes\\flannel.conf' -Value '# another'`)
  const run = succeeded(await loop(host))
  t.strictSame(changed(run), ['running-flanneld'])
  t.equal(await written(host), before, 'the CNI configuration stays')
  t.match(await tested(host), { code: 0 })
})
