// The node side on a simulated Windows Server: every kind of step, every built-in profile.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { renderBundle, writeBundle, type NodeDocument } from './host/bundle.ts'
import { bring, install, joined, ownFolders, succeeded, token } from './host/course.ts'
import { bundleFiles, everyKind } from './host/every-kind.ts'
import { differences, tally, trouble, type JsonRun } from './host/host.ts'
import { scenario } from './host/stage.ts'
import { root } from './tools/run.ts'

const document = everyKind()

/** Ids of the steps in a state. */
function idsOf({ result }: JsonRun, state: string): readonly string[] {
  return result.steps.filter((step) => step.state === state).map(({ id }) => id)
}

const changed = (run: JsonRun): readonly string[] => idsOf(run, 'Changed')

scenario('a machine becomes a node, and is one for good', async (t, { host, machine }) => {
  const drive = await machine(document)
  const asked = await host.run('Install', { WhatIf: true })
  t.match(asked, { code: 0, calls: [], writes: 0 })
  const first = await host.run('Install')
  t.equal(first.result.exitCode, 3010, trouble(first.result))
  t.ok(first.result.restart)
  t.strictSame(idsOf(first, 'Waiting'), ['containerd-service', 'containerd-runs', 'image'])

  const early = await host.run('Install')
  t.match(early, { calls: [], writes: 0, result: { exitCode: 3010, steps: [] } })
  t.match(trouble(early.result), /a restart is pending for component servicing, feature/)

  await host.restart()
  const second = succeeded(await host.run('Install'))
  t.strictSame(changed(second), ['containerd-service', 'containerd-runs', 'image'])
  t.strictSame(
    idsOf(asked, 'WouldChange').toSorted(),
    [...changed(first), ...changed(second)].toSorted(),
    'what -WhatIf listed is what was changed',
  )
  t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 }, 'a second run: no call')

  bring(drive)
  const before = await host.describe()
  const wouldJoin = await host.run('Join', { Token: token, WhatIf: true })
  t.match(wouldJoin, { calls: [], writes: 0 })
  t.strictSame(differences(before, await host.describe()), [])
  succeeded(await host.run('Join', { Token: token }))
  const node = await host.describe()
  t.match(await host.run('Join', { Token: token }), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Test'), { code: 0, calls: [], writes: 0 })
  t.strictSame(differences(node, await host.describe()), [])

  await host.restart()
  const boot = succeeded(await host.run('Install', { Phase: 'boot' }))
  t.strictSame(changed(boot), ['flanneld-runs', 'network', 'kube-proxy-runs'])
  t.match(await host.run('Test'), { code: 0 }, 'and again after a restart')
})

scenario('a person who watches is told what happens', async (t, { host, machine }) => {
  await machine(document)
  const place = document.steps.findIndex(({ id }) => id === 'kubelet-program') + 1
  const all = document.steps.filter(({ phase }) => phase === 'image').length
  await host.ps(`Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
    & (Get-Module -Name 'WinNode') { $script:Limit.TellSeconds = 0 }`)
  const first = (await host.talk('Install')).talk.join('\n')
  t.match(
    first,
    /1\/\d+ {2}installing +feature +Containers\n.* changed +feature +.*\n +after a restart/,
  )
  t.match(first, /waiting +image +.*\n +for a restart: feature\n/, 'what it waits for in the end')
  t.match(first, `${place}/${all}  fetching      kubelet-program`)
  t.match(first, `${place}/${all}                0 of 1 MiB`, 'how far a download is')
  t.match(first, /Restart the machine and run this again\.\nExit code 3010\.$/)

  const early = (await host.talk('Install')).talk.join('\n')
  t.match(early, /nothing was changed, because of pending-restart\n/)
  await host.restart()
  await host.run('Install')
  const { talk } = await host.talk('Install')
  t.strictSame(
    talk.filter((line) => /^ +\d/.test(line)),
    [],
    'nothing of what is as wanted',
  )
  t.match(talk.at(-2), `${all} steps: ${all} unchanged`)
})

