// What Windows and its PowerShell do otherwise than the machine that tests run on: files, links, commands, languages.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { checksOf, writeBundle } from '../host/bundle.ts'
import { bring, callsBeside, install, joined, reset, succeeded, token } from '../host/course.ts'
import { foreignAgents } from '../../src/matrix/foreign-agents.ts'
import { bundleFiles, credentials, everyKind, nodeDocument, plugins } from '../host/every-kind.ts'
import { differences, tally, trouble } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'

const document = everyKind()
const kubelet = document.steps.filter(({ id }) => id === 'kubelet-program')
const stranger = 'S-1-5-21-1-2-3-1001'

/** Gives a file an owner and an access list. */
const own = (file: string, sddl: string): string => `$list = Get-Acl -LiteralPath '${file}'
  $list.SetSecurityDescriptorSddlForm('${sddl}', 'Owner, Access')
  Set-Acl -LiteralPath '${file}' -AclObject $list`

const sddlOf = (file: string): string => `"$((Get-Acl -LiteralPath '${file}').Sddl)"`

scenarioOfAll('an access list does not stay with a program', async (t, { host, machine }) => {
  await machine(document)
  const file = 'C:\\k\\kubelet.exe'
  await host.ps(`$null = New-Item -ItemType Directory -Path 'C:\\k'
    Set-Content -LiteralPath '${file}' -Value 'program mine'
    ${own(file, `O:BAD:P(A;;FA;;;BA)(A;;FR;;;${stranger})`)}`)
  const before = await host.ps<string>(sddlOf(file))
  await install(host)
  const list = await host.ps<string>(sddlOf(file))
  t.notMatch(list, stranger, 'only SYSTEM and Administrators may read it')
  t.match(list, 'D:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)', 'it has what its folder hands down')
  await host.run('Reset')
  t.match(before, `(A;;FR;;;${stranger})`)
  t.match(await host.ps<string>(sddlOf(file)), `(A;;FR;;;${stranger})`, 'Reset gives it back')
})

scenarioOfAll('files that are read-only are replaced', async (t, { host, machine }) => {
  const drive = await machine(document)
  const file = 'C:\\Program Files\\containerd\\config.toml'
  await host.ps(`$null = New-Item -ItemType Directory -Path 'C:\\Program Files\\containerd' -Force
    Set-Content -LiteralPath '${file}' -Value 'mine'
    # As copied from a disc.
    foreach ($one in '${file}', 'C:\\win-node\\files\\containerd\\config.toml') {
      (Get-Item -LiteralPath $one).IsReadOnly = $true
    }`)
  await install(host)
  const placed = path.join(drive, 'Program Files/containerd/config.toml')
  t.equal(readFileSync(placed, 'utf8'), bundleFiles['files/containerd/config.toml'])
})

scenario(
  'a service that hangs fails the run, which does not hang',
  async (t, { host, machineAfter }) => {
    await machineAfter(joined, document)
    await host.ps(`Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program other'
    Set-HostFact -Name Hanging -Value @('kubelet')`)
    const run = await host.run('Install')
    t.equal(run.result.exitCode, 1)
    t.match(trouble(run.result), /kubelet-program Failed: the service kubelet did not stop/)
    await host.ps(`Set-HostFact -Name Hanging -Value @()`)
    succeeded(await host.run('Install'))
    t.equal(await host.ps(`"$((Get-Service -Name kubelet).Status)"`), 'Running')

    const hangs = async (on: string, change: string): Promise<string> => {
      await host.ps(`${change}; Add-HostFault -On $with.on -Hangs 7200`, { on })
      return trouble((await host.run('Install')).result)
    }
    const peers = 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\W32Time\\Parameters'
    t.match(
      await hangs(
        'Restart-Service W32Time',
        `Set-ItemProperty '${peers}' -Name NtpServer -Value x`,
      ),
      'time Failed: the service W32Time did not restart within 60 s',
    )
    const start = await hangs(
      'Start-Service kubelet',
      `Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program third'`,
    )
    t.match(start, 'the service kubelet did not start within')
  },
)

