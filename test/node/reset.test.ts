// Whatever happened to a machine, a reset restores the previous state.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { writeBundle, type NodeDocument } from '../host/bundle.ts'
import {
  bring,
  callsBeside,
  install,
  joined,
  ownFolders,
  reset,
  succeeded,
  token,
} from '../host/course.ts'
import { bundleFiles, everyKind, nodeDocument } from '../host/every-kind.ts'
import { differences, tally, trouble } from '../host/host.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'
import { drifts, wrongServices } from '../host/by-hand.ts'
import { sampleOf } from '../tools/everything.ts'

const document = everyKind()
const next = everyKind({ kubelet: 'v1.36.1', containerd: '2.3.1' })

/** The previous state, which is restored. */
const mine = `$null = New-Item -ItemType Directory -Path 'C:\\k'
  Set-Content -LiteralPath 'C:\\k\\kubelet.exe' -Value 'program mine'
  $null = New-NetFirewallRule -Name winnode-kubelet -DisplayName mine -Direction Inbound -Action Block -Enabled False -Protocol TCP -LocalPort 1
  $null = New-Service -Name kube-proxy -BinaryPathName 'C:\\mine.exe --old' -DisplayName mine -StartupType Disabled
  Add-MpPreference -ExclusionProcess 'C:\\mine.exe'`

interface Past {
  readonly what: string
  /** A machine without winnode, one that is installed, or one that has joined. */
  readonly from: 'fresh' | 'image' | 'node'
  readonly happens: (stage: Stage, drive: string) => Promise<unknown>
  /** What stays, beside the folders of winnode itself. */
  readonly stays?: RegExp
}

const byHand =
  (script: string) =>
  ({ host }: Pick<Stage, 'host'>): Promise<unknown> =>
    host.ps(`$null = . { ${script} }`)

const pasts: readonly Past[] = [
  { what: 'nothing', from: 'fresh', happens: () => Promise.resolve() },
  {
    what: 'an installation with a pending restart',
    from: 'fresh',
    happens: async ({ host }) => host.run('Install'),
  },
  {
    what: 'a restart, and nothing after it',
    from: 'fresh',
    happens: async ({ host }) => {
      await host.run('Install')
      await host.restart()
    },
  },
  {
    what: 'a run that was killed while it wrote a derived file',
    from: 'image',
    happens: byHand(
      `Set-Content -LiteralPath 'C:\\etc\\node.json.winnode-made.winnode-new' -Value 'half'`,
    ),
  },
  ...(['missing', 'wrong', 'truncated', 'broken', 'hangUp', 'toHttp'] as const).map(
    (fault): Past => ({
      what: `a download that fails: ${fault}`,
      from: 'fresh',
      happens: async ({ host, artifacts }, drive) => {
        artifacts.spoil(addressOf(drive, 'kubelet-program'), fault)
        const { result } = await host.run('Install')
        if (tally(result)['Failed'] !== 1) throw new Error(`it does not fail: ${trouble(result)}`)
      },
    }),
  ),
  {
    what: 'a disk that is full',
    from: 'fresh',
    happens: async ({ host }) => {
      await host.ps(`Add-HostFault -On 'tar write' -Message 'tar.exe: Write failed'`)
      await host.run('Install')
    },
  },
  {
    what: 'two installations at once',
    from: 'fresh',
    happens: async ({ host }) => {
      await host.run('Install')
      await host.ps(
        `$path = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath('C:\\ProgramData\\winnode\\lock')
        $global:Held = [System.IO.File]::Open($path, 'Open', 'ReadWrite', 'None')`,
      )
      const { result } = await host.run('Install')
      await host.ps('$global:Held.Dispose()')
      if (!result.message.includes('another winnode run')) throw new Error('the lock does not hold')
    },
  },
  { what: 'an installation', from: 'image', happens: () => Promise.resolve() },
  ...Object.entries(wrongServices).map(([what, [script]]): Past => ({
    what: `a service: ${what}`,
    from: 'image',
    happens: byHand(script),
    // Only containerd can remove its images.
    ...(what === 'it is gone' ? { stays: /^image / } : {}),
  })),
  { what: 'a join', from: 'node', happens: () => Promise.resolve() },
  {
    what: 'a restart of the node',
    from: 'node',
    happens: async ({ host }) => {
      await host.restart()
      succeeded(await host.run('Install', { Phase: 'boot' }))
    },
  },
  {
    what: 'a flanneld that keeps ending',
    from: 'node',
    happens: byHand(`Set-HostFact -Name PodSubnet -Value '10.9.3.0/24'
      try { Restart-Service -Name flanneld } catch { "$_" }
      if ((Get-Service -Name flanneld).Status -ne 'Paused') { throw 'nssm does not pause' }`),
  },
  ...drifts.map(([id, script]): Past => ({
    what: `${id} is changed by hand`,
    from: 'node',
    happens: byHand(script),
  })),
  {
    what: 'everything is changed by hand, and repaired',
    from: 'node',
    happens: async ({ host }) => {
      for (const [, script] of drifts) await byHand(script)({ host })
      await install(host)
      succeeded(await host.run('Join', { Token: token }))
    },
  },
  {
    what: 'an upgrade',
    from: 'node',
    happens: async ({ host, artifacts }, drive) => {
      writeBundle(path.join(drive, 'win-node'), next, artifacts, bundleFiles)
      await install(host)
      succeeded(await host.run('Join'))
    },
  },
  {
    what: 'an upgrade that stops halfway',
    from: 'node',
    happens: async ({ host, artifacts }, drive) => {
      writeBundle(path.join(drive, 'win-node'), next, artifacts, bundleFiles)
      artifacts.spoil(addressOf(drive, 'kube-proxy-program'), 'missing')
      const { result } = await host.run('Install')
      if (!result.message.startsWith('stopped until')) throw new Error(trouble(result))
    },
  },
]

