// The pod network, and the loop towards the described state: what comes back by itself, and how little an idle run costs.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { needs, renderBundle, sha256 } from '../host/bundle.ts'
import { bring, changed, idsOf, install, joined, loop, succeeded, token } from '../host/course.ts'
import { bundleFiles, everyKind } from '../host/every-kind.ts'
import { trouble, type Host } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'

const document = everyKind()
const conflist = 'C:\\etc\\cni\\net.d\\10-flannel.conflist'

/** Whether the cluster takes the node for Ready, some seconds from now. */
const ready = (host: Host): Promise<string> =>
  host.ps(`Start-Sleep -Seconds 11
    (& (Get-Module -Name host) { $script:Machine.Cluster.Objects['/api/v1/nodes/node-a'] } | ConvertFrom-Json).status.conditions[0].status`)

/** Every file below a folder with its size and the moment of its last change. */
function stamps(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, is: statSync(path.join(folder, name)) }))
    .map(({ name, is }) => `${name} ${is.size} ${is.mtimeMs}`)
    .sort()
}

scenario(
  'a run that finds nothing to do is cheap',
  async (t, { host, artifacts, machineAfter }) => {
    const drive = await machineAfter(joined, document)
    await loop(host)
    const before = stamps(drive)
    const asked = artifacts.requests.length
    const start = performance.now()
    const idle = succeeded(await loop(host))
    t.comment(`an unchanged run took ${((performance.now() - start) / 1000).toFixed(2)} s`)
    t.match(idle, { calls: [], writes: 0 })
    t.strictSame(idsOf(idle, 'Unchanged').length, idle.result.steps.length)
    t.ok(idle.programs.length + 1 <= 3, `powershell.exe and ${idle.programs.join(', ')}`)
    t.strictSame(stamps(drive), before, 'not even a line of a log')
    t.equal(artifacts.requests.length, asked, 'no download')
  },
)

scenarioOfAll('an API server that comes back late', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  await host.ps('Restart-HostMachine; Stop-HostApi -For 1200')
  for (const what of ['at once', 'again']) {
    const run = await loop(host)
    t.equal(run.result.exitCode, 1, what)
    t.match(trouble(run.result), /network Failed: after 180 s: HNS network .* not found/)
  }
  t.equal(await host.ps(`Test-Path -LiteralPath '${conflist}'`), false, 'so the Node is not Ready')
  // It answers again in this run, or before the next.
  await loop(host)
  succeeded(await loop(host))
  t.equal(await ready(host), 'True')
  t.match(await host.run('Test'), { code: 0 })
})

scenario('HNS restarts', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  await host.ps('Restart-HostHns')
  const found = idsOf(await host.run('Test'), 'Different')
  t.ok(found.includes('network') && found.includes('kube-proxy-runs'), 'Test says so')
  const run = succeeded(await loop(host))
  const again = ['external', 'flanneld-runs', 'network', 'kube-proxy-runs', 'cni-conf']
  t.strictSame(changed(run), again)
  t.strictSame(
    run.calls.filter((call) => /^(Stop|Start)-Service/.test(call)),
    [
      'Stop-Service flanneld',
      'Start-Service flanneld',
      'Stop-Service kube-proxy',
      'Start-Service kube-proxy',
    ],
    'what makes the network, then what takes it',
  )
  t.equal(await ready(host), 'True')
  t.match(await host.run('Test'), { code: 0 })

  await host.ps('Restart-HostHns; Restart-Service -Name flanneld; Start-Sleep -Seconds 60')
  const other = succeeded(await loop(host))
  t.strictSame(
    changed(other),
    ['external', 'flanneld-runs', 'kube-proxy-runs'],
    'also after a manual restart of flanneld',
  )
})