scenario('a program that still runs is replaced, and again', async (t, stage) => {
  const { host, machine, artifacts } = stage
  const drive = await machine(document)
  const file = 'C:\\Program Files\\containerd\\bin\\containerd.exe'
  await joined(host, drive)
  const held = [file]
  for (const containerd of ['2.3.1', '2.3.2']) {
    // Shims of pods that were not drained.
    await host.ps(`Set-HostFact -Name Held -Value @($with.held)`, { held })
    held.push(`${file}.winnode-old`)
    const next = everyKind({ kubelet: 'v1.36.0', containerd })
    writeBundle(path.join(drive, 'win-node'), next, artifacts, bundleFiles)
    succeeded(await host.run('Install'))
  }
  const lines = await host.describe()
  const left = Object.keys(lines)
    .filter((line) => line.includes('.winnode-old'))
    .sort()
  t.strictSame(left, [`path ${file}.winnode-old`, `path ${file}.winnode-old1`], 'both still run')
  await host.ps(`Set-HostFact -Name Held -Value @()`)
  succeeded(await host.run('Join', { Token: token }))
  await host.run('Reset')
  t.notMatch(JSON.stringify(await host.describe()), 'winnode-old', 'and both go in the end')
})

scenarioOfAll('a scanner holds a fresh file for a moment', async (t, { host, machine }) => {
  await machine(nodeDocument(kubelet))
  await host.ps(`$null = New-Item -ItemType Directory -Path 'C:\\k'
    Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program mine'
    Add-HostFault -On ReplaceFile -Message 'Unable to remove the file to be replaced.' -Times 3`)
  t.equal(trouble(succeeded(await host.run('Install')).result), '')
  await host.ps(`Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program mine'
    Add-HostFault -On ReplaceFile -Message 'Unable to remove the file to be replaced.' -Times 99`)
  t.match(
    trouble((await host.run('Install')).result),
    'C:\\k\\kubelet.exe: cannot be replaced: Unable to remove the file to be replaced',
  )
  await host.ps(`Add-HostFault -On ReplaceFile -Times 0`)
  succeeded(await host.run('Install'))
})

scenarioOfAll('a log that cannot be written stops nothing', async (t, { host, machine }) => {
  const drive = await machine(nodeDocument(kubelet))
  const log = path.join(drive, 'var/log/winnode/winnode.log')
  mkdirSync(path.dirname(log), { recursive: true })
  writeFileSync(`${log}.1`, 'an earlier one')
  writeFileSync(log, '.'.repeat(11 * 1024 * 1024))
  await host.ps(`Add-HostFault -On ReplaceFile -Message 'It is in use.' -Times 5`)
  succeeded(await host.run('Install'))
  t.equal(readFileSync(`${log}.1`, 'utf8'), 'an earlier one', 'a reader keeps it from its new name')
  succeeded(await host.run('Install'))
  t.match(readFileSync(`${log}.1`, 'utf8'), /^\.{9}/, 'a later run finds it free')
  rmSync(log)
  // Access is denied, as it is to a file that is read-only.
  mkdirSync(log)
  succeeded(await host.run('Install'))
})

/** Damaged state files, by their message. */
function spoiled(whole: string): Readonly<Record<string, string>> {
  const but = (change: object) => JSON.stringify({ ...JSON.parse(whole), ...change })
  return {
    'invalid JSON': whole.slice(0, 100),
    'invalid JSON after character 0': '',
    'invalid JSON: duplicate key joined': whole.replace('"joined":', '"joined": false, "joined":'),
    'it is not an object': 'null',
    'its kind is not NodeState': '{}',
    'its apiVersion is winnode/v3, expected winnode/v2': but({ apiVersion: 'winnode/v3' }),
    'unknown field later': but({ later: {} }),
    'its field joined is invalid': but({ joined: 'false' }),
    'its field folders is invalid': but({ folders: ['C:\\k', 1] }),
    'its field before is invalid': but({ before: [] }),
    'its entry before.path x is invalid': but({
      before: { 'path x': { step: { kind: 'x' }, was: null } },
    }),
    'its entry receipts.x is invalid': but({ receipts: { x: { files: [] } } }),
  }
}

