// kubeadm in a join: its words, what of them is tried again, and a kubeadm that somebody else runs.
import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  bring,
  changed,
  idsOf,
  install,
  joined,
  joins,
  kubeadmElsewhere,
  phase,
  ready,
  reset,
  signs,
  succeeded,
  token,
  what,
} from './host/course.ts'
import { bundleFiles, everyKind, plugins } from './host/every-kind.ts'
import { sha256 } from './host/bundle.ts'
import { trouble } from './host/host.ts'
import { scenario } from './host/stage.ts'
import { root } from './tools/run.ts'

scenario('an API server that goes away while kubeadm asks', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  await host.ps(`Add-HostDue -After 0.1 -Name gone -Subject ''
    & (Get-Module -Name host) { $script:Happening['gone'] = { Stop-HostApi -For 310 } }`)
  const { talk } = await host.talk('Join', { Token: token })
  t.match(talk.join('\n'), /again +joined +error execution .*target machine actively refused it/)
  t.match(talk.join('\n'), /The Node is Ready\.\n/)
  t.equal(joins(drive), 2)
})

/** What kubeadm says, of several versions and of Windows, and whether it may be otherwise a moment later. */
const sayings: readonly (readonly [passes: boolean, problem: string])[] = [
  [true, 'dial tcp: lookup api.example.com: no such host'],
  [true, 'dial tcp: lookup api.example.com: getaddrinfow: This is usually a temporary error'],
  [true, 'Get "https://192.0.2.1:6443/api?timeout=10s": EOF'],
  [true, 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)'],
  [
    true,
    'dial tcp 192.0.2.1:6443: connectex: No connection could be made because the target machine actively refused it.',
  ],
  // 1.25 does not say why.
  [
    true,
    `couldn't validate the identity of the API Server: Abort reading the cluster-info ConfigMap after timeout of 5m0s`,
  ],
  [false, 'Abort reading the cluster-info ConfigMap after timeout of 5m0s: Unauthorized'],
  [false, 'failed while waiting for TLS bootstrap: context deadline exceeded'],
  [
    false,
    `failed while waiting for the kubelet to start: The HTTP call equal to 'curl -sSL http://127.0.0.1:10248/healthz' returned error: Get "http://127.0.0.1:10248/healthz": dial tcp 127.0.0.1:10248: connectex: No connection could be made because the target machine actively refused it.`,
  ],
  [
    false,
    'this version of kubeadm only supports deploying clusters with the control plane version >= 1.36.0. Current version: v1.34.1',
  ],
]

scenario('what of kubeadm’s words is tried again', async (t, { host }) => {
  const found = await host.ps<readonly boolean[]>(
    `Import-Module -Name $with.module -Force
    foreach ($one in $with.problems) { & (Get-Module -Name WinNode) { param($Problem) Test-NodePassing -Problem $Problem } $one }`,
    {
      module: path.join(root, 'dist/node/WinNode.psm1'),
      problems: sayings.map(([, problem]) => problem),
    },
  )
  t.strictSame(
    sayings.map(([, problem], index) => [found[index], problem]),
    sayings,
  )
})

scenario('what kubeadm refuses is told in its words', async (t, { host, machine }) => {
  const document = everyKind()
  const drive = await machine(document)
  await joined(host, drive)
  t.equal(joins(drive), 1)
  t.match(await host.run('Join'), { code: 0, calls: [], writes: 0 })
  const list = await host.ps<string>(`(Get-Acl -LiteralPath 'C:\\var\\log\\pods').Sddl`)
  t.match(list, 'FRFX', 'the kubelet has set a list of its own')
})