/** What somebody does to a node, by the step that finds it, and what else then differs. */
const drifts: readonly (readonly [id: string, script: string, also?: readonly string[]])[] = [
  [
    'page-file',
    `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management' -Name PagingFiles -Value ([string[]]'?:\\pagefile.sys')`,
  ],
  [
    'test-signing',
    `[WinNodeHost.Registry]::Set('BCD00000000\\Objects\\{b2721d73-1db4-4c62-bf78-c548a880142d}\\Elements\\16000049', 'Element', 'Binary', [byte[]]0)`,
  ],
  [
    'folder',
    `$list = Get-Acl -LiteralPath 'C:\\k'; $list.SetSecurityDescriptorSddlForm('D:(A;OICI;FA;;;WD)', 'Access'); Set-Acl -LiteralPath 'C:\\k' -AclObject $list`,
  ],
  ['readable-folder', `Remove-Item -LiteralPath 'C:\\var\\lib\\pods'`],
  [
    'dword',
    `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\hns\\State' -Name HNSControlFlag -Value 0`,
  ],
  ['list', `Remove-ItemProperty -LiteralPath 'HKLM:\\SOFTWARE\\winnode-test' -Name List`],
  [
    'power',
    `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Power\\User\\PowerSchemes' -Name ActivePowerScheme -Value 'a1841308-3541-4fab-bc81-f71556f20b4a'`,
  ],
  ['time', `Stop-Service -Name W32Time`],
  [
    'firewall',
    `Remove-NetFirewallRule -Name winnode-kubelet; $null = New-NetFirewallRule -Name winnode-kubelet -DisplayName other -Direction Inbound -Action Block -Enabled True`,
  ],
  ['defender', `Remove-MpPreference -ExclusionProcess 'C:\\k\\kubelet.exe'`],
  [
    'path',
    `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment' -Name Path -Value '%SystemRoot%\\system32;%SystemRoot%'`,
  ],
  ['nssm-archive', `Set-Content -LiteralPath 'C:\\k\\nssm.exe' -Value 'program other'`],
  ['kubelet-program', `Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program other'`],
  [
    'containerd-config',
    `Add-Content -LiteralPath 'C:\\Program Files\\containerd\\config.toml' -Value '# mine'`,
  ],
  ['facts-file', `Set-Content -LiteralPath 'C:\\etc\\node.json' -Value '{}'`],
  [
    'containerd-service',
    `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\containerd' -Name ImagePath -Value 'C:\\Program Files\\containerd\\bin\\containerd.exe'`,
  ],
  [
    'log',
    `[System.IO.File]::WriteAllBytes((Convert-Path -LiteralPath 'C:\\var\\log\\containerd') + '/containerd.log', [byte[]]::new(2MB))`,
  ],
  ['image', `Set-HostFact -Name Images -Value @()`],
  ['containerd-runs', `Stop-Service -Name containerd -Force`, ['kubelet-runs']],
  [
    'kubelet-service',
    `Set-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet' -Name DependOnService -Value ([string[]]'none')`,
  ],
  [
    'joined',
    `Set-Content -LiteralPath 'C:\\etc\\kubernetes\\bootstrap-kubelet.conf' -Value 'token'`,
  ],
  ['kubelet-start', `Set-Service -Name kubelet -StartupType Manual`],
  ['boot-task', `Unregister-ScheduledTask -TaskName winnode-boot -TaskPath '\\' -Confirm:$false`],
  [
    'network',
    `Stop-Service -Name flanneld; Get-HnsEndpoint | Remove-HnsEndpoint; Get-HnsNetwork | Remove-HnsNetwork`,
    ['flanneld-runs'],
  ],
  [
    'source-vip',
    `Remove-Item -LiteralPath 'C:\\var\\lib\\cni\\networks\\flannel.4096\\10.244.3.2'`,
  ],
  [
    'host-address',
    `Remove-Item -LiteralPath 'C:\\var\\lib\\cni\\networks\\flannel.4096\\10.244.3.200'`,
  ],
  [
    'kube-proxy-config',
    `Set-Content -LiteralPath 'C:\\var\\lib\\kube-proxy\\config.json' -Value '{}'`,
  ],
  ['kube-proxy-runs', `Stop-Service -Name kube-proxy`],
]

scenario('what is changed by hand is found, and repaired', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  const node = await host.describe()
  const drifted = new Set(drifts.flatMap(([id]) => document.steps.filter((step) => step.id === id)))
  const untouched = new Set(document.steps.map(({ kind }) => kind))
  for (const { kind } of drifted) untouched.delete(kind)
  t.strictSame([...untouched], ['windowsFeature'], 'every kind has its row; features come below')

  for (const [, script] of drifts) await host.ps(`$null = . { ${script} }`)
  const found = await host.run('Test')
  t.equal(found.result.exitCode, 4)
  const wanted = new Set(drifts.flatMap(([id, , also = []]) => [id, ...also]))
  t.strictSame(
    found.result.steps.filter(({ state }) => state !== 'Unchanged').map(({ id }) => id),
    document.steps.map(({ id }) => id).filter((id) => wanted.has(id)),
    'every drift is found',
  )
  t.equal((await host.run('Install')).result.exitCode, 3010)
  await host.restart()
  const again = await host.run('Install')
  t.equal(again.result.exitCode, 0, trouble(again.result))
  const rejoined = await host.run('Join', { Token: token })
  t.equal(rejoined.result.exitCode, 0, trouble(rejoined.result))
  const logs = /containerd\.log|state\.json|last_reserved_ip/
  t.strictSame(differences(node, await host.describe(), logs), [], 'every drift is repaired')
  t.match(await host.run('Test'), { code: 0 })

  await host.ps(`Uninstall-WindowsFeature -Name Containers; Restart-HostMachine`)
  t.match(idsOf(await host.run('Test', { Phase: 'image' }), 'Different'), ['feature'])
  t.equal((await host.run('Install')).result.exitCode, 3010, 'a feature that was taken away')
  await host.restart()
  succeeded(await host.run('Install'))
})