scenarioOfAll('the last good memory is kept', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(install, document)
  const memory = path.join(drive, 'ProgramData/winnode/state.json')
  const before = readFileSync(memory, 'utf8')
  succeeded(await host.run('Suspend', { For: '2h' }))
  t.equal(readFileSync(`${memory}.good`, 'utf8'), before, 'as it was before the run')
  succeeded(await host.run('Install'))
  writeFileSync(memory, '{')
  const { result } = await host.run('Install')
  t.match(
    result.message,
    /state\.json\.good is the version before .* copy it to C:\\ProgramData\\winnode\\state\.json/,
  )
  await host.ps(
    `Copy-Item -LiteralPath 'C:\\ProgramData\\winnode\\state.json.good' -Destination 'C:\\ProgramData\\winnode\\state.json' -Force`,
  )
  t.notOk('Changed' in tally(succeeded(await host.run('Install')).result))
  await reset(host)
  t.strictSame(
    readdirSync(path.dirname(memory)).filter((name) => name !== 'lock'),
    [],
    'nothing is left of it',
  )
  for (const end of ['.winnode-new', '.good.winnode-new']) writeFileSync(`${memory}${end}`, '{')
  await reset(host)
  t.strictSame(
    readdirSync(path.dirname(memory)).filter((name) => name !== 'lock'),
    [],
    'nor of a run that was killed while it wrote its first version',
  )
})

scenarioOfAll('the memory survives a cut while it is replaced', async (t, { host, machine }) => {
  const drive = await machine(document)
  const before = await host.describe()
  await install(host)
  const memory = path.join(drive, 'ProgramData/winnode/state.json')
  renameSync(memory, `${memory}.winnode-old`)
  t.notOk('Changed' in tally((await host.run('Install')).result), 'receipts are known')
  renameSync(`${memory}.winnode-old`, memory)
  const whole = readFileSync(memory, 'utf8')
  for (const [says, text] of Object.entries(spoiled(whole))) {
    writeFileSync(memory, text)
    const found = await host.describe()
    const message = new RegExp(
      `C:\\\\ProgramData\\\\winnode\\\\state\\.json cannot be used: ${says}`,
    )
    const { result } = await host.run('Reset')
    t.match(result, { exitCode: 2, steps: [] }, says)
    t.match(result.message, message)
    t.match(await host.run('Install'), { code: 2, calls: [], writes: 0 }, says)
    t.match((await host.run('Test')).result, { exitCode: 6, message }, says)
    t.strictSame(await host.describe(), found, 'it is left for a person to look at')
  }
  writeFileSync(memory, whole)
  writeFileSync(`${memory}.winnode-old`, 'what another program holds')
  for (let restart = true; restart;) {
    ;({ restart } = (await host.run('Reset', { RemoveFeature: true })).result)
    if (restart) await host.restart()
  }
  const rest = /\\(var|ProgramData\\winnode)(\\(log|log\\winnode|lock))?(\\winnode\.log)?$/
  t.strictSame(differences(before, await host.describe(), rest), [], 'and it leaves with Reset')
})

scenarioOfAll('links in the data of pods', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  const volume = path.join(drive, 'Users/volume')
  const pod = path.join(drive, 'var/lib/kubelet/pods/1/volumes')
  mkdirSync(volume)
  mkdirSync(path.join(pod, '..2026'), { recursive: true })
  writeFileSync(path.join(volume, 'data'), 'of a user')
  writeFileSync(path.join(pod, '..2026/token'), 'of a pod')
  symlinkSync(volume, path.join(pod, 'mount'))
  symlinkSync('..2026', path.join(pod, '..data'))
  symlinkSync('..data/token', path.join(pod, 'token'))
  await host.ps(
    `(Get-Item -LiteralPath 'C:\\var\\lib\\kubelet\\pods\\1\\volumes\\..2026\\token').IsReadOnly = $true`,
  )
  const { result } = await host.run('Reset', { RemoveData: true })
  t.match(trouble(result), '')
  t.equal(result.steps.find(({ id }) => id === 'var-lib-kubelet')?.state, 'Changed')
  t.notOk(await host.ps(`Test-Path -LiteralPath 'C:\\var\\lib\\kubelet'`), 'the links are gone')
  t.equal(readFileSync(path.join(volume, 'data'), 'utf8'), 'of a user', 'what they led to is not')
})