scenario('kubeadm is run by somebody else', async (t, stage) => {
  const { host, machine } = stage
  const drive = await machine(everyKind())
  await install(host)
  bring(drive, plugins)
  const early = await host.run('Join', phase('afterJoin'))
  t.match(early, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(early.result), 'the machine has not joined; run kubeadm first')
  const tried = await host.run('Join', { ...phase('beforeJoin'), WhatIf: true })
  t.match(tried, { calls: [], writes: 0, result: { exitCode: 0 } })

  const before = succeeded(await host.run('Join', phase('beforeJoin')))
  t.match(before.result.message, 'ready for kubeadm')
  t.strictSame(changed(before).slice(-2), ['flanneld-service', 'kubelet-config'])
  t.match(await host.run('Join', phase('beforeJoin')), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Join', phase('afterJoin')), { calls: [], result: { exitCode: 2 } })
  t.match(await host.run('Test'), { code: 0 }, 'no join has begun')

  t.match(await kubeadmElsewhere(host), { Code: 0 })
  t.match(await what(host), /kubelet-start Different.*boot-task Different/)
  t.match(succeeded(await host.run('Join', phase('beforeJoin'))).result.message, '')
  const after = succeeded(await host.run('Join', phase('afterJoin')))
  t.ok(idsOf(after, 'Unchanged').includes('joined'))
  t.match(changed(after).slice(0, 2), ['kubelet-start', 'boot-task'])
  t.match(await host.run('Join', phase('afterJoin')), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Join'), { code: 0, calls: [], writes: 0 })
  t.match(await host.run('Test'), { code: 0 })
  t.equal(joins(drive), 0, 'and never by Join')
  await reset(host)
  t.notOk(existsSync(path.join(drive, 'etc/kubernetes/pki/ca.crt')), 'which kubeadm had fetched')
})

scenario('the wrong order around somebody else’s kubeadm', async (t, stage) => {
  const { host, machine } = stage
  const drive = await machine(everyKind())
  await install(host)
  bring(drive, plugins)
  t.match(await kubeadmElsewhere(host), { Code: 1, Err: /kubelet service does not exist/ })
  succeeded(await host.run('Join', phase('beforeJoin')))
  await kubeadmElsewhere(host)
  await host.ps(`Set-Content -LiteralPath 'C:\\var\\lib\\kubelet\\config.json' -Value other`)
  const spoiled = await host.run('Join', phase('afterJoin'))
  t.match(spoiled, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(
    trouble(spoiled.result),
    'run Join-WinNode.ps1 -Phase beforeJoin first; these differ: kubelet-config',
  )
  succeeded(await host.run('Join', phase('beforeJoin')))
  succeeded(await host.run('Join', phase('afterJoin')))
})

scenario('somebody else’s kubeadm is cut off', async (t, stage) => {
  const { host, machine } = stage
  const drive = await machine(everyKind())
  await install(host)
  bring(drive, plugins)
  for (const moment of ['kubeadm kubelet-start', 'kubeadm end']) {
    succeeded(await host.run('Join', phase('beforeJoin')))
    await host.ps('Add-HostFault -On $with.moment -Message killed', { moment })
    t.match(await kubeadmElsewhere(host), { Code: 1, Err: /killed/ }, moment)
    if (moment === 'kubeadm end') break
    t.match(await kubeadmElsewhere(host), { Code: 1, Err: /bootstrap-kubelet.conf already exists/ })
    t.match(await host.run('Join', phase('afterJoin')), { calls: [], result: { exitCode: 2 } })
  }
  await host.restart()
  succeeded(await host.run('Join', phase('afterJoin')))
  t.match(await host.run('Test'), { code: 0 })
})

scenario('somebody else’s kubeadm ends before the approval', async (t, stage) => {
  const { host, machine } = stage
  const drive = await machine(everyKind())
  await install(host)
  bring(drive, plugins)
  succeeded(await host.run('Join', phase('beforeJoin')))
  t.match(await host.run('Test', phase('beforeJoin')), { code: 0 }, 'without a discovery file')
  await host.ps(signs('wait'))
  t.match(await kubeadmElsewhere(host), { Code: 1, Err: /TLS bootstrap/ })
  for (const part of ['beforeJoin', 'afterJoin'] as const) {
    const run = await host.run('Join', phase(part))
    t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } }, part)
    t.match(trouble(run.result), 'have its request approved and run Join-WinNode.ps1 -Phase afterJ')
  }
  await host.ps('Stop-Service -Name kubelet')
  const anew = succeeded(await host.run('Join', phase('beforeJoin')))
  t.match(anew.result.message, 'ready for kubeadm')
  await host.ps(signs('approve'))
  t.match(await kubeadmElsewhere(host), { Code: 0 }, 'nothing is left over which it stumbles')
  await host.ps(
    `Set-Content -LiteralPath 'C:\\var\\lib\\kubelet\\kubeadm-flags.env' -Value $with.text`,
    {
      text: 'KUBELET_KUBEADM_ARGS="--container-runtime-endpoint=npipe:////./pipe/x --hostname-override=node-a --node-labels=a=b --register-with-taints=os=windows:NoSchedule"',
    },
  )
  const after = succeeded(await host.run('Join', phase('afterJoin')))
  const [idle] = after.result.preflight.filter(({ id }) => id === 'kubelet-arguments')
  t.match(idle, { verdict: 'warn', passed: false })
  t.match(idle?.message, /: --node-labels=a=b --register-with-taints=os=windows:NoSchedule$/)
  await host.ps(
    `[WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters', 'Hostname', 'String', 'node-b')
    [WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters', 'NV Hostname', 'String', 'node-b')`,
  )
  const renamed = await host.run('Join', phase('afterJoin'))
  t.match(trouble(renamed.result), 'they are of node-a; run Reset-WinNode.ps1 first')
})