scenario(
  'a folder that an ordinary user made first is taken from him',
  async (t, { host, machine }) => {
    await machine(document)
    const user = 'S-1-5-21-1-2-3-1001'
    await host.ps(`$null = New-Item -ItemType Directory -Path 'C:\\k'; $list = Get-Acl -LiteralPath 'C:\\k'
    $list.SetSecurityDescriptorSddlForm('O:${user}D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
    Set-Acl -LiteralPath 'C:\\k' -AclObject $list`)
    const found = await host.run('Test')
    const folder = found.result.steps.find(({ id }) => id === 'folder')
    t.match(folder, { state: 'Different', detail: new RegExp(`list is O:${user}D:P`) })
    t.ok(changed(await host.run('Install')).includes('folder'))
    const list = await host.ps(`(Get-Acl -LiteralPath 'C:\\k').Sddl`)
    t.match(JSON.stringify(list), /O:BAG:SYD:PAI/)
  },
)

/** How somebody registers the boot task anew, with a part of it of his own. */
const otherTask = (part: string): string =>
  `$task = Get-ScheduledTask -TaskName winnode-boot -TaskPath '\\'
  $all = @{ TaskName = 'winnode-boot'; TaskPath = '\\'; Description = $task.Description; Force = $true
    Action = $task.Actions; Trigger = $task.Triggers; Principal = $task.Principal; Settings = $task.Settings }
  ${part}
  $null = Register-ScheduledTask @all`

scenario('a start that fails is tried again later', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  const node = await host.describe()
  const triggers = ['', 'PT2M', 'PT5M', 'PT15M'].map(
    (delay) => `{Delay=${delay}; Kind=MSFT_TaskBootTrigger}`,
  )
  t.match(
    node['task winnode-boot'],
    `Triggers=[${triggers.join(', ')}]`,
    'the scheduler starts what ended with an error once only',
  )
  t.match(node['task winnode-boot-logs'], 'Triggers=[{Interval=PT1H; Kind=MSFT_TaskTimeTrigger}]')
  for (const name of ['winnode-boot', 'winnode-boot-logs']) {
    t.match(node[`task ${name}`], /DisallowStartIfOnBatteries=False.*StopIfGoingOnBatteries=False/)
  }
  const spoiled = {
    'one trigger alone': `$all.Trigger = $task.Triggers[0]`,
    'another delay': `$all.Trigger[1].Delay = 'PT9M'`,
    'no start on batteries': `$all.Settings.DisallowStartIfOnBatteries = $true`,
  }
  for (const [what, part] of Object.entries(spoiled)) {
    await host.ps(otherTask(part))
    t.strictSame(idsOf(await host.run('Test'), 'Different'), ['boot-task'], `${what}: found`)
    t.strictSame(changed(succeeded(await host.run('Join'))), ['boot-task'], `${what}: repaired`)
    t.strictSame(differences(node, await host.describe(), /state\.json/), [], what)
  }
})

/** A service that is not as winnode left it; whether the machine must restart before it is right. */
const wrongServices: Readonly<Record<string, readonly [script: string, restart: boolean]>> = {
  'it is stopped': [`Stop-Service -Name containerd -Force`, false],
  'it has another command line': [
    `Edit-HostService -Name containerd -Change @{ PathName = 'C:\\other.exe' }`,
    false,
  ],
  'it is disabled': [`Set-Service -Name containerd -StartupType Disabled`, false],
  'it is gone': [
    `Stop-Service -Name containerd -Force; Remove-HostService -Name containerd`,
    false,
  ],
  'it is marked for deletion, and still runs': [
    `Set-HostServiceValue -Name containerd -Value DeleteFlag -Kind DWord -Data 1`,
    false,
  ],
  'it is marked for deletion, and a console holds it': [
    `Set-HostServiceValue -Name containerd -Value DeleteFlag -Kind DWord -Data 1; Set-HostFact -Name Handles -Value @{ containerd = 1 }`,
    true,
  ],
}