scenarioOfAll('the check of an image follows no links', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(install, document)
  const named = async () => {
    const { result } = await host.run('Test', { Phase: 'image', Image: true })
    return String(result.preflight.find(({ id }) => id === 'image-name')?.message)
  }
  const volume = path.join(drive, 'Users/volume')
  const link = path.join(drive, 'var/lib/kubelet/volume')
  mkdirSync(volume, { recursive: true })
  mkdirSync(path.dirname(link), { recursive: true })
  writeFileSync(path.join(volume, 'data'), 'name: NODE-A')
  symlinkSync(volume, link)
  t.notMatch(await named(), 'volume')
  rmSync(link)
  renameSync(volume, link)
  t.match(await named(), 'C:\\var\\lib\\kubelet\\volume\\data')
})

/** A command that is a function in 5.1, and the step that calls it. */
const functions = {
  'Add-MpPreference': 'defender',
  'New-NetFirewallRule': 'firewall',
  'Register-ScheduledTask': 'boot-task',
}

scenarioOfAll('a function of Windows that fails stops its step', async (t, { host, machine }) => {
  for (const [name, id] of Object.entries(functions)) {
    const steps = document.steps.filter((step) => step.id === id)
    await machine(nodeDocument(steps.map((step) => ({ ...step, phase: 'image' }))))
    await host.ps('Add-HostFault -On $with.name -Message $with.name', { name })
    const { result, errors } = await host.run('Install')
    t.match(result.steps, [{ id, state: 'Failed', detail: name }], 'in its own words')
    t.strictSame(errors, [], 'and in none beside the JSON')
  }
  await machine(document)
  await host.ps(`Add-HostFault -On Get-MpPreference -Message 'Defender is off' -Times 9`)
  const { result, errors } = await host.run('Test')
  t.match(result.steps.find(({ id }) => id === 'defender')?.detail, /Defender is not active/)
  t.strictSame(errors, [])
})

scenario('services that are starting or stopping', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  const pending = (script: string): Promise<string> =>
    host.ps(`Set-HostSwitch -Name StopSeconds -Value 8
      ${script}
      "$(@(Get-Service | Where-Object -FilterScript { $_.Status -like '*Pending' } |
            ForEach-Object -Process { "$($_.Name) $($_.Status)" }) -join ', ')"`)
  const stops = 'Stop-Service -Name kubelet -Force -NoWait'
  t.equal(await pending(stops), 'kubelet StopPending')
  const again = await host.run('Join', { Token: token })
  t.equal(again.result.exitCode, 0, `started once it has stopped: ${trouble(again.result)}`)
  const both = await pending(
    `Stop-Service -Name flanneld -Force; Start-HostDaemon -Name flanneld; ${stops}`,
  )
  t.equal(both, 'flanneld StartPending, kubelet StopPending')
  const { result } = await host.run('Reset')
  t.equal(result.exitCode, 3010, `stopped once they can be: ${trouble(result)}`)
})

