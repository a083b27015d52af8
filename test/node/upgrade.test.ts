// A node goes from one bundle to the next: programs are replaced in order, and pods are not lost unasked.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { checksOf, needs, renderBundle, writeBundle, type NodeDocument } from '../host/bundle.ts'
import {
  bring,
  changed,
  install,
  joined,
  ownFolders,
  reset,
  stays,
  succeeded,
  token,
} from '../host/course.ts'
import { bundleFiles, everyKind } from '../host/every-kind.ts'
import { differences, tally, trouble } from '../host/host.ts'
import { filesOf, goldenProfiles, renderedMachine, stepOf, versionOf } from '../host/rendered.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'

const document = everyKind()

scenario('an upgrade replaces programs in order', async (t, { host, artifacts, machineAfter }) => {
  const drive = await machineAfter(joined, document)
  const next = everyKind({ kubelet: 'v1.36.1', containerd: '2.3.1' })
  const pod = { metadata: { name: 'web', namespace: 'default' }, labels: {} }
  await host.ps(`Set-HostFact -Name Pods -Value @($with.pod)`, { pod })
  writeBundle(path.join(drive, 'win-node'), next, artifacts, bundleFiles)

  const refused = await host.run('Install')
  t.match(refused, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(refused.result), /drain the node first, or use -Force: default\/web/)

  await host.ps(`Set-HostFact -Name Pods -Value @()`)
  const run = succeeded(await host.run('Install'))
  t.strictSame(changed(run), [
    'containerd-archive',
    ...['kubelet-program', 'kubeadm-program', 'kubectl-program', 'kube-proxy-program'],
    'containerd-runs',
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

scenario('a service with a pending restart', async (t, { host, machineAfter }) => {
  await machineAfter(joined, document)
  await host.ps(`Set-HostServiceValue -Name containerd -Value DeleteFlag -Kind DWord -Data 1
    Set-HostFact -Name Handles -Value @{ containerd = 1 }`)
  const run = await host.run('Install')
  t.equal(run.result.exitCode, 3010, trouble(run.result))
  t.strictSame(
    run.calls.filter((call) => /^Start-Service (containerd|kubelet)/.test(call)),
    [],
    'what needs it waits, too',
  )
  const { result } = await host.run('Test')
  const waits = result.steps.filter((step) => step.restart).map(({ id }) => id)
  t.strictSame(waits, ['containerd-service'], 'not what waited for an earlier restart')
  await host.restart()
  succeeded(await host.run('Install'))
  succeeded(await host.run('Install', { Phase: 'boot' }))
  t.match(await host.run('Test'), { code: 0 })
})

scenarioOfAll('images move to another folder', async (t, { host, machine }) => {
  const given = everyKind()
  const check = {
    ...{ id: 'image-folder', kind: 'imageFolder', phases: ['image'], verdict: 'fail' },
    with: [
      { name: 'root', value: 'C:\\images' },
      { name: 'configuration', value: 'C:\\Program Files\\containerd\\config.toml' },
    ],
  }
  const drive = await machine({ ...given, preflight: [...checksOf(given), check] })
  await joined(host, drive)
  const verdict = async (root: string, flags = {}) => {
    const config = path.join(drive, 'Program Files/containerd/config.toml')
    writeFileSync(config, `version = 3\nroot = ${JSON.stringify(root)}\n`)
    const { result } = await host.run('Install', { WhatIf: true, ...flags })
    return result.preflight.find(({ id }) => id === 'image-folder')
  }
  t.match(await verdict('C:\\images'), { passed: true, message: 'images are in C:\\images' })
  t.match(await verdict('C:\\gone'), { passed: true, message: 'images are in C:\\images' })
  const left = 'images are pulled again to C:\\images; C:\\old is not deleted'
  mkdirSync(path.join(drive, 'old'))
  t.match(await verdict('C:\\old'), { passed: true, message: left })
  const pod = {
    metadata: { name: 'csi', namespace: 'kube-system' },
    labels: { 'pod-template-generation': '1' },
  }
  await host.ps(`Set-HostFact -Name Pods -Value @($with.pod)`, { pod })
  const lost = 'or use -Force: kube-system/csi'
  t.match(await verdict('C:\\old'), { passed: false, message: lost }, 'a DaemonSet’s too')
  t.match(await verdict('C:\\old', { Force: true }), { passed: true, message: lost })
  t.match(await verdict('C:\\images'), { passed: true }, 'which stay where nothing moves')
})

scenario(
  'what needs a Reset on a node that has joined',
  async (t, { host, artifacts, machineAfter }) => {
    const drive = await machineAfter(joined, everyKind())
    const before = await host.describe()
    const refuses = async (next: NodeDocument, why: RegExp): Promise<void> => {
      writeBundle(path.join(drive, 'win-node'), next, artifacts, bundleFiles)
      for (const Force of [false, true]) {
        const run = await host.run('Install', { Force })
        t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
        t.match(trouble(run.result), why)
      }
      t.strictSame(differences(before, await host.describe(), /^path C:\\win-node/), [])
    }
    const older = everyKind({ kubelet: 'v1.35.9', containerd: '2.2.9' })
    const downgrade =
      /containerd\.exe is 2\.3, .* 2\.2, .*kubelet\.exe is 1\.36, .* 1\.35: to downgrade, run Reset/
    await refuses(older, downgrade)
    // The address of a mirror may contain another version.
    const mirrored = JSON.stringify(older).replaceAll(
      '"url":"https:/',
      '$&/mirror.example.com/9.9.9',
    )
    await refuses(JSON.parse(mirrored), downgrade)
    const renamed = JSON.stringify(everyKind()).replaceAll('flannel.4096', 'flannel.4097')
    await refuses(JSON.parse(renamed), /has the network flannel\.4096, .*: run Reset-WinNode\.ps1/)

    writeBundle(path.join(drive, 'win-node'), everyKind(), artifacts, bundleFiles)
    t.notOk('Changed' in tally(succeeded(await host.run('Install')).result), 'its own is taken')
  },
)

/** Calls of a run that stop, replace and start, from its log. */
function courseOf(log: string): readonly string[] {
  const told = /(?:stopping|starting) the service \S+|set (?:archive|download) \S+/g
  return (log.match(told) ?? []).map((line) => line.replace(/(set \w+) .*[\\/]/, '$1 '))
}

scenarioOfAll('a rendered bundle follows another', async (t, { host, artifacts }) => {
  const folder = t.testdir({})
  /** A node with those versions, on a separate drive. */
  const node = async (name: string, kubernetes: string, containerd: string) => {
    const drive = path.join(folder, name, 'c')
    const rendered = render(drive, kubernetes, containerd)
    await host.fresh(drive, { Revision: 9999 })
    bring(drive, needs(rendered, 'filePresent', 'paths') as readonly string[])
    const before = await host.describe()
    await install(host)
    succeeded(await host.run('Join', { Token: token }))
    t.match(await host.run('Test'), { code: 0 })
    return { drive, before, after: await host.describe() }
  }
  const render = (drive: string, kubernetes: string, containerd: string) => {
    const bundle = path.join(drive, 'win-node')
    rmSync(bundle, { recursive: true, force: true })
    const versions = { 'kubernetes.version': kubernetes, 'containerd.version': containerd }
    const flags = Object.entries(versions).flatMap(([name, value]) => ['--set', `${name}=${value}`])
    return renderBundle('ws2022-flannel-overlay', bundle, artifacts, flags)
  }
  const fresh = await node('fresh', '1.34', '2.1')
  const { drive, before, after: old } = await node('old', '1.33', '1.7')

  render(drive, '1.34', '2.1')
  const pods = [
    { metadata: { name: 'web', namespace: 'default' }, labels: {} },
    {
      metadata: { name: 'agent', namespace: 'kube-system' },
      annotations: { 'kubernetes.io/config.source': 'api' },
      labels: { 'controller-revision-hash': 'a', 'pod-template-generation': '1' },
    },
  ]
  await host.ps(`Set-HostFact -Name Pods -Value $with.pods`, { pods })
  const refused = await host.run('Install')
  t.match(refused, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(refused.result), /drain the node first, or use -Force: default\/web$/)
  t.strictSame(differences(old, await host.describe(), /^path C:\\win-node|^pod /), [])

  const log = path.join(drive, 'var/log/winnode/winnode.log')
  const told = readFileSync(log, 'utf8').length
  const forced = succeeded(await host.run('Install', { Force: true }))
  t.strictSame(courseOf(readFileSync(log, 'utf8').slice(told)), [
    // What is fetched first is put in place once nothing uses the old one.
    'set archive containerd-2.1.9-windows-amd64.tar.gz',
    'stopping the service kubelet',
    'stopping the service containerd',
    'set archive crictl-v1.34.0-windows-amd64.tar.gz',
    'set download kubelet.exe',
    'set download kube-log-runner.exe',
    'stopping the service kube-proxy',
    'set download kubectl.exe',
    'set download kubeadm.exe',
    'set download kube-proxy.exe',
    'starting the service containerd',
    'starting the service kubelet',
    'starting the service kube-proxy',
  ])
  t.match(changed(forced), [/^archive-containerd$/, 'archive-crictl', 'download-kubelet'])
  t.ok(changed(forced).includes('file-containerd-config'), 'containerd 2 has another configuration')
  for (const [file, version] of [
    ['k/kubelet.exe', 'v1.34.'],
    ['Program Files/containerd/bin/containerd.exe', 'containerd-2.1.9'],
  ] as const) {
    t.match(readFileSync(path.join(drive, file), 'utf8'), version)
  }
  t.match(forced.result.message, /^the machine has joined: run Join-WinNode\.ps1 again for/)
  await host.ps(`Set-HostFact -Name Pods -Value @()`)
  succeeded(await host.run('Join'))
  await host.ps('Start-Sleep -Seconds 15')
  t.match(await host.run('Test'), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Install'), { code: 0, calls: [], writes: 0 }, 'a second run: no call')
  t.match(await host.describe(), {
    'running containerd': 'Running',
    'running flanneld': 'Running',
    'running kubelet': 'Running',
    'running kube-proxy': 'Running',
  })
  t.strictSame(
    differences(fresh.after, await host.describe()),
    // Pods run in it until they are created again.
    ['image registry.k8s.io/pause:3.10: nothing -> yes'],
    'nothing else of the old one is left',
  )
  await reset(host)
  const own = differences(before, await host.describe(), ownFolders)
  // The bundle itself, and the folders of logs that this kubelet makes and protects, which no step knows.
  const others = /^path C:\\(win-node\\|var\\log\\(pods|containers): )/
  t.strictSame(
    own.filter((line) => !others.test(line)),
    [],
    'back to the first day',
  )
})

for (const profile of goldenProfiles) {
  scenarioOfAll(`${profile} goes to the next minor version`, async (t, { host, artifacts }) => {
    const folder = t.testdir({})
    const at = (name: string) => path.join(folder, name, 'c')
    const somebodyBrings = (node: NodeDocument, drive: string) => {
      const { first, later, texts } = filesOf(node)
      for (const file of [...first, ...later])
        bring(drive, [file], texts[path.win32.basename(file)])
    }
    const becomes = async (drive: string, settings: readonly string[]) => {
      const { node, again } = await renderedMachine({ host, artifacts }, profile, drive, settings)
      somebodyBrings(node, drive)
      const before = await host.describe()
      await install(host)
      await joins()
      return { node, again, before, after: await host.describe() }
    }
    const joins = async () => {
      succeeded(await host.run('Join', { Token: token }))
      // The kubelet starts the pods of DaemonSets then, and these make their networks.
      await host.ps('Add-HostFirstPod; Start-Sleep -Seconds 60')
    }
    const { node: asked } = await renderedMachine({ host, artifacts }, profile, at('asked'))
    const [was, next] = stepOf(versionOf(asked))
    const fresh = await becomes(at('fresh'), next)
    const { again, before } = await becomes(at('old'), was)

    const gitVersion = `v${versionOf(fresh.node)}`
    await host.ps('Set-HostObject -Path /version -Value @{ gitVersion = $with.gitVersion }', {
      gitVersion,
    })
    again(next)
    const pod = { metadata: { name: 'web', namespace: 'default' }, labels: {} }
    await host.ps(`Set-HostFact -Name Pods -Value @($with.pod)`, { pod })
    t.match(await host.run('Install'), { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
    succeeded(await host.run('Install', { Force: true }))
    await host.ps(`Set-HostFact -Name Pods -Value @()`)
    await joins()
    const test = await host.run('Test')
    t.match(test, { code: 0, calls: [], writes: 0 }, trouble(test.result))
    const without = (known: readonly RegExp[], lines: readonly string[]) =>
      lines.filter((line) => !known.some((one) => one.test(line)))
    const upgraded = differences(fresh.after, await host.describe())
    t.strictSame(without([sandbox, made, endpoint], upgraded), [], 'nothing of the old one is left')

    await reset(host)
    const left = differences(before, await host.describe(), ownFolders)
    t.strictSame(without([...stays, spent, sandbox], left), [], 'back to the first day')
    t.match(await host.run('Reset'), { code: 0, calls: [], writes: 0 }, 'and nothing more to do')
    await host.ps(`[WinNodeHost.ApiServer]::Paths() | Where-Object { $_ -match '^/api/v1/nodes/(?!linux)' } |
      ForEach-Object { [WinNodeHost.ApiServer]::Remove($_) }`)
    somebodyBrings(fresh.node, at('old'))
    await install(host)
    await joins()
    const anew = differences(fresh.after, await host.describe())
    t.strictSame(without([sandbox, made, endpoint, memory], anew), [], 'as on a bare machine')
  })
}

/** In which pods may still run. */
const sandbox = /^image .*\bpause:\S+: nothing -> yes$/

/** Made for each machine: a pair of keys, a certificate that signs Open vSwitch's driver, the time that Calico saw. */
const made =
  /^(path C:\\etc\\kubernetes\\kube-proxy\.(crt|key)|path C:\\openvswitch\\driver\\package\.cer|registry SOFTWARE\\(Microsoft\\SystemCertificates\\(ROOT|TrustedPublisher)|Tigera\\Calico LastBootTime).*): /

/** An endpoint of a network has another id each time. */
const endpoint = /^endpoint [\da-f-]{36}: (\w+ -> nothing|nothing -> \w+)$/

/** It names HNS networks by ids, which are others each time. */
const memory = /^path C:\\ProgramData\\winnode\\state\.json: /

/** Provided credentials work for one join. */
const spent = /^path C:\\etc\\kubernetes\\bootstrap-kubelet\.conf: \S+ -> nothing$/