scenarioOfAll('another address by DHCP', async (t, { host, machineAfter }) => {
  for (const follows of [true, false]) {
    await machineAfter(joined, document)
    await host.ps(`Set-HostAddress -Address 192.0.2.77 -Follows $${follows}`)
    const run = succeeded(await loop(host))
    const did = changed(run)
    const order = ['flanneld-service', 'flanneld-runs', 'cni-conf']
    t.strictSame(
      did.filter((id) => order.includes(id)),
      order,
      `HNS follows: ${follows}`,
    )
    const file = await host.ps(`Get-Content -LiteralPath 'C:\\etc\\node.json' -Raw`)
    t.match(file, '192.0.2.77', 'a file of the image, too')
    t.match(await host.run('Test'), { code: 0 })
    t.equal(await ready(host), 'True')
  }
  await host.ps('Set-HostAddress -Address 169.254.7.7 -Follows $false')
  const without = await loop(host)
  t.equal(without.result.exitCode, 1, 'what Windows takes without a DHCP server is no address')
  t.match(trouble(without.result), 'the adapter of the default route has no IPv4 address')
})

const netConf = JSON.stringify({
  Network: '10.244.0.0/16',
  Backend: { Name: 'flannel.4096', Type: 'host-gw' },
})

scenarioOfAll('what an earlier start left proves nothing', async (t, { host, machine }) => {
  const bridge = {
    ...document,
    steps: document.steps.map((step) => {
      if (step.kind === 'hnsNetwork' || step.kind === 'externalNetwork')
        return { ...step, type: 'L2Bridge' }
      return step.id === 'net-conf' ? { ...step, sha256: sha256(netConf) } : step
    }),
  }
  const drive = await machine(bridge, {
    ...bundleFiles,
    'files/flannel/net-conf.json': netConf,
  })
  await host.ps('Set-HostSwitch -Name BridgeComesBack -Value $true')
  await joined(host, drive)
  // The bridge and its file exist after the boot, and the API server does not answer.
  await host.ps('Restart-HostMachine; Stop-HostApi -For 700')
  t.match(
    trouble((await host.run('Test')).result),
    'network Different: C:\\run\\flannel\\subnet.env is from before the last boot',
  )
  const failed = await loop(host)
  t.equal(failed.result.exitCode, 1)
  t.equal(await host.ps(`Test-Path -LiteralPath '${conflist}'`), false, 'no pods meanwhile')
  await host.ps('Start-Sleep -Seconds 300')
  succeeded(await loop(host))
  t.match(await host.run('Test'), { code: 0 })

  const over = await host.run('Reset')
  t.strictSame(
    over.calls.filter((call) => /hns|HnsNetwork/.test(call)),
    ['flannel.4096', 'External'].flatMap((name) => [
      `Remove-HnsNetwork ${name}`,
      'Restart-Service hns',
      `Remove-HnsNetwork ${name}`,
    ]),
    'what HNS reads from its disk again goes, too',
  )
  t.notOk((await host.describe())['network flannel.4096'])
})

scenario('one run at a time, and readers beside it', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  await host.ps(
    `$global:held = [System.IO.File]::Open((Convert-Path -LiteralPath 'C:\\ProgramData\\winnode\\lock'), 'Open', 'ReadWrite', 'None')`,
  )
  try {
    const second = await loop(host)
    t.match(second.result, { exitCode: 1, message: /another winnode run is in progress/ })
    t.match(await host.run('Test'), { code: 0 })
    const report = await host.ps(
      `$null = & C:\\win-node\\Export-WinNodeReport.ps1 -AsJson; $global:LASTEXITCODE`,
    )
    t.equal(report, 0)
    // As the reconcile loop after a boot, while an administrator continues an upgrade.
    await host.ps(`Add-HostDue -After 240 -Name ends -Subject ''
      & (Get-Module -Name host) { $script:Happening['ends'] = { $global:held.Dispose() } }`)
    succeeded(await host.run('Install'))
  } finally {
    await host.ps('$global:held.Dispose()')
  }
  succeeded(await loop(host))
})