scenario('an exclusion that Defender does not show', async (t, { host, machine }) => {
  const added = document.steps.filter(({ kind }) => kind === 'defenderExclusion')
  for (const policy of ['hides', 'ignores']) {
    await machine(nodeDocument(added.map((step) => ({ ...step, phase: 'image' }))))
    await host.ps('Set-HostFact -Name ExclusionPolicy -Value $with.policy', { policy })
    const { result, calls } = await host.run('Install')
    t.match(result, { exitCode: 0, steps: added.map(() => ({ state: 'Changed' })) }, policy)
    t.equal(calls.filter((call) => call.startsWith('Add-MpPreference')).length, added.length)
    const again = await host.run('Install')
    t.match(
      again.result.steps,
      added.map(() => ({ state: 'Unchanged', detail: /not list/ })),
      'once',
    )
    t.match(await host.run('Test'), { result: { exitCode: 0 } })
    const { calls: last } = await host.run('Reset')
    t.equal(last.filter((call) => call.startsWith('Remove-MpPreference')).length, added.length)
  }
  await machine(nodeDocument(added.map((step) => ({ ...step, phase: 'image' }))))
  await host.run('Install')
  await host.ps(`Set-HostFact -Name ExclusionPolicy -Value hides`)
  t.match(await host.run('Test'), { result: { exitCode: 0 } }, 'the policy came after Install')
})

scenario('a service of another program is restored', async (t, { host, machine }) => {
  const drive = await machine(document)
  await host.ps(
    `$null = New-Service -Name kube-proxy -BinaryPathName 'C:\\other.exe' -StartupType Manual`,
  )
  const before = await host.describe()
  await joined(host, drive)
  const { result } = await host.run('Reset')
  t.equal(
    result.steps.find(({ id }) => id === 'kube-proxy-service')?.state,
    'Changed',
    trouble(result),
  )
  const names = Object.keys(before).filter((name) => name.includes('Services\\kube-proxy'))
  const after = await host.describe()
  t.ok(names.length > 0)
  for (const name of names) t.equal(after[name], before[name], name)
  t.notMatch(Object.keys(after).join('\n'), /Services\\kube-proxy\\?\W+Description/)
})

scenarioOfAll('a report where nothing is installed', async (t, { host, machine }) => {
  const drive = await machine(document)
  bring(drive)
  const secret = 'dXNlcjpwbGFudGVk'
  const log = path.join(drive, 'var/log/containerd/containerd.log')
  mkdirSync(path.dirname(log), { recursive: true })
  // The report takes the end of a log: the first line of this block was in what is left out.
  const half = `${'c2VjcmV0'.repeat(8)}\nc2hvcnQ=\n-----END RSA PRIVATE KEY-----\n`
  const endless = '_'.repeat(20_000)
  writeFileSync(log, `${half}${endless}\nAUTHORIZATION: Basic ${secret}\n`)
  // In Turkish, the small letter of I is another one.
  const text = await host.ps<string>(
    `[cultureinfo]::CurrentCulture = 'tr-TR'
    try { (& 'C:\\win-node\\Export-WinNodeReport.ps1' -AsJson 6>$null) -join '' } finally { [cultureinfo]::CurrentCulture = '' }`,
  )
  t.match(JSON.parse(text), { exitCode: 0 })
  const report = readFileSync(path.join(drive, 'var/log/winnode/winnode-report.json'), 'utf8')
  t.match(report, /AUTHORIZATION: Basic <hidden>/)
  for (const part of [secret, 'c2VjcmV0', 'c2hvcnQ=']) t.notMatch(report, part)
  t.match(report, endless, 'a line without an end is read in time')
  t.notOk(await host.ps(`Test-Path -LiteralPath 'C:\\ProgramData\\winnode'`), 'it keeps no memory')
})