function addressOf(drive: string, id: string): string {
  const node: NodeDocument = JSON.parse(
    readFileSync(path.join(drive, 'win-node/node.json'), 'utf8'),
  )
  return String(node.steps.find((step) => step.id === id)?.['url'])
}

scenario('a reset after everything', async (t, stage) => {
  const { host, artifacts, machine } = stage
  const drive = await machine(document)
  bring(drive)
  await host.ps(mine)
  const before = await host.describe()
  const folder = path.dirname(drive)
  const keep = (name: string) =>
    host.ps('Copy-HostMachine -Destination $with.at', { at: path.join(folder, name) })
  await keep('fresh')
  await install(host)
  await keep('image')
  succeeded(await host.run('Join', { Token: token }))
  await keep('node')
  for (const { what, from, happens, stays = /^$/ } of sampleOf(pasts, (_, at) => at % 4 === 0)) {
    await t.test(what, async (t) => {
      const at = path.join(folder, 'now')
      // Access lists are extended attributes, which Node does not copy.
      await host.ps('& /bin/cp -a $with.from $with.at', { from: path.join(folder, from), at })
      await host.restore(at)
      artifacts.heal()
      await happens(stage, path.join(at, 'c'))
      artifacts.heal()
      await reset(host)
      const left = differences(before, await host.describe(), ownFolders)
      t.strictSame(
        left.filter((line) => ![bundle, recovery, stays].some((known) => known.test(line))),
        [],
      )
      rmSync(at, { recursive: true })
    })
  }
})

/** docs/node-side.md names it: recovery actions of a service that existed before. */
const recovery = /^registry SYSTEM\\CurrentControlSet\\Services\\kube-proxy FailureActions/

/** The bundle itself is the caller's. */
const bundle = /^path C:\\win-node\\/

scenarioOfAll('layers on a data disk', async (t, { host, machine }) => {
  const layers = 'C:\\images'
  const disks = nodeDocument(
    [
      {
        kind: 'directory',
        id: 'containerd-root',
        phase: 'image',
        restart: 'never',
        after: [],
        path: layers,
        sddl: 'D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)',
        layers: true,
      },
    ],
    [],
  )
  const checks = ['volume', 'freeDisk'].map((kind) => ({
    id: `data-disk-${kind}`,
    kind,
    phases: ['image'],
    verdict: 'fail',
    with: [
      { name: 'drive', value: 'D:' },
      ...(kind === 'freeDisk' ? [{ name: 'gib', value: 10 }] : []),
    ],
  }))
  const drive = await machine({ ...disks, preflight: checks })
  const disk = (more: string) =>
    host.ps(`Set-HostFact -Name Volumes -Value @(@{ DeviceID = 'D:'; ${more} })`)
  const refused = async (words: string) => {
    const run = await host.run('Install')
    t.match(run, { writes: 0, result: { exitCode: 2 } })
    t.strictSame(callsBeside(run), [])
    t.match(trouble(run.result), words)
  }
  await refused('drive D: not found; attach and format the disk first')
  await disk(`DriveType = 5; FileSystem = 'UDF'; FreeSpace = 90GB`)
  await refused('D: is not a local disk, expected a local disk with NTFS')
  await disk(`DriveType = 3; FileSystem = 'ReFS'; FreeSpace = 90GB`)
  await refused('D: is ReFS, expected a local disk with NTFS')
  await disk(`DriveType = 3; FileSystem = 'NTFS'; FreeSpace = 9GB`)
  await refused('D: has 9 GiB free, expected 10')
  await disk(`DriveType = 3; FileSystem = 'NTFS'; FreeSpace = 90GB`)
  succeeded(await host.run('Install'))
  await host.ps(`Set-Content -LiteralPath '${layers}\\metadata.db' -Value 'of images'`)
  await host.ps(`$null = & 'C:\\win-node\\Export-WinNodeReport.ps1' -AsJson 6>$null`)
  const report = path.join(drive, 'var/log/winnode/winnode-report.json')
  t.match(readFileSync(report, 'utf8'), /"D:",\s*"DriveType": *"3",\s*"FileSystem": *"NTFS"/)
  const run = succeeded(await host.run('Reset', { RemoveData: true }))
  t.match(run.result.steps[0], { state: 'Kept', detail: 'kept: contains metadata.db' })
})