scenarioOfAll('the way to a cloud that gave a route', async (t, { host, machine }) => {
  const drive = await machine(document)
  await host.ps(`Set-HostFact -Name CloudRoute -Value '192.0.2.1'`)
  await joined(host, drive)
  const hop = (): Promise<unknown> =>
    host.ps(`(Get-NetRoute -DestinationPrefix '169.254.169.254/32' -ErrorAction Ignore).NextHop`)
  t.equal(await hop(), '192.0.2.1', 'the network took it away, and it is back')
  await host.restart()
  t.ok(changed(succeeded(await loop(host))).includes('route-again'))
  await host.ps('Set-HostFact -Name Routes -Value @()')
  t.strictSame(idsOf(await host.run('Test'), 'Different'), ['route', 'route-again'])
  succeeded(await loop(host))
  t.equal(await hop(), '192.0.2.1')
  await host.ps(`Set-HostFact -Name CloudRoute -Value '192.0.2.2'; Restart-HostMachine`)
  succeeded(await loop(host))
  t.equal(await hop(), '192.0.2.2', 'as the cloud says now')
  t.match(await host.run('Test'), { code: 0 })
})

scenario('what needs a person is said', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  const reads = (user: string): Promise<unknown> =>
    host.ps(`Set-HostToken -Token 'token-of-kube-proxy' -User $with.user`, { user })
  await reads('system:serviceaccount:kube-system:other')
  await host.ps('Set-HostFact -Name PolicyLists -Value @()')
  t.match(
    trouble((await loop(host)).result),
    /kube-proxy-runs Failed: .*HNS has no load balancers: see its log for errors about Services/,
    'its health check says 200',
  )
  await reads('system:serviceaccount:kube-system:winnode-kube-proxy')
  succeeded(await loop(host))

  const revision = `[WinNodeHost.Registry]::Set('SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion', 'UBR', 'DWord', $with.ubr)`
  await host.ps(revision, { ubr: 2600 })
  const updated = await loop(host)
  t.match(updated.result, {
    exitCode: 1,
    message: /revision of Windows is 2600: no network; update/,
  })
  const tested = await host.run('Test')
  t.match(tested.result, { exitCode: 4, message: /revision-not-between/ })
  await host.ps(revision, { ubr: 5020 })
  succeeded(await loop(host))

  await host.ps('Skip-HostTime -Seconds (366 * 86400)')
  const expired = await loop(host)
  const says = /has credentials that have expired since .*: run Join-WinNode\.ps1 with a new token/
  t.match(expired.result, { exitCode: 1, message: says })
})

scenarioOfAll('a person works on the machine', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  const suspended = succeeded(await host.run('Suspend', { For: '2h' }))
  t.match(suspended.result, { suspended: /^2026-01-\d\dT.*Z$/ })
  await host.ps('Stop-Service -Name containerd -Force; Stop-Service -Name flanneld')
  await host.restart()
  await host.ps('Stop-Service -Name containerd -Force')
  const before = stamps(drive)
  const run = succeeded(await loop(host))
  t.match(run, { calls: [], writes: 0 })
  t.match(run.result, { steps: [], message: /^the reconcile loop is suspended until 2026/ })
  t.strictSame(stamps(drive), before, 'also after a restart, and nothing is written')
  t.match((await host.run('Test')).result, { exitCode: 4, suspended: suspended.result.suspended })
  t.match((await host.talk('Test')).talk.join(' '), /The reconcile loop is suspended until 2026/)

  await host.ps('Start-Sleep -Seconds 7200')
  const after = succeeded(await loop(host))
  t.match(after.result, { suspended: '' }, 'it ends by itself')
  t.ok(changed(after).includes('containerd-runs'))
  t.match((await host.run('Test')).result, { exitCode: 0, suspended: '' })

  succeeded(await host.run('Suspend', { For: '1d' }))
  succeeded(await host.run('Suspend', { For: '0m' }))
  t.match((await loop(host)).result, { suspended: '', exitCode: 0 }, 'or by the person')
  succeeded(await host.run('Suspend', { For: '1d' }))
  await host.ps('& (Get-Module -Name host) { $script:Machine.Seconds -= 100000 }')
  t.match((await host.run('Test')).result, { suspended: '' }, 'or by a clock that was set back')
  for (const For of ['2', '8d', '1w', '-1h'])
    t.match((await host.run('Suspend', { For })).result, { exitCode: 2, message: /30m, 2h or 1d/ })
})