scenario('downloads go through the proxy of the bundle', async (t, { host, machine }) => {
  const environment = [
    { name: 'HTTPS_PROXY', value: { text: 'http://proxy.example.com:3128' } },
    { name: 'NO_PROXY', value: { text: '10.0.0.0/8, .example.com' } },
  ]
  await machine({
    ...document,
    steps: document.steps.map((step) =>
      step['name'] === 'containerd' && step.kind === 'service' ? { ...step, environment } : step,
    ),
  })
  const proxies = await host.ps(`$env:HTTPS_PROXY = 'http://other.example.com:1'
    Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
    try {
      & (Get-Module -Name 'WinNode.Loop') {
        Open-NodeRun -Path 'C:\\win-node'
        function Get-Way {
          param([uri] $Uri)
          $proxy = Get-NodeProxy -Uri $Uri
          if ($null -eq $proxy) { 'as Windows says' } elseif ($proxy.IsBypassed($Uri)) { 'direct' } else { "$($proxy.GetProxy($Uri))" }
        }
        foreach ($url in 'https://dl.k8s.io/v1', 'https://127.0.0.1/v1', 'https://mirror.example.com/v1') { Get-Way -Uri $url }
        $script:Run.Document['steps'] = @()
        Get-Way -Uri 'https://dl.k8s.io/v1'
        $env:HTTPS_PROXY = $null
        Get-Way -Uri 'https://dl.k8s.io/v1'
        $env:NO_PROXY = 'k8s.io'
        Get-Way -Uri 'https://dl.k8s.io/v1'
        Close-NodeRun
      }
    } finally { $env:HTTPS_PROXY = $env:NO_PROXY = $null }`)
  t.strictSame(proxies, [
    'http://proxy.example.com:3128/',
    // Not through functions of Windows, either.
    'direct',
    'direct',
    'http://other.example.com:1/',
    'as Windows says',
    'direct',
  ])
})

scenario('what goes through no proxy', async (t, { host, machine }) => {
  await machine(document)
  const exempt = [
    ['https://10.1.2.3/v1', '10.0.0.0/8', true],
    ['https://11.1.2.3/v1', '10.0.0.0/8', false],
    ['https://10.1.2.3/v1', '10.0.0.0/33', false],
    ['https://ten.example.com/v1', '10.0.0.0/8', false],
    ['https://10.1.2.3/v1', '10.1.2.3', true],
    ['https://a.example.com/v1', '.example.com', true],
    ['https://example.com/v1', '.example.com', false],
    ['https://example.com/v1', 'EXAMPLE.com', true],
    ['https://notexample.com/v1', 'example.com', false],
    ['https://a.example.com/v1', '*.example.com', true],
    ['https://a.example.com/v1', 'example.com:443', true],
    ['https://a.example.com/v1', 'example.com:8443', false],
    ['https://[fd00::1]:8443/v1', '[fd00::1]:8443', true],
    ['https://a.example.com/v1', '', false],
    ['https://a.example.com/v1', '*', true],
  ] as const
  const found = await host.ps(
    `Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
    & (Get-Module -Name 'WinNode.Loop') {
      param($Pairs)
      foreach ($pair in $Pairs) { Test-NodeProxyException -Uri $pair[0] -Entry $pair[1] }
    } $with.exempt`,
    { exempt },
  )
  t.strictSame(
    found,
    exempt.map(([, , yes]) => yes),
  )
})

scenarioOfAll('other agents are named', async (t, { host, machine }) => {
  await machine(document)
  const theirs = 'C:\\Program Files\\Kubernetes\\kubelet.exe'
  await host.ps(
    `foreach ($name in 'rke2', 'kubelet') { Set-HostServiceValue -Name $name -Value ImagePath -Kind String -Data $with.theirs }`,
    { theirs },
  )
  const run = await host.run('Install')
  t.match(run, { writes: 0, result: { exitCode: 2, steps: [] } })
  t.strictSame(callsBeside(run), [])
  t.match(trouble(run.result), `other services found: rke2, kubelet (${theirs})`)
  for (const { service } of foreignAgents) {
    await machine(document)
    await host.ps(
      `Set-HostServiceValue -Name $with.service -Value ImagePath -Kind String -Data 'C:\\x.exe'`,
      { service },
    )
    const { result } = await host.run('Install')
    t.match([result.exitCode, trouble(result)], [2, `other services found: ${service}`], service)
  }
})