scenario('a reset keeps what may be of use, and names it', async (t, { host, machine }) => {
  const drive = await machine(document)
  bring(drive)
  // The previous state is restored.
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
      ['var-lib-kubelet', 'kept: contains config.yaml, data.txt, instance-config.yaml and 2 more'],
      ['var-lib-cni', 'kept: contains networks'],
      ['run-flannel', 'kept: contains subnet.env'],
      ['feature', 'kept: the feature remains installed'],
    ],
    'what stays is named',
  )
  await host.restart()
  const all = await host.run('Reset', { RemoveData: true, RemoveFeature: true })
  t.equal(all.result.exitCode, 3010, trouble(all.result))
  const early = await host.run('Reset', { RemoveData: true, RemoveFeature: true })
  t.match(early, { calls: [], writes: 0, result: { exitCode: 3010 } }, 'it asks again')
  await host.restart()
  succeeded(await host.run('Reset', { RemoveData: true, RemoveFeature: true }))
  t.strictSame(differences(before, await host.describe(), ownFolders), [])
  const none = await host.run('Reset')
  t.match(none, { calls: [], writes: 0, result: { exitCode: 0 } })
  t.notOk('Changed' in tally(none.result), 'nothing is left to do')
})

scenarioOfAll('a reset from the copy that the task runs', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  const copy = 'C:\\ProgramData\\winnode\\bundle'
  const { result } = await host.run('Reset', { RemoveData: true }, copy)
  t.match(
    result.steps.find(({ id }) => id === 'boot-task'),
    { state: 'Kept', detail: `kept: ${copy} is the bundle of this run` },
  )
  t.ok(existsSync(path.join(drive, 'ProgramData/winnode/bundle/node.json')))
  await reset(host)
  t.notOk(existsSync(path.join(drive, 'ProgramData/winnode/bundle')), 'another one takes it away')
})

/** A node that winnode did not create, with a kubelet, a network, and a load balancer on another network. */
const theirs = `$null = New-Item -ItemType Directory -Path 'C:\\etc\\kubernetes', 'C:\\var\\lib\\kubelet\\pki', 'C:\\secrets'
  Set-Content -LiteralPath 'C:\\etc\\kubernetes\\kubelet.conf' -Value 'theirs'
  Set-Content -LiteralPath 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem' -Value 'theirs'
  Set-Content -LiteralPath 'C:\\secrets\\wanted.txt' -Value 'mine'
  Set-HostFact -Name Networks -Value @(@{ Name = 'flannel.4096'; Type = 'Overlay'; ID = 'id-theirs'; Subnet = '10.244.3.0/24'; ManagementIP = '192.0.2.10' })
  Set-HostFact -Name PolicyLists -Value @(@{ ID = 'theirs'; State = 2; References = @('/endpoints/of-another-network') })`