const log = { path: 'C:\\var\\log\\kubelet\\kubelet.log', maxSizeMiB: 1, maxFiles: 2 }
/** With the kubelet's output in a file, as under kube-log-runner. */
const logging = {
  ...document,
  steps: document.steps.map((step) => (step.id === 'kubelet-service' ? { ...step, log } : step)),
}

scenarioOfAll('problems that are visible only in logs', async (t, { host, machine }) => {
  const drive = await machine(logging)
  await joined(host, drive)
  const folder = path.join(drive, 'var/log/kubelet')
  mkdirSync(folder, { recursive: true })
  const line = 'E1117 container_log_manager.go:259] "Failed to rotate log for container" err="..."'
  writeFileSync(path.join(folder, 'kubelet.log'), `I1117 started\n${line}\n`)
  const { result } = await host.run('Test')
  t.equal(result.exitCode, 0, 'it is no difference')
  t.match(
    result.preflight.find(({ id }) => id === 'symptom-container-log'),
    {
      verdict: 'warn',
      passed: false,
      message: /is not rotated: stop the program that reads it.*kubelet\.log/,
    },
  )
  await host.ps(`$null = & C:\\win-node\\Export-WinNodeReport.ps1 -AsJson`)
  const report = readFileSync(path.join(drive, 'var/log/winnode/winnode-report.json'), 'utf8')
  t.match(JSON.parse(report), { symptoms: [{ id: 'container-log', line }] })
})

scenarioOfAll('the task of an earlier bundle', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  const old = (file: string): Promise<unknown> =>
    host.ps(
      `$action = New-ScheduledTaskAction -Execute powershell.exe -Argument ('-File "' + $with.file + '" -Phase logs')
      $at = New-ScheduledTaskTrigger -Once -At '2000-01-01' -RepetitionInterval (New-TimeSpan -Hours 1)
      $who = New-ScheduledTaskPrincipal -UserId 'S-1-5-18' -LogonType ServiceAccount -RunLevel Highest
      $all = @{ Action = $action; Trigger = $at; Principal = $who; Settings = New-ScheduledTaskSettingsSet }
      $null = Register-ScheduledTask -TaskName winnode-boot-logs @all -Force`,
      { file },
    )
  await old('C:\\theirs\\Install-WinNode.ps1')
  t.match(await host.run('Test'), { code: 0 }, 'what runs something else is not ours')
  await old('C:\\ProgramData\\winnode\\bundle\\Install-WinNode.ps1')
  t.match(
    trouble((await host.run('Test')).result),
    'boot-task Different: the task winnode-boot-logs belongs to an earlier bundle',
  )
  succeeded(await host.run('Join'))
  t.notOk((await host.describe())['task winnode-boot-logs'])
})

scenarioOfAll('logs of a crash loop stay within their number', async (t, { host, machine }) => {
  const drive = await machine(logging)
  await joined(host, drive)
  const folder = path.join(drive, 'var/log/kubelet')
  mkdirSync(folder, { recursive: true })
  for (const minute of [1, 2, 3, 4])
    writeFileSync(path.join(folder, `kubelet-20260102-10000${minute}.log`), 'crash\n')
  writeFileSync(path.join(folder, 'kubelet.log'), 'now\n')
  await host.ps(`Set-HostToken -Token 'token-of-kube-proxy'; Restart-HostHns`)
  t.equal((await loop(host)).result.exitCode, 1, 'also where the rest fails')
  t.strictSame(readdirSync(folder).sort(), [
    'kubelet-20260102-100003.log',
    'kubelet-20260102-100004.log',
    'kubelet.log',
  ])
})