scenarioOfAll('Hyper-V where there is no nested virtualization', async (t, { host, machine }) => {
  const [feature] = document.steps.filter(({ id }) => id === 'feature')
  const hyperV = nodeDocument([{ ...feature, name: 'Hyper-V' } as (typeof document.steps)[number]])
  // It is not documented whether Server Manager then reports it as installed.
  for (const sees of [false, true]) {
    await machine(hyperV)
    await host.ps(
      `Set-HostFact -Name Virtualises -Value $false; Set-HostFact -Name SeesParts -Value $with.sees`,
      { sees },
    )
    const { result } = await host.run('Install')
    t.equal(result.exitCode, 1)
    const told = trouble(result)
    t.match(told, 'The processor does not have required virtualization capabilities')
    const commands = [...told.matchAll(/dism (\/online [^,]* \/NoRestart)/g)].map(
      ([, words]) => words,
    )
    t.equal(commands.length, 2, 'what to do is said')
    for (const words of commands) {
      await host.ps(`$null = Invoke-HostProgram -Name dism -Argument $with.words.Split(' ')`, {
        words,
      })
    }
    t.match(await host.run('Install'), { result: { exitCode: 3010, restart: true } })
    await host.restart()
    t.match(await host.run('Install'), { calls: [], writes: 0, result: { exitCode: 0 } })
    t.match(await host.run('Test'), { code: 0 })
    await reset(host)
    t.match(await host.describe(), { 'part Microsoft-Hyper-V': 'Enabled' }, 'not ours to take away')
  }
})

scenarioOfAll('a policy of the domain is left as it is', async (t, { host, machine }) => {
  const only = nodeDocument(document.steps.filter(({ id }) => id === 'policy'))
  const key = 'HKLM:\\SOFTWARE\\Policies\\Microsoft\\Windows\\WindowsUpdate\\AU'
  const rows = [
    { domain: 'corp.example', before: 0, after: 0 },
    { domain: 'corp.example', before: null, after: 1 },
    { domain: '', before: 0, after: 1 },
  ]
  for (const row of rows) {
    await machine(only)
    await host.ps(
      `Set-HostFact -Name Domain -Value $with.domain
       if ($null -ne $with.before) {
         $null = New-Item -Path $with.key -Force
         $null = New-ItemProperty -LiteralPath $with.key -Name NoAutoUpdate -PropertyType DWord -Value $with.before
       }`,
      { ...row, key },
    )
    t.match(await host.run('Install'), { result: { exitCode: 0 } })
    const read = `(Get-Item -LiteralPath $with.key).GetValue('NoAutoUpdate', $null)`
    t.equal(await host.ps(read, { key }), row.after, JSON.stringify(row))
    const { code, result } = await host.run('Test')
    t.equal(code, 0)
    const left = row.after === 0 ? /left as it is, because a Group Policy of the domain/ : /^$/
    t.match(result.steps.find(({ id }) => id === 'policy')?.detail ?? '', left)
  }
})

const toolsConf = 'C:\\ProgramData\\VMware\\VMware Tools\\tools.conf'

scenarioOfAll('tools.conf keeps what others wrote', async (t, { host, machine }) => {
  const write = `$null = New-Item -Path 'C:\\ProgramData\\VMware\\VMware Tools' -ItemType Directory -Force
    [System.IO.File]::WriteAllText((Convert-Path -LiteralPath 'C:\\ProgramData\\VMware\\VMware Tools') + '/tools.conf', $with.text)`
  const read = `[System.IO.File]::ReadAllText((Convert-Path -LiteralPath '${toolsConf}'))`
  const steps = document.steps.filter(({ id }) => id === 'vmware')
  const setting = 'exclude-nics=vEthernet (*_ep)'
  const rows = [
    ['', `[guestinfo]\r\n${setting}\r\n`],
    [
      '# mine\n[logging]\nlog=true\n\n[guestinfo]\npoll-interval=30\nexclude-nics=veth*\n[powerops]\nexclude-nics=1\n',
      `# mine\r\n[logging]\r\nlog=true\r\n\r\n[guestinfo]\r\n${setting}\r\npoll-interval=30\r\n[powerops]\r\nexclude-nics=1\r\n`,
    ],
    ['[logging]\r\nlog=true\r\n', `[logging]\r\nlog=true\r\n[guestinfo]\r\n${setting}\r\n`],
  ] as const
  for (const [text, wanted] of rows) {
    await machine(nodeDocument(steps))
    await host.ps(write, { text })
    t.match(succeeded(await host.run('Install')).result.steps, [
      { id: 'vmware', state: 'Unchanged', detail: 'VMware Tools are not installed' },
    ])
    t.equal(await host.ps(read), text, 'without VMware Tools')
    await host.ps(`$null = New-Service -Name VMTools -BinaryPathName 'C:\\vmtoolsd.exe'`)
    succeeded(await host.run('Install'))
    t.equal(await host.ps(read), wanted)
    t.match(succeeded(await host.run('Install')).result.steps, [{ state: 'Unchanged' }], 'once')
    await reset(host)
    t.equal(await host.ps(read), text, 'Reset restores it')
  }
})