scenarioOfAll('what winnode did not make stays', async (t, { host, machine }) => {
  const drive = await machine(document)
  await host.ps(theirs)
  const before = await host.describe()
  await host.ps(
    `$null = New-Service -Name kubelet -BinaryPathName 'C:\\theirs.exe' -StartupType Manual; & (Get-Module -Name host) { $script:Machine.Running['kubelet'] = 1 }`,
  )
  const running = await host.describe()
  const bare = await host.run('Reset', { RemoveData: true, RemoveFeature: true })
  t.equal(bare.result.exitCode, 0, trouble(bare.result))
  t.strictSame(callsBeside(bare), [])
  t.strictSame(differences(running, await host.describe(), ownFolders), [], 'nothing was noted')
  await host.ps('Stop-Service -Name kubelet; Remove-HostService -Name kubelet')

  await install(host)
  await reset(host)
  // No network of this kind outlives the restart that an image asks for.
  const gone = new RegExp(`${ownFolders.source}|^network|^policy list`)
  t.strictSame(
    differences(before, await host.describe(), gone),
    [],
    'an image that never joined is not a node of winnode',
  )

  await host.ps(`Remove-Item -LiteralPath 'C:\\etc\\kubernetes\\kubelet.conf'
    Remove-Item -LiteralPath 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem'
    Set-HostFact -Name Networks -Value @()`)
  await joined(host, drive)
  const lists = `Set-HostFact -Name PolicyLists -Value (@(& (Get-Module -Name host) { $script:Machine.PolicyLists }) + @{ ID = 'theirs'; State = 2; References = @('/endpoints/of-another-network') })`
  await host.ps(lists)
  const key = 'HKLM:\\SOFTWARE\\winnode-test'
  await host.ps(`Set-ItemProperty -LiteralPath '${key}' -Name Theirs -Value 1`)
  const { calls } = await host.run('Reset')
  const removed = calls.filter((call) => call.startsWith('Remove-HnsPolicyList'))
  t.ok(removed.length > 0 && !removed.join().includes('theirs'), 'load balancers of others stay')
  t.ok(await host.ps(`Test-Path -LiteralPath '${key}'`), 'a key with a value of others, too')
})

scenarioOfAll('a token file that is none', async (t, { host, machine }) => {
  const planned = (tokenFile: string): NodeDocument => ({
    ...document,
    steps: document.steps.map((step) => (step.id === 'joined' ? { ...step, tokenFile } : step)),
  })
  const drive = await machine(planned('C:\\secrets'))
  await install(host)
  bring(drive)
  await host.ps(`$null = New-Item -ItemType Directory -Path 'C:\\secrets'
    Set-Content -LiteralPath 'C:\\secrets\\wanted.txt' -Value 'mine'`)
  succeeded(await host.run('Join', { Token: token }))
  t.match(
    readFileSync(path.join(drive, 'secrets/wanted.txt'), 'utf8'),
    'mine',
    'a folder is not emptied',
  )

  const own = await machine(planned('C:\\etc\\kubernetes\\kubelet.conf'))
  await install(host)
  bring(own)
  await host.run('Join', { Token: token })
  t.match(
    readFileSync(path.join(own, 'etc/kubernetes/kubelet.conf'), 'utf8'),
    'kubelet-client-current.pem',
    'nor are fresh credentials taken away',
  )

  const program = await machine(planned('C:\\k\\kubelet.exe'))
  await install(host)
  bring(program)
  succeeded(await host.run('Join', { Token: token }))
  t.ok(existsSync(path.join(program, 'k/kubelet.exe')), 'nor is a file of another step')

  const hosts = 'C:\\Windows\\System32\\drivers\\etc\\hosts'
  const windows = await machine(planned(hosts))
  await install(host)
  bring(windows)
  bring(windows, [hosts], `127.0.0.1 localhost\n# ${token}\n`)
  succeeded(await host.run('Join', { Token: token }))
  const file = path.join(windows, 'Windows/System32/drivers/etc/hosts')
  t.match(readFileSync(file, 'utf8'), 'localhost', 'nor is a file that holds more than a token')
})

scenario(
  'a next bundle that has other paths, and less',
  async (t, { host, machine, artifacts }) => {
    const drive = await machine(document)
    const home = path.join(drive, 'win-node')
    const [old, fresh] = ['C:\\old', 'C:\\fresh'] as const
    const config = 'files/containerd/config.toml'
    const step = (folder: string): NodeDocument =>
      nodeDocument(
        document.steps
          .filter(({ id }) =>
            ['containerd-config', 'firewall', 'list', 'path', 'nssm-archive'].includes(id),
          )
          .map((one) => ({
            ...one,
            ...(one.id === 'containerd-config' ? { path: `${folder}\\config.toml` } : {}),
            ...(one.id === 'path' ? { path: folder } : {}),
            ...(one.id === 'nssm-archive'
              ? { members: [{ member: 'nssm/win64/nssm.exe', path: `${folder}\\nssm.exe` }] }
              : {}),
          })),
      )
    const put = (one: NodeDocument) => writeBundle(home, one, artifacts, bundleFiles)
    // A person has files of the same names, before any of this.
    await host.ps(
      `foreach ($folder in $with.folders) {
      $null = New-Item -ItemType Directory -Path $folder
      foreach ($name in 'config.toml', 'nssm.exe') { Set-Content -LiteralPath "$folder\\$name" -Value "mine $folder" }
    }`,
      { folders: [old, fresh] },
    )
    const before = await host.describe()
    put(step(old))
    succeeded(await host.run('Install'))
    const only = step(fresh)
    put({ ...only, steps: only.steps.filter(({ id }) => id !== 'firewall') })
    const { result } = succeeded(await host.run('Install'))
    t.match(
      result.steps
        .slice(-4)
        .map(({ kind, state }) => [kind, state])
        .sort(),
      [
        ['download', 'Changed'],
        ['file', 'Changed'],
        ['firewallRule', 'Changed'],
        ['pathEntry', 'Changed'],
      ],
      'what it no longer has is taken back',
    )
    t.notOk('Changed' in tally(succeeded(await host.run('Install')).result), 'once')
    const textIn = (folder: string) => readFileSync(path.join(drive, folder, 'config.toml'), 'utf8')
    t.match([textIn('old'), textIn('fresh')], [/^mine/, bundleFiles[config]])
    await reset(host)
    const left = differences(before, await host.describe(), ownFolders)
    t.strictSame(
      left.filter((line) => !line.startsWith('path C:\\win-node\\')),
      [],
    )
  },
)