scenarioOfAll('a log that fills the disk', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  const file = path.join(drive, 'var/log/containerd/containerd.log')
  await host.ps(`Set-HostFiller -LiteralPath 'C:\\var\\log\\containerd\\containerd.log' -Size 2MB
    Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
    & (Get-Module -Name WinNode.Loop) {
      Set-Item -Path function:script:Save-NodeLogEnd -Value {
        param($Log, $LiteralPath, $Bytes)
        Set-Content -LiteralPath $LiteralPath -Value 'half'
        throw [System.IO.IOException]::new('There is not enough space on the disk.')
      }
    }`)
  succeeded(await host.run('Install', { Phase: 'boot' }))
  t.equal(statSync(file).size, 0, 'it is emptied')
  t.strictSame(readdirSync(path.dirname(file)), ['containerd.log'], 'the half copy makes room, too')
})

/** Seconds until the network has its management address, and from then until an interface has it. */
const late = (address: number, seconds: number): string =>
  `Set-HostFact -Name Network -Value @{ Address = ${address}; Interface = ${seconds} }`

scenarioOfAll('a slow network is waited for', async (t, { host, machineAfter }) => {
  for (const [address, seconds] of [
    [0.2, 0.1],
    [4.5, 44],
  ] as const) {
    const drive = await machineAfter(install, document)
    bring(drive)
    await host.ps(late(address, seconds))
    succeeded(await host.run('Join', { Token: token }))
    const kept = await host.ps(`Get-Content -LiteralPath 'C:\\run\\flannel\\subnet.env' -Raw`)
    t.match(kept, 'FLANNEL_SUBNET=10.244.3.1/24\n', `after ${address} and ${seconds} s`)
    t.match(await host.run('Test'), { code: 0 })
  }
})

scenarioOfAll(
  'a pod that has the address of the host endpoint',
  async (t, { host, machineAfter }) => {
    await machineAfter(joined, document)
    const address = 'C:\\var\\lib\\cni\\networks\\flannel.4096\\10.244.3.200'
    const taken = `Set-Content -LiteralPath '${address}' -Value 'a-pod'`
    await host.ps(taken)
    const held = await host.run('Install', { Phase: 'boot' })
    t.match(trouble(held.result), '10.244.3.200 is already assigned to a pod')
    await host.ps(`${taken}; Add-HostDue -After 10 -Name leave -Subject ''
    & (Get-Module -Name host) { $script:Happening['leave'] = { Remove-Item -LiteralPath '${address}' } }`)
    succeeded(await host.run('Install', { Phase: 'boot' }))
  },
)

scenarioOfAll('an incomplete network is reported', async (t, { host, machineAfter }) => {
  // The first network that has no address is the plugin's.
  const steps = document.steps.filter(({ id }) => id !== 'external')
  const drive = await machineAfter(install, { ...document, steps })
  bring(drive)
  await host.ps(late(1000, 0))
  const without = await host.run('Join', { Token: token })
  t.equal(without.result.exitCode, 1)
  t.match(
    trouble(without.result),
    'after 180 s: the network flannel.4096 has no management address',
    'flanneld gives up after 5 s, and nssm starts it again',
  )
  await host.ps(late(1, 1))
  await host.ps('Restart-HostMachine')
  succeeded(await host.run('Join'))
})