scenario('a service in a wrong state becomes right', async (t, { host, machine }) => {
  await machine(document)
  await install(host)
  const image = await host.describe()
  for (const [what, [script, restart]] of Object.entries(wrongServices)) {
    await host.ps(`$null = . { ${script} }`)
    t.equal((await host.run('Test')).result.exitCode, 4, `${what}: found`)
    const run = await host.run('Install')
    t.equal(run.result.exitCode, restart ? 3010 : 0, `${what}: ${trouble(run.result)}`)
    if (restart) {
      await host.restart()
      succeeded(await host.run('Install'))
    }
    t.strictSame(differences(image, await host.describe(), /state\.json/), [], `${what}: repaired`)
  }
})

scenario('an upgrade replaces programs in order', async (t, { host, machine, artifacts }) => {
  const drive = await machine(document)
  await joined(host, drive)
  const next = everyKind({ kubelet: 'v1.36.1', containerd: '2.3.1' })
  const pod = { metadata: { name: 'web', namespace: 'default' }, labels: {} }
  await host.ps(`Set-HostFact -Name Pods -Value @($with.pod)`, { pod })
  writeBundle(path.join(drive, 'win-node'), next, artifacts, bundleFiles)

  const refused = await host.run('Install')
  t.match(refused, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(refused.result), /drain the node first, or give -Force: default\/web/)

  await host.ps(`Set-HostFact -Name Pods -Value @()`)
  const run = succeeded(await host.run('Install'))
  t.strictSame(changed(run), [
    'containerd-archive',
    ...['kubelet-program', 'kubeadm-program', 'kube-proxy-program', 'containerd-runs'],
  ])
  t.strictSame(
    run.calls.filter((call) => /^(Stop|Start)-Service/.test(call)),
    [
      ...['Stop-Service kubelet', 'Stop-Service containerd', 'Stop-Service kube-proxy'],
      ...['Start-Service containerd', 'Start-Service kubelet', 'Start-Service kube-proxy'],
    ],
    'what needs containerd stops first, and all run again at the end',
  )
  t.match(run.result.message, /run Join-WinNode\.ps1 again for boot-task/)
  const renewed = succeeded(await host.run('Join'))
  t.strictSame(
    changed(renewed),
    ['boot-task'],
    'Join renews the copy of the bundle, without a token',
  )
  t.match(await host.run('Test'), { code: 0 })
})

scenario('a reset leaves what was there before', async (t, { host, machine }) => {
  const drive = await machine(document)
  bring(drive)
  // What is there already is put back as it was.
  await host.ps(`$null = New-Item -ItemType Directory -Path 'C:\\k'
    Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program mine'
    $null = New-NetFirewallRule -Name winnode-kubelet -DisplayName mine -Direction Inbound -Action Block -Enabled False -Protocol TCP -LocalPort 1
    Add-MpPreference -ExclusionProcess 'C:\\mine.exe'`)
  const before = await host.describe()
  await joined(host, drive)
  await host.ps(`Set-Content -LiteralPath 'C:\\var\\lib\\kubelet\\data.txt' -Value 'of a pod'`)

  const node = await host.describe()
  const asked = await host.run('Reset', { WhatIf: true })
  t.match(asked, { calls: [], writes: 0 })
  t.strictSame(differences(node, await host.describe()), [], '-WhatIf changes nothing')

  const kept = await host.run('Reset')
  t.equal(kept.result.exitCode, 3010, trouble(kept.result))
  t.match(
    kept.result.steps.filter(({ state }) => state === 'Kept').map(({ id, detail }) => [id, detail]),
    [
      ['var-lib-kubelet', 'kept: it holds config.yaml, data.txt, kubeadm-flags.env'],
      ['var-lib-cni', 'kept: it holds networks'],
      ['run-flannel', 'kept: it holds subnet.env'],
      ['feature', 'kept: the feature stays'],
    ],
    'what stays is named',
  )
  await host.restart()
  const all = await host.run('Reset', { RemoveData: true, RemoveFeature: true })
  t.equal(all.result.exitCode, 3010, trouble(all.result))
  await host.restart()
  succeeded(await host.run('Reset', { RemoveData: true, RemoveFeature: true }))
  t.strictSame(differences(before, await host.describe(), ownFolders), [])
  const none = await host.run('Reset')
  t.match(none, { calls: [], writes: 0, result: { exitCode: 0 } })
  t.notOk('Changed' in tally(none.result), 'nothing is left to do')
})