scenarioOfAll(
  'a service that the next bundle has no more',
  async (t, { host, machine, artifacts }) => {
    const drive = await machine(document)
    const before = await host.describe()
    await joined(host, drive)
    const less = {
      ...document,
      steps: document.steps.filter((one) => one['name'] !== 'kube-proxy'),
    }
    writeBundle(path.join(drive, 'win-node'), less, artifacts, bundleFiles)
    const { result } = succeeded(await host.run('Install'))
    t.match(result.message, /left of an earlier bundle until Reset: service kube-proxy/)
    t.match(
      (await host.run('Test')).result.preflight.find(({ id }) => id === 'earlier-bundle'),
      {
        verdict: 'warn',
        passed: false,
        message: /^left of an earlier bundle: service kube-proxy;/,
      },
      'Test names it, too',
    )
    await reset(host)
    const names = Object.keys(await host.describe()).filter((name) =>
      /Services.kube-proxy/.test(name),
    )
    t.strictSame(names, [], 'Reset knows it')
    t.notMatch(JSON.stringify((await host.run('Test')).result), /earlier-bundle/)
    t.ok(before)
  },
)

scenario(
  'a boot setting that is missing by now, or was never made',
  async (t, { host, machine }) => {
    await machine(nodeDocument(document.steps.filter(({ kind }) => kind === 'bootSetting')))
    const before = await host.describe()
    await host.ps(`Add-HostFault -On 'bcdedit /set' -Message 'protected by Secure Boot policy'`)
    t.match((await host.run('Install')).result, { exitCode: 1 })
    await reset(host)
    await install(host)
    await host.ps(`$entry = '{b2721d73-1db4-4c62-bf78-c548a880142d}'
    HostProgram-bcdedit /deletevalue $entry testsigning`)
    await reset(host)
    t.strictSame(differences(before, await host.describe(), ownFolders), [])
  },
)

const withCtr: NodeDocument = {
  ...document,
  steps: document.steps.map((step) =>
    step.id === 'nssm-archive'
      ? {
          ...step,
          members: [...(step['members'] as []), { member: 'ctr.exe', path: 'C:\\k\\ctr.exe' }],
        }
      : step,
  ),
}

scenario('what crictl cannot remove does not keep the rest', async (t, { host, machine }) => {
  const drive = await machine(withCtr)
  await joined(host, drive)
  const content = `Set-HostFact -Name Containers -Value @('one')
    Set-HostFact -Name Snapshots -Value @(@{ Key = 'sha256:a'; Parent = ''; Kind = 'Committed' })`
  const left = `& (Get-Module -Name host) {
    "$($script:Machine.Images.Count) $($script:Machine.Containers.Count) $($script:Machine.Snapshots.Count)" }`
  await host.ps(`Add-HostPod -Name web
    Add-HostFault -On 'crictl rmp' -Message 'the plugin does not answer' -Times 9
    ${content}`)
  t.match((await host.run('Reset')).result.message, /pods or images remain: .*the plugin does not/)
  t.equal(await host.ps(left), '0 0 0', 'only containerd could remove it')
})

scenario('a ctr that hangs does not hold a reset for ever', async (t, { host, machine }) => {
  const drive = await machine(withCtr)
  await joined(host, drive)
  await host.ps(`Add-HostFault -On 'ctr -n' -Hangs 9000`)
  const { result } = await host.run('Reset')
  t.match(result.message, 'ctr.exe: no answer within 3600 s')
})
