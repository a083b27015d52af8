// The node side on a simulated Windows Server: every kind of step.
import { stepNeed } from '../../src/drift/needs.ts'
import { driftOfNode, compareProblem } from '../../src/drift/snapshot.ts'
import type { Drift } from '../../src/model/drift.ts'
import type { JsonObject } from '../../src/model/json.ts'
import type { Step as PlannedStep } from '../../src/model/step.ts'
import {
  bring,
  callsBeside,
  changed,
  idsOf,
  install,
  joined,
  ownFolders,
  succeeded,
  token,
} from '../host/course.ts'
import { everyKind } from '../host/every-kind.ts'
import { differences, type JsonRun, trouble } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'
import { drifts, wrongServices } from '../host/by-hand.ts'

const document = everyKind()

scenario('a machine becomes a node, and is one for good', async (t, { host, machine }) => {
  const drive = await machine(document)
  const asked = await host.run('Install', { WhatIf: true })
  t.match(asked, { code: 0, calls: [], writes: 0 })
  const first = await host.run('Install')
  t.equal(first.result.exitCode, 3010, trouble(first.result))
  t.ok(first.result.restart)
  t.strictSame(idsOf(first, 'Waiting'), ['containerd-service', 'containerd-runs', 'image'])

  // The clock is set by some seconds, and with it the start that Windows counts back from it.
  await host.ps('& (Get-Module -Name host) { $script:Machine.Boot += 20 }')
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
  const rotates = `(Get-Item -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\flanneld\\Parameters').GetValue('AppRotateOnline')`
  t.equal(await host.ps(rotates), 1, 'nssm rotates the log of a service that runs')
  const node = await host.describe()
  t.match(await host.run('Join', { Token: token }), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Test'), { code: 0, calls: [], writes: 0 })
  t.strictSame(differences(node, await host.describe()), [])

  await host.restart()
  const boot = succeeded(await host.run('Install', { Phase: 'boot' }))
  t.strictSame(changed(boot), [
    'external',
    'flanneld-runs',
    'network',
    'kube-proxy-runs',
    'cni-conf',
  ])
  t.match(await host.run('Test'), { code: 0 }, 'and again after a restart')
})

scenario('progress is printed', async (t, { host, machine }) => {
  await machine(document)
  const place = document.steps.findIndex(({ id }) => id === 'kubelet-program') + 1
  const all = document.steps.filter(({ phase }) => phase === 'image').length
  await host.ps(`Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
    & (Get-Module -Name 'WinNode.Loop') { $script:Limit.TellSeconds = 0 }`)
  const first = (await host.talk('Install')).talk.join('\n')
  t.match(
    first,
    /1\/\d+ {2}installing +feature +Containers\n.* changed +feature +.*\n +after a restart/,
  )
  t.match(first, /waiting +image +.*\n +restart pending: feature\n/, 'what it waits for in the end')
  t.match(first, `${place}/${all}  fetching      kubelet-program`)
  t.match(first, `${place}/${all}                0 of 1 MiB`, 'how far a download is')
  t.match(first, /Restart the machine and rerun\.\nExit code 3010\.$/)

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

/** Which script runs the steps of a phase, as drift prints it. */
const remedies: readonly (readonly [phases: RegExp, remedy: string])[] = [
  [/^image$/, 'Run Install-WinNode.ps1 of the current bundle on the node.'],
  [
    /[jJ]oin$/,
    'Run Join-WinNode.ps1 of the current bundle on the node; on a joined node it restores the state.',
  ],
  [
    /^boot$/,
    'Wait for the reconcile loop to restore it; otherwise read the logs in C:\\var\\log\\winnode.',
  ],
]

/** What winnode drift makes of a snapshot of this node. */
function driftSaid({ result }: JsonRun): readonly Drift[] {
  const steps = new Map(document.steps.map((step) => [step.id, step as unknown as PlannedStep]))
  const snapshot = JSON.parse(JSON.stringify(result)) as JsonObject
  const wrong = compareProblem(snapshot)
  if (wrong !== '') throw new Error(wrong)
  return driftOfNode(snapshot, { digest: undefined, name: document.name, steps, files: new Map() })
    .drifts
}

scenario('what is changed by hand is found, and repaired', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  const node = await host.describe()
  const drifted = new Set(drifts.flatMap(([id]) => document.steps.filter((step) => step.id === id)))
  const untouched = new Set(document.steps.map(({ kind }) => kind))
  for (const { kind } of drifted) untouched.delete(kind)
  t.strictSame(
    [...untouched],
    ['windowsFeature', 'vmwareTools', 'pluginNetwork', 'openVSwitch'],
    'every kind has its row; features come below, VMware Tools in windows.test.ts, and a DaemonSet repairs its network',
  )

  for (const [, script] of drifts) await host.ps(`$null = . { ${script} }`)
  const found = await host.run('Test')
  t.equal(found.result.exitCode, 4)
  const wanted = new Set(drifts.flatMap(([id, , also = []]) => [id, ...also]))
  t.strictSame(
    found.result.steps.filter(({ state }) => state !== 'Unchanged').map(({ id }) => id),
    document.steps.map(({ id }) => id).filter((id) => wanted.has(id)),
    'every drift is found',
  )
  t.strictSame(
    driftSaid(found).map(({ id, subject, need, remedy }) => [id, subject, need, remedy]),
    document.steps
      .filter(({ id }) => wanted.has(id))
      .map((step) => {
        const need = stepNeed(step as unknown as PlannedStep)
        const remedy = remedies.find(([phases]) => phases.test(step.phase))?.[1] ?? ''
        const reset = need === 'join' ? ' After a change of the profile, reset the node first.' : ''
        return ['step-differs', `node.json#steps.${step.id}`, need, remedy + reset]
      }),
    'winnode drift explains each of them',
  )
  t.equal((await host.run('Install')).result.exitCode, 3010)
  await host.restart()
  const again = await host.run('Install')
  t.equal(again.result.exitCode, 0, trouble(again.result))
  const rejoined = await host.run('Join', { Token: token })
  t.equal(rejoined.result.exitCode, 0, trouble(rejoined.result))
  // host-local continues with the next address, and kube-proxy gets that one.
  const logs = /containerd\.log|state\.json|cni\\networks\\|kube-proxy\\config|endpoint source-vip/
  t.strictSame(differences(node, await host.describe(), logs), [], 'every drift is repaired')
  const well = await host.run('Test')
  t.match(well, { code: 0 })
  t.strictSame(driftSaid(well), [], 'and winnode drift says so')

  await host.ps(`$key = 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Memory Management'
    $files = @((Get-Item -LiteralPath $key).GetValue('PagingFiles'))
    Set-ItemProperty -LiteralPath $key -Name PagingFiles -Value ([string[]]($files + 'D:\\pagefile.sys 0 0')) -Type MultiString
    Disable-ScheduledTask -TaskName winnode-boot`)
  t.strictSame(
    idsOf(await host.run('Test'), 'Different').toSorted(),
    ['boot-task', 'page-file'],
    'a second page file, and a task that is disabled',
  )
  t.equal((await host.run('Install')).result.exitCode, 3010)
  await host.restart()
  succeeded(await host.run('Install'))
  succeeded(await host.run('Join', { Token: token }))
  t.match(await host.run('Test'), { code: 0 }, 'both are repaired')

  await host.ps(`Uninstall-WindowsFeature -Name Containers; Restart-HostMachine`)
  t.match(idsOf(await host.run('Test', { Phase: 'image' }), 'Different'), ['feature'])
  t.equal((await host.run('Install')).result.exitCode, 3010, 'a feature that was taken away')
  await host.restart()
  succeeded(await host.run('Install'))
})

scenario('a folder that is opened to a user is closed again', async (t, stage) => {
  const { host, machineAfter } = stage
  await machineAfter(install, document)
  const user = 'S-1-5-21-1-2-3-1001'
  const opened = (owner: string) =>
    `$list = Get-Acl -LiteralPath 'C:\\k'
    $list.SetSecurityDescriptorSddlForm('${owner}D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;${user})', 'Owner, Access')
    Set-Acl -LiteralPath 'C:\\k' -AclObject $list`
  // The kubelet creates links in its folders.
  await host.ps(`$null = New-Item -ItemType SymbolicLink -Path 'C:\\k\\link' -Target 'C:\\k\\kubelet.exe'
    ${opened('O:BA')}`)
  const found = await host.run('Test')
  const folder = found.result.steps.find(({ id }) => id === 'folder')
  t.match(folder, { state: 'Different', detail: new RegExp(`list is D:P.*${user}`) })
  t.ok(changed(await host.run('Install')).includes('folder'))
  const list = JSON.stringify(await host.ps(`(Get-Acl -LiteralPath 'C:\\k').Sddl`))
  t.match(list, /O:BAG:SYD:PAI/)
  t.notMatch(list, user)
  await host.ps(opened(`O:${user}`))
  t.equal((await host.run('Install')).result.exitCode, 2, 'one that belongs to a user is refused')
})

/** Commands that register the boot task again, with another setting. */
const otherTask = (part: string): string =>
  `$task = Get-ScheduledTask -TaskName winnode-boot -TaskPath '\\'
  $all = @{ TaskName = 'winnode-boot'; TaskPath = '\\'; Description = $task.Description; Force = $true
    Action = $task.Actions; Trigger = $task.Triggers; Principal = $task.Principal; Settings = $task.Settings }
  ${part}
  $null = Register-ScheduledTask @all`

scenarioOfAll('a start that fails is tried again later', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  const node = await host.describe()
  t.match(
    node['task winnode-boot'],
    `Triggers=[{Delay=; Enabled=True; Kind=MSFT_TaskBootTrigger; Repetition=}, {Enabled=True; Kind=MSFT_TaskTimeTrigger; RandomDelay=PT2M; Repetition={Duration=; Interval=PT30M}}`,
    'the scheduler does not restart a task that failed',
  )
  t.match(
    node['task winnode-boot'],
    /DisallowStartIfOnBatteries=False.*StopIfGoingOnBatteries=False/,
  )
  const spoiled = {
    'one trigger alone': `$all.Trigger = $task.Triggers[0]`,
    'a start that comes late': `$all.Trigger[0].Delay = 'PT9M'`,
    'a trigger that is off': `$all.Trigger[1].Enabled = $false`,
    rare: `$all.Trigger[1].Repetition.Interval = 'PT9H'`,
    'no start on batteries': `$all.Settings.DisallowStartIfOnBatteries = $true`,
  }
  for (const [what, part] of Object.entries(spoiled)) {
    await host.ps(otherTask(part))
    t.strictSame(idsOf(await host.run('Test'), 'Different'), ['boot-task'], `${what}: found`)
    t.strictSame(changed(succeeded(await host.run('Join'))), ['boot-task'], `${what}: repaired`)
    t.strictSame(differences(node, await host.describe(), /state\.json/), [], what)
  }
})

scenarioOfAll('a service in a wrong state becomes right', async (t, { host, machineAfter }) => {
  await machineAfter(install, document)
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

scenario('all failed checks are printed at once', async (t, { host, machine }) => {
  const drive = await machine(document)
  await host.fresh(drive, { Build: 26_100, Revision: 2600 })
  await host.ps(`Set-HostFact -Name FreeSpace -Value 1GB
    Set-HostServiceValue -Name docker -Value ImagePath -Kind String -Data 'C:\\dockerd.exe'
    [WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Control\\Session Manager', 'PendingFileRenameOperations', 'MultiString', @('a', ''))
    $env:SystemDrive = 'D:'`)
  const before = await host.describe()
  const run = await host.run('Install')
  await host.ps(`$env:SystemDrive = 'C:'`)
  t.match(run, { code: 2, writes: 0, result: { exitCode: 2, steps: [] } })
  t.strictSame(callsBeside(run), [])
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
  t.match(trouble(unready.result), /missing: .*flannel\.conf.*kube-proxy\.conf.*no bootstrap token/)

  await host.ps(`Set-HostFact -Name Administrator -Value $false`)
  const unprivileged = await host.run('Install')
  t.match(unprivileged, { code: 2, result: { exitCode: 2, message: /not elevated/ } })
})

scenario('a restart has the exit code that the caller asks for', async (t, { host, machine }) => {
  await machine(document)
  for (const what of ['a step', 'a check'])
    t.match(
      await host.run('Install', { RestartExitCode: 1003 }),
      { code: 1003, result: { exitCode: 1003, restart: true } },
      what,
    )
})

scenarioOfAll('values that are the same, and one that only looks so', async (t, stage) => {
  const { host } = stage
  await stage.machineAfter(install, document)
  await host.ps(`$key = 'HKLM:\\SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Environment'
    $path = (Get-Item -LiteralPath $key).GetValue('Path', '', 'DoNotExpandEnvironmentNames')
    Set-ItemProperty -LiteralPath $key -Name Path -Value $path.Replace('C:\\k', 'c:\\K\\') -Type ExpandString`)
  t.match(
    await host.run('Install'),
    { code: 0, writes: 0 },
    'Windows ignores the case of PATH, and a backslash at the end',
  )
  await host.ps(`$key = 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\winnode'
    $data = (Get-Item -LiteralPath $key).GetValue('EventMessageFile', '', 'DoNotExpandEnvironmentNames')
    Set-ItemProperty -LiteralPath $key -Name EventMessageFile -Value $data -Type String`)
  t.strictSame(changed(succeeded(await host.run('Install'))), ['event-source'], 'another type')
})

scenarioOfAll('a lock that a run holds, and a token alone in a line', async (t, stage) => {
  const { host } = stage
  await stage.machineAfter(install, document)
  // The first run loads the module.
  await host.run('Test')
  await host.ps(`$global:held = & (Get-Module -Name WinNode.Loop) {
    Lock-NodeState -LiteralPath 'C:\\ProgramData\\winnode\\lock' -Seconds 0
  }`)
  try {
    const { result } = await host.run('Suspend', { For: '1h' })
    t.match(result, { exitCode: 1, message: /another winnode run is in progress/ })
  } finally {
    await host.ps('$global:held.Dispose()')
  }
  const line = await host.ps(
    `& (Get-Module -Name WinNode.Loop) { param($Text) Hide-NodeSecret -Text $Text } $with.text`,
    { text: `kubeadm printed ${token}, twice` },
  )
  t.equal(line, 'kubeadm printed <hidden>, twice')
  const check = await host.ps(
    `& (Get-Module -Name WinNode.Loop) {
      param($Text)
      $script:Run = @{ Preflight = @(); Quiet = $true; Secrets = @() }
      Add-NodePreflight -Id engine -Verdict warn -Passed $false -Message $Text
      $script:Run.Preflight[-1].message
    } $with.text`,
    { text: `docker --token ${token}` },
  )
  t.equal(check, 'docker --token <hidden>', 'in what a check found')
})

scenario('an access list is compared without what it inherits', async (t, stage) => {
  const { host } = stage
  await stage.machineAfter(install, document)
  await host.run('Test')
  const compared = (sddl: string) =>
    host.ps(
      '& (Get-Module -Name WinNode.Loop) { param($Sddl) ConvertTo-NodeAccess -Sddl $Sddl } $with.sddl',
      {
        sddl,
      },
    )
  t.equal(
    await compared('O:BAG:SYD:AI(A;OICIID;FA;;;SY)(A;;FA;;;BA)(A;ID;FA;;;BU)'),
    'D:(A;;FA;;;BA)',
  )
  t.equal(await compared('O:S-1-5-18G:SYD:PAI(A;;0x1f01ff;;;S-1-5-18)'), 'D:P(A;;FA;;;SY)')
})