scenario('all reasons to refuse are told at once', async (t, { host, machine }) => {
  const drive = await machine(document)
  await host.fresh(drive, { Build: 26_100, Revision: 2600 })
  await host.ps(`Set-HostFact -Name FreeSpace -Value 1GB
    Set-HostServiceValue -Name docker -Value ImagePath -Kind String -Data 'C:\\dockerd.exe'
    [WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Control\\Session Manager', 'PendingFileRenameOperations', 'MultiString', @('a', ''))
    $env:SystemDrive = 'D:'`)
  const before = await host.describe()
  const run = await host.run('Install')
  await host.ps(`$env:SystemDrive = 'C:'`)
  t.match(run, { code: 2, calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.strictSame(
    run.result.preflight.filter(({ passed }) => !passed).map(({ id, verdict }) => [id, verdict]),
    [
      ['windows-build', 'fail'],
      ['revision-not-between', 'fail'],
      ['system-drive', 'fail'],
      ['free-disk', 'fail'],
      ['other-engines', 'fail'],
      ['pending-rename', 'warn'],
    ],
  )
  t.strictSame(differences(before, await host.describe(), ownFolders), [], 'nothing was changed')

  await host.fresh(drive)
  const unready = await host.run('Join')
  t.equal(unready.result.exitCode, 2)
  t.match(trouble(unready.result), /missing: .*flannel\.conf.*kube-proxy\.conf.*there is no token/)

  await host.ps(`Set-HostFact -Name Administrator -Value $false`)
  const unprivileged = await host.run('Install')
  t.match(unprivileged, { code: 2, result: { exitCode: 2, message: /not an administrator/ } })
})

const profiles = readdirSync(path.join(root, 'profiles'))
  .map((name) => name.replace(/\.yaml$/, ''))
  .filter((name) => name !== 'base')

interface Check {
  readonly kind: string
  readonly with: readonly { readonly name: string; readonly value: unknown }[]
}

/** What a check of the document needs, or nothing. */
function needs(node: NodeDocument, kind: string, name: string): unknown {
  const checks = node['preflight'] as readonly Check[]
  const pairs = checks.filter((check) => check.kind === kind).flatMap((check) => check.with)
  return pairs.find((pair) => pair.name === name)?.value
}

/** A profile of a checked-in bundle, for the way to a cluster that no built-in profile takes. */
const withoutKubeadm = 'test/golden/ws2022-flannel-overlay-without-kubeadm/profile.yaml'

for (const profile of [...profiles, withoutKubeadm]) {
  scenario(`${profile} installs`, async (t, { host, artifacts }) => {
    const drive = path.join(t.testdir({}), 'c')
    const bundle = path.join(drive, 'win-node')
    const node = renderBundle(profile, bundle, artifacts, flagsOf(profile, artifacts.url))
    await host.fresh(drive, {
      Build: Number(needs(node, 'windowsBuild', 'build')),
      Revision: Number(needs(node, 'revisionAtLeast', 'revision') ?? 9999),
    })
    const first = await install(host)
    t.equal(first.result.exitCode, 0)
    t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 }, 'a second run: no call')

    // The server here speaks no TLS, so it cannot tell the time to a machine that asks over it.
    const named = needs(node, 'apiServer', 'endpoint') !== undefined
    const checks = (node['preflight'] as readonly Check[]).filter(
      ({ kind }) => kind !== 'clockSkew',
    )
    if (named)
      writeFileSync(path.join(bundle, 'node.json'), JSON.stringify({ ...node, preflight: checks }))

    const paths = (needs(node, 'filePresent', 'paths') ?? []) as readonly string[]
    bring(drive, paths, `server: ${artifacts.url}\n`)
    succeeded(await host.run('Join', { Token: token }))
    t.match(await host.run('Join', { Token: token }), { code: 0, calls: [], writes: 0 })
    await host.restart()
    succeeded(await host.run('Install', { Phase: 'boot' }))
    const tested = await host.run('Test')
    t.equal(tested.result.exitCode, 0, trouble(tested.result))
    const reset = await host.run('Reset')
    t.equal(trouble(reset.result), '', 'all of it can be taken back')
    t.notOk(existsSync(path.join(drive, 'Program Files/containerd')), 'with folders on the way')
  })
}

/** The API server of a profile that names one is the server here. */
function flagsOf(profile: string, url: string): readonly string[] {
  return profile === withoutKubeadm ? ['--set', `join.endpoint=${new URL(url).host}`] : []
}