scenario('drive C: takes the rest of its disk', async (t, { host, machine }) => {
  const steps = document.steps.filter(({ id }) => id === 'volume')
  await machine(nodeDocument(steps))
  await host.ps(`Set-HostFact -Name Elsewhere -Value 20GB`)
  t.match(succeeded(await host.run('Install')).result.steps, [
    { id: 'volume', state: 'Unchanged', detail: '20 GiB of the disk are free, but not behind C:' },
  ])
  await host.ps(`Set-HostFact -Name Room -Value 20GB`)
  const { calls, result } = await host.run('Install')
  t.match(result.steps, [{ id: 'volume', state: 'Changed' }], trouble(result))
  t.match(calls, [`Resize-Partition C ${120 * 2 ** 30}`])
  t.match(succeeded(await host.run('Install')).result.steps, [{ state: 'Unchanged' }], 'once')
})

scenarioOfAll('provided files are missing', async (t, { host, machine }) => {
  const ca = 'C:\\k\\mirror-ca.pem'
  const given = everyKind()
  const mirror = {
    ...{ id: 'mirror-files', kind: 'filePresent', phases: ['any'], verdict: 'fail' },
    with: [{ name: 'paths', value: [ca] }],
  }
  const drive = await machine({ ...given, preflight: [...checksOf(given), mirror] })
  const refuses = async (script: 'Install' | 'Join', file: string): Promise<void> => {
    const run = await host.run(script, script === 'Join' ? { Token: token } : {})
    t.match(run, { writes: 0, result: { exitCode: 2, steps: [] } }, `${script}: ${file}`)
    t.strictSame(callsBeside(run), [])
    t.match(trouble(run.result), `missing: ${file}`)
  }
  const differs = async (file: string): Promise<void> => {
    const run = await host.run('Test')
    t.match(run, { code: 4, calls: [], writes: 0, result: { exitCode: 4 } }, `Test: ${file}`)
    t.match(trouble(run.result), `missing: ${file}`)
  }
  await refuses('Install', ca)
  mkdirSync(path.join(drive, 'k/mirror-ca.pem'), { recursive: true })
  await refuses('Install', ca)
  rmSync(path.join(drive, 'k'), { recursive: true })
  bring(drive, [ca])
  await install(host)
  await host.ps(`Remove-Item -LiteralPath '${ca}'`)
  await differs(ca)
  bring(drive, [ca])
  for (const file of credentials.kubeadm) {
    bring(drive)
    await host.ps(`Remove-Item -LiteralPath '${file}'`)
    t.match(await host.run('Test'), { code: 0 }, 'it is not needed before the join')
    await refuses('Join', file)
  }
  bring(drive)
  succeeded(await host.run('Join', { Token: token }))
  for (const file of [ca, ...plugins]) {
    await host.ps(`Remove-Item -LiteralPath '${file}'`)
    await differs(file)
    await refuses('Join', file)
    bring(drive, [file])
  }
  t.match(await host.run('Test'), { code: 0 })
})