scenario('without kubeadm nobody else joins', async (t, stage) => {
  const { host } = stage
  await ready(stage, 'kubelet')
  for (const part of ['beforeJoin', 'afterJoin'] as const) {
    const run = await host.run('Join', phase(part))
    t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
    t.match(trouble(run.result), 'joins without kubeadm: run Join-WinNode.ps1 without -Phase')
  }
})

scenario('what kubeadm refuses is told by every version of it', async (t, { host, machine }) => {
  const text = JSON.stringify({
    discovery: { file: { kubeConfigPath: 'C:/discovery.conf' }, tlsBootstrapToken: '' },
    nodeRegistration: { name: '' },
  })
  // 1.25 has a code of its own for this, and nothing before its last word.
  for (const [kubelet, code] of [
    ['v1.25.16', 'ended with code 3: '],
    ['v1.37.1', ''],
  ] as const) {
    const document = everyKind({ kubelet, containerd: '2.3.0' })
    const steps = document.steps.map((step) =>
      step.id === 'joined' ? { ...step, sha256: sha256(text) } : step,
    )
    const files = { ...bundleFiles, 'files/kubeadm/join.json': text }
    const drive = await machine({ ...document, steps }, files)
    await install(host)
    bring(drive)
    const run = await host.run('Join', { Token: token, Accept: 'version' })
    t.equal(run.result.exitCode, 1, kubelet)
    t.equal(
      run.result.steps.find(({ id }) => id === 'joined')?.detail,
      `kubeadm: ${code}discovery.file.kubeConfigPath: Invalid value: "C:/discovery.conf": if a URL is used, the scheme must be https`,
    )
  }
})

scenario('which kubelet sets lists of its own on folders of logs', async (t, { host, machine }) => {
  const rows = {
    'v1.29.6': ['ours', 'ours'],
    'v1.29.15': ['ours', 'theirs'],
    'v1.30.14': ['theirs', 'theirs'],
  }
  for (const [kubelet, lists] of Object.entries(rows)) {
    const drive = await machine(everyKind({ kubelet, containerd: '2.3.0' }))
    await joined(host, drive)
    const found = await host.ps<readonly string[]>(
      `foreach ($name in 'pods', 'containers') { if ((Get-Acl -LiteralPath "C:\\var\\log\\$name").Sddl -match 'FRFX') { 'theirs' } else { 'ours' } }`,
    )
    t.strictSame(found, lists, kubelet)
  }
})

/** A kubelet that ends at each start: how long each kubeadm waits for it, and its words. */
const dead = {
  'v1.25.16': [
    [115, 150],
    'kubeadm: error execution phase kubelet-start: timed out waiting for the condition',
  ],
  'v1.36.0': [
    [240, 280],
    'kubeadm: error execution phase kubelet-wait-bootstrap: failed while waiting for the kubelet to start',
  ],
} as const

for (const [kubelet, [[least, most], words]] of Object.entries(dead)) {
  scenario(`a kubelet that does not come up: ${kubelet}`, async (t, { host, machine }) => {
    const clock = () => host.ps<number>('& (Get-Module -Name host) { $script:Machine.Seconds }')
    const drive = await machine(everyKind({ kubelet, containerd: '2.3.0' }))
    await install(host)
    bring(drive)
    await host.ps(`& (Get-Module -Name host) { $script:Loads = $script:Happening['kubelet-load']
      $script:Happening['kubelet-load'] = { Stop-HostKubelet -Message 'again' } }`)
    const before = await clock()
    const run = await host.run('Join', { Token: token })
    const took = (await clock()) - before
    await host.ps(`& (Get-Module -Name host) { $script:Happening['kubelet-load'] = $script:Loads }`)
    t.equal(run.result.exitCode, 1)
    t.match(trouble(run.result), words)
    t.ok(took > least && took < most, `kubeadm waits for ${took} s`)
    t.equal(joins(drive), 1, 'which would be the same the next time')
    succeeded(await host.run('Join', { Token: token }))
  })
}

scenario('somebody else’s kubeadm has another name for the machine', async (t, stage) => {
  const { host, machine } = stage
  const drive = await machine(everyKind({ kubelet: 'v1.33.5', containerd: '2.3.0' }))
  await install(host)
  bring(drive, plugins)
  succeeded(await host.run('Join', phase('beforeJoin')))
  const theirs = await kubeadmElsewhere(host, 'theirs')
  t.match(theirs, { Code: 1, Err: /error writing CRISocket for this node/ }, 'it has no such Node')
  succeeded(await host.run('Join', phase('afterJoin')))
  t.match(await host.run('Test'), { code: 0 }, 'the kubelet goes by the name of its service')
})