scenarioOfAll('a file from before the last boot is not trusted', async (t, { host, machine }) => {
  // The configured address is in the earlier subnet.
  const steps = document.steps.filter(({ id }) => id !== 'given-address')
  const drive = await machine({ ...document, steps })
  await joined(host, drive)
  await host.restart()
  await host.ps(`Set-HostFact -Name PodSubnet -Value '10.244.9.0/24'; ${late(2, 30)}`)
  succeeded(await host.run('Install', { Phase: 'boot' }))
  const kept = await host.ps(
    `(Get-ChildItem -LiteralPath 'C:\\var\\lib\\cni\\networks\\flannel.4096').Name`,
  )
  t.match(kept, ['10.244.9.2', '10.244.9.200', 'last_reserved_ip.0'])
  t.match(await host.run('Test'), { code: 0 })
  writeFileSync(path.join(drive, 'run/flannel/subnet.env'), 'FLANNEL_SUBNET=10.244.3.1/24\n')
  t.match(
    trouble((await host.run('Test')).result),
    "network Different: the network's subnet is 10.244.9.0/24, but FLANNEL_SUBNET in C:\\run\\flannel\\subnet.env is 10.244.3.0/24",
  )
})

/** What is written into net-conf.json, and the words with which flanneld ends. */
const refused: readonly (readonly [change: Readonly<Record<string, unknown>>, words: string])[] = [
  [{ VNI: 4095 }, 'VNI [4095] must be greater than or equal to 4096 on Windows'],
  [{ Port: 8472 }, 'Port [8472] is not supported on Windows'],
  [{ Type: 'udp' }, 'unknown backend type: udp'],
]

scenarioOfAll('flanneld refuses what it cannot do', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  const file = path.join(drive, 'etc/kube-flannel/net-conf.json')
  const start = `$null = Set-HostFact -Name Events -Value @()
    try { Restart-Service -Name flanneld } catch { $null = $_ }; Start-Sleep -Seconds 5; (Get-WinEvent -FilterHashtable @{ LogName = 'System' } -MaxEvents 9).Message -join ' '`
  for (const [change, words] of refused) {
    const backend = { Type: 'vxlan', VNI: 4096, ...change }
    writeFileSync(file, JSON.stringify({ Network: '10.244.0.0/16', Backend: backend }))
    t.match(await host.ps(start), words)
  }
  writeFileSync(
    file,
    JSON.stringify({ Network: '10.9.0.0/16', Backend: { Type: 'vxlan', VNI: 4096 } }),
  )
  t.match(await host.ps(start), `doesn't contain "10.244.3.0/24" PodCIDR`)
})

scenario('a data disk that is gone after a start', async (t, { host, artifacts }) => {
  const drive = path.join(t.testdir({ disk: {} }), 'c')
  const flags = [String.raw`containerd.root=D:\images`, 'kubernetes.version=1.36'].flatMap(
    (one) => ['--set', one],
  )
  const bundle = path.join(drive, 'win-node')
  const node = renderBundle('ws2022-flannel-overlay', bundle, artifacts, flags)
  await host.fresh(drive, { Revision: 9999 })
  bring(drive, needs(node, 'filePresent', 'paths') as readonly string[])
  const attach = async () =>
    host.ps(
      `Set-HostFact -Name Volumes -Value @(@{ DeviceID = 'D:'; DriveType = 3; FileSystem = 'NTFS'; FreeSpace = 90GB })
      $null = New-PSDrive -Name D -PSProvider FileSystem -Root $with.disk -Scope Global`,
      { disk: path.join(drive, '../disk') },
    )
  await attach()
  t.teardown(async () => host.ps('Remove-PSDrive -Name D -Scope Global -ErrorAction Ignore'))
  await install(host)
  succeeded(await host.run('Join', { Token: token }))
  await host.ps(`Set-HostFact -Name Volumes -Value @(); Remove-PSDrive -Name D -Scope Global`)
  await host.restart()
  const service = '"$((Get-Service -Name containerd).Status)"'
  t.equal(await host.ps(service), 'Stopped', 'containerd cannot make its folder')
  const boot = await host.run('Install', { Phase: 'boot' })
  t.match(boot, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(boot.result), 'drive D: not found; attach and format the disk first')
  await attach()
  await host.restart()
  succeeded(await host.run('Install', { Phase: 'boot' }))
  await host.ps('Start-Sleep -Seconds 15')
  t.match(await host.run('Test'), { code: 0 })
})
