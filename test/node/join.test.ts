// How a machine joins: every state, what Join and kubeadm do, and what they print.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t, type Test } from 'tap'
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
} from '../host/course.ts'
import { bundleFiles, credentials, everyKind, plugins } from '../host/every-kind.ts'
import { checksOf, sha256, writeBundle } from '../host/bundle.ts'
import { differences, type JsonRun, trouble } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'
import { root } from '../tools/run.ts'

const bootstrap = 'etc/kubernetes/bootstrap-kubelet.conf'

function secretless(t: Test, drive: string, run: JsonRun): void {
  const log = readFileSync(path.join(drive, 'var/log/winnode/winnode.log'), 'utf8')
  t.notMatch(log, token)
  t.notMatch(JSON.stringify(run), token)
}

/** Functions of the module that got a text as an argument, which module logging writes as event 4103. */
function* taking(trace: string, text: string): Generator<string> {
  for (const part of trace.split(/(?=BIND (?:NAMED|PIPELINE)\b[^\n]*\[)/)) {
    const name = /^BIND[^\n]*\[(\w+-Node\w*)\]/.exec(part)?.[1]
    if (name !== undefined && part.includes(text)) yield name
  }
}

scenarioOfAll('no argument is a secret', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  const file = path.join(path.dirname(drive), 'bound.txt')
  await host.ps('Set-TraceSource -Name ParameterBinding -Option All -FilePath $with.file -Force', {
    file,
  })
  const run = await host.run('Join', { Token: token })
  await host.ps('Set-TraceSource -Name ParameterBinding -RemoveFileListener *')
  succeeded(run)
  const trace = readFileSync(file, 'utf8')
  t.ok(trace.includes('cmd line args [Edit-NodeJson]'))
  for (const secret of [token, 'PRIVATE KEY'])
    t.strictSame([...new Set(taking(trace, secret))], [], secret)
})

scenario('Join waits for a CSR that is not approved', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  await host.ps(signs('wait'))
  const run = await host.run('Join', { Token: token })
  t.equal(run.result.exitCode, 1)
  t.match(
    run.result.steps.find(({ id }) => id === 'joined'),
    {
      state: 'Failed',
      detail:
        'the machine waits for its certificate; the CSR csr-1 is pending; to approve it: kubectl certificate approve csr-1',
    },
  )
  secretless(t, drive, run)
  t.ok(existsSync(path.join(drive, 'etc/kubernetes/kubelet.conf')), 'which proves nothing')
  t.match(await what(host), 'joined Different: the machine waits for its certificate')
  // The kubelet sets access lists already.
  await host.ps(
    `${signs('approve')}; [WinNodeHost.AccessList]::Write((Convert-Path -LiteralPath 'C:\\k'), 'D:(A;OICI;FA;;;BA)(A;OICI;FR;;;BU)')`,
  )
  const again = succeeded(await host.run('Join'))
  succeeded(await host.run('Install'))
  t.match(again.result.message, '')
  t.equal(joins(drive), 1, 'joining again would only create another CSR')
  t.notOk(existsSync(path.join(drive, bootstrap)))
  t.match(await host.run('Test'), { code: 0 })
})

scenarioOfAll('an approval that comes late', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  await host.ps(`${signs('wait')}; Add-HostDue -After 420 -Name cluster-signs -Subject approve`)
  const { talk } = await host.talk('Join', { Token: token })
  t.match(talk.join('\n'), /waiting +joined +the CSR csr-1 is pending/)
  t.match(talk.join('\n'), /The Node is Ready\.\n/)
  t.equal(joins(drive), 1, 'kubeadm gave up after five minutes, the kubelet did not')
})

scenarioOfAll('a request that is denied', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage, 'kubelet')
  await host.ps(signs('deny'))
  const run = await host.run('Join', { TimeoutMinutes: 1 })
  t.equal(run.result.exitCode, 1)
  t.match(trouble(run.result), 'the CSR csr-2 is pending', 'the kubelet creates another CSR')
  t.ok(existsSync(path.join(drive, bootstrap)), 'what it asks with stays')
  await host.ps(signs('approve'))
  succeeded(await host.run('Join'))
})

scenario('a token that the cluster does not know', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  const before = await host.describe()
  const refused = await host.run('Join', { Token: 'zzzzzz.0123456789abcdef' })
  t.match(refused, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(refused.result), /token: the cluster: Unauthorized/)
  const run = await host.run('Join', { Token: 'zzzzzz.0123456789abcdef', Accept: 'token' })
  t.equal(run.result.exitCode, 1)
  t.match(
    trouble(run.result),
    'kubeadm: error execution phase preflight: unable to fetch the kubeadm-config ConfigMap: failed to get config map: Unauthorized',
  )
  const after = await host.describe()
  for (const name of ['bootstrap-kubelet.conf', 'pki\\ca.crt', 'kubelet.conf', 'join.json']) {
    const file = `path C:\\etc\\kubernetes\\${name}`
    t.equal(after[file], before[file], `${name} is not left`)
  }
  succeeded(await host.run('Join', { Token: token }))
  secretless(t, drive, run)
})

scenarioOfAll('a bootstrap kubeconfig whose token has expired', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage, 'kubelet')
  await host.ps(`Set-HostToken -Token ${token}`)
  const asked = await host.run('Join')
  t.match(asked, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  const run = await host.run('Join', { Accept: 'token' })
  t.equal(run.result.exitCode, 1)
  t.match(trouble(run.result), 'the token is invalid or has expired')
  t.ok(existsSync(path.join(drive, bootstrap)))
  t.match(await what(host), 'joined Different: the machine waits for its certificate')
  // A kubelet that runs does not read the new one.
  const fresh = await host.ps<string>('Get-HostKubeconfig -Token q1w2e3.r4t5y6u7i8o9p0a1')
  writeFileSync(path.join(drive, bootstrap), fresh)
  succeeded(await host.run('Join'))
  t.notOk(existsSync(path.join(drive, bootstrap)))
})

scenarioOfAll('a kubelet that ended before it had its certificate', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  await host.ps(signs('wait'))
  await host.run('Join', { Token: token, TimeoutMinutes: 1 })
  await host.ps(`Stop-Service -Name kubelet; ${signs('approve')}`)
  t.match(await what(host), 'has no certificate and no credentials to request one')
  const without = await host.run('Join')
  t.match(trouble(without.result), 'no bootstrap token')
  succeeded(await host.run('Join', { Token: token }))
  t.equal(joins(drive), 2)
})

scenarioOfAll('credentials that have expired, or are of another name', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  await host.ps('Set-HostCluster -Name Days -Value 1')
  succeeded(await host.run('Join', { Token: token }))
  await host.ps(
    'Skip-HostTime -Seconds 172800; Start-Sleep -Seconds 60; Set-HostCluster -Name Days -Value 365',
  )
  t.match(
    await what(host),
    /joined Different: the machine has credentials that have expired since 2026-01-0\d/,
  )
  t.match(trouble((await host.run('Join')).result), 'no bootstrap token')
  await host.ps(`Set-HostNode -Name node-a -Ready $false`)
  succeeded(await host.run('Join', { Token: token }))
  t.equal(joins(drive), 2)
  await host.ps(
    `[WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters', 'Hostname', 'String', 'NODE-B')
    [WinNodeHost.Registry]::Set('SYSTEM\\CurrentControlSet\\Services\\Tcpip\\Parameters', 'NV Hostname', 'String', 'NODE-B')`,
  )
  const renamed = await host.run('Join', { Token: token })
  t.match(renamed, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(
    trouble(renamed.result),
    'its name is node-b, they are for node-a; run Reset-WinNode.ps1 first',
  )
})

scenarioOfAll('a name that cloud-init writes', async (t, { host, machine }) => {
  const file = 'C:\\ProgramData\\cloud\\node-name'
  const document = everyKind()
  const facts = document['facts'] as readonly { readonly name: string }[]
  const drive = await machine({
    ...document,
    facts: facts.map((fact) =>
      fact.name === 'nodeName' ? { ...fact, with: [{ name: 'file', value: file }] } : fact,
    ),
    // The only one of the image that knows the name.
    steps: document.steps.filter(({ id }) => id !== 'facts-file'),
  })
  await install(host)
  bring(drive)
  t.match(await host.run('Test'), { code: 0 }, 'an image needs no name')
  const without = await host.run('Join', { Token: token })
  t.match(without, { calls: [], writes: 0, result: { exitCode: 2 } })
  t.match(trouble(without.result), `nodeName is unknown: ${file} not found`)
  const write = (name: string, encoding = 'utf8') =>
    host.ps(
      `$null = New-Item -ItemType Directory -Path 'C:\\ProgramData\\cloud' -Force
      Set-Content -LiteralPath '${file}' -Value $with.name -Encoding ${encoding}`,
      { name },
    )
  const refused = { ['a'.repeat(64)]: 'at most 63', gke_pool: 'at most 63', '': 'one line' }
  for (const [name, words] of Object.entries(refused)) {
    await write(name)
    const run = await host.run('Join', { Token: token })
    t.match(run, { calls: [], writes: 0, result: { exitCode: 2 } })
    t.match(trouble(run.result), words)
  }
  // As the operator > of Windows PowerShell writes it.
  await write('GKE-Windows-Pool-1a2b', 'unicode')
  succeeded(await host.run('Join', { Token: token }))
  const command = await host.ps<string>(
    `(Get-ItemProperty -LiteralPath 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet').ImagePath`,
  )
  t.match(command, '--hostname-override=gke-windows-pool-1a2b')
  t.match(await host.run('Test'), { code: 0 })
  const undisturbed = await host.describe()
  rmSync(path.join(drive, 'etc/kubernetes/discovery.conf'))
  /** The cluster knows the kubelet by its certificate alone, and so goes on all that runs beside it. */
  const goesOn = async (words: string) => {
    const told = `${words}; the node name stays gke-windows-pool-1a2b`
    await host.restart()
    const boot = succeeded(await host.run('Install', { Phase: 'boot' }))
    const [check] = boot.result.preflight.filter(({ id }) => id === 'node-name')
    t.match(check, { verdict: 'warn', passed: false, message: told })
    const left = differences(undisturbed, await host.describe(), /node-name|discovery|winnode/)
    t.strictSame(left, [], 'nothing is written under another name')
    const test = await host.run('Test')
    t.strictSame(idsOf(test, 'Different'), ['joined'])
    t.strictSame(idsOf(test, 'Unknown'), [])
    t.match(test.result.message, '', 'and nothing is missing that only served to join')
  }
  await write('gke-windows-pool-9z')
  const renamed = 'its name is gke-windows-pool-9z, they are for gke-windows-pool-1a2b'
  await goesOn(renamed)
  t.match(await what(host), renamed)
  t.match(trouble((await host.run('Join', { Token: token })).result), 'run Reset-WinNode.ps1 first')
  await host.ps(`Remove-Item -LiteralPath '${file}'`)
  const unnamed = `nodeName is unknown: ${file} not found; its credentials are for gke-windows-pool-1a2b`
  await goesOn(unnamed)
  t.match(await what(host), `the machine has an unknown name: ${unnamed}`)
  const join = await host.run('Join', { Token: token })
  t.match(join, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(join.result), `${unnamed}; create that file`)
  const part = await host.run('Join', phase('afterJoin'))
  t.match(trouble(part.result), `${unnamed}; create that file`)
  await write('gke-windows-pool-1a2b')
  succeeded(await host.run('Join'))
})

scenarioOfAll('a Node that is Ready, said an earlier kubelet', async (t, stage) => {
  const { host } = stage
  await ready(stage, 'kubelet')
  await host.ps(`Set-HostNode -Name node-a -Ready $true; Start-Sleep -Seconds 20
    & (Get-Module -Name host) { $script:Said = $script:Happening['kubelet-register']; $script:Happening['kubelet-register'] = {} }`)
  const run = await host.run('Join', { TimeoutMinutes: 2 })
  t.match(run.result, {
    exitCode: 1,
    message: /the Node was Ready at .* UTC; the new kubelet has not updated it yet/,
  })
  await host.ps(
    `& (Get-Module -Name host) { $script:Happening['kubelet-register'] = $script:Said }; Restart-Service -Name kubelet`,
  )
  succeeded(await host.run('Join'))
})

scenarioOfAll('a kubelet that ends once', async (t, stage) => {
  const { host } = stage
  await ready(stage, 'kubelet')
  await host.ps(`& (Get-Module -Name host) {
      $script:Loads = $script:Happening['kubelet-load']
      $script:Happening['kubelet-load'] = { $script:Happening['kubelet-load'] = $script:Loads; Stop-HostKubelet -Message 'once' } }`)
  const { talk } = await host.talk('Join')
  t.match(talk.join('\n'), /waiting +joined +the kubelet has exited/)
  t.match(talk.join('\n'), /The Node is Ready\.\n/, 'the service manager has started it again')
})

scenarioOfAll('a Node that does not become Ready', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  const conf = 'C:\\etc\\cni\\net.d\\10-flannel.conflist'
  await host.ps(`Add-HostDue -After 0.5 -Name take -Subject ''
    & (Get-Module -Name host) { $script:Happening['take'] = {
        Remove-Item -LiteralPath '${conf}' -ErrorAction Ignore; Add-HostDue -After 1 -Name take -Subject ''
      } }`)
  const run = await host.run('Join', { Token: token })
  t.equal(run.result.exitCode, 1)
  t.match(
    run.result.message,
    'the machine has joined, but the Node is not Ready: container runtime network not ready',
  )
  t.equal(joins(drive), 1)
  await host.ps(`& (Get-Module -Name host) { $script:Happening['take'] = {} }`)
  succeeded(await host.run('Install'))
  succeeded(await host.run('Join'))
})

scenarioOfAll('what a machine that runs changes by itself', async (t, stage) => {
  const { host } = stage
  await ready(stage)
  const grow = `[System.IO.File]::WriteAllBytes((Convert-Path -LiteralPath 'C:\\var\\log\\containerd') + '/containerd.log', [byte[]]::new(2MB))`
  const open = `[WinNodeHost.AccessList]::Write((Convert-Path -LiteralPath 'C:\\k'), 'D:(A;OICI;FA;;;BA)(A;OICI;FR;;;BU)')`
  const verdictOf = (run: JsonRun, id: string) =>
    run.result.preflight.find((check) => check.id === id)
  await host.ps(open)
  const refused = await host.run('Join', { Token: token })
  t.match(
    refused,
    { code: 2, calls: [] },
    'a folder is not opened to others by itself before the join',
  )
  t.match(verdictOf(refused, 'image'), { passed: false, message: /folder \(/ })
  succeeded(await host.run('Install'))
  // containerd runs in an image, too, and nothing rotates its log before the join.
  await host.ps(grow)
  const run = succeeded(await host.run('Join', { Token: token }))
  t.match(verdictOf(run, 'image-running'), { verdict: 'warn', message: /: log \(/ })
  await host.ps(`${grow}; ${open}`)
  const again = succeeded(await host.run('Join', { Token: token }))
  t.match(verdictOf(again, 'image-running'), { verdict: 'warn', message: /folder \(.*log \(/ })
})

scenario('a machine of another cluster', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  succeeded(await host.run('Join', { Token: token }))
  const conf = path.join(drive, 'etc/kubernetes/kubelet.conf')
  const own = readFileSync(conf, 'utf8')
  const foreign = await host.ps<string>(
    'Get-HostKubeconfig -Ca ([WinNodeHost.ApiServer]::ForeignPem) -Server https://other.example.com:6443',
  )
  const [ca = ''] = /(?<=certificate-authority-data: ).*/.exec(foreign) ?? []
  const there = own.replace(/(?<=certificate-authority-data: ).*/, ca)
  writeFileSync(conf, there.replace(/https:.*/, 'https://other.example.com:6443'))
  const digests = await host.ps<readonly string[]>(
    `'ForeignPem', 'CaPem' | ForEach-Object { [WinNodeHost.ApiServer]::Digest([WinNodeHost.ApiServer]::$_) }`,
  )
  const words = `credentials for another cluster: the CA public key hash in C:\\etc\\kubernetes\\kubelet.conf (https://other.example.com:6443) is ${digests[0]}, expected ${digests[1]}`
  const run = await host.run('Join', { Token: token, Accept: 'ca' })
  t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(run.result), `${words}; run Reset-WinNode.ps1 first`)
  t.match(await what(host), words)
  const taken = await host.run('Reset')
  t.match(
    taken.result.steps.find(({ id }) => id === 'joined')?.detail,
    `the credentials are deleted; before that, the machine has ${words}`,
  )
  t.match(JSON.stringify(taken.result), 'kubectl delete node node-a')
  t.notOk(existsSync(conf))
})

scenarioOfAll('a bundle of another cluster', async (t, stage) => {
  const { host, machine, artifacts } = stage
  await machine(everyKind(undefined, 'kubelet'))
  const bundle = (ca: string) => {
    const given = everyKind(undefined, 'kubelet')
    const digest = sha256(ca)
    const steps = given.steps.map((step) => (step.id === 'ca' ? { ...step, sha256: digest } : step))
    return [
      { ...given, steps },
      { ...bundleFiles, 'files/ca.crt': ca },
    ] as const
  }
  const drive = await machine(...bundle((await host.cluster()).ca))
  await install(host)
  bring(drive, credentials.kubelet)
  succeeded(await host.run('Join'))
  const other = await host.ps<string>('[WinNodeHost.ApiServer]::ForeignPem')
  const [document, files] = bundle(other)
  writeBundle(path.join(drive, 'win-node'), document, artifacts, files)
  const run = await host.run('Join')
  t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(run.result), 'credentials for another cluster')
  t.match(trouble(run.result), 'run Reset-WinNode.ps1 first')
})

scenario('credentials that are not whole', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  succeeded(await host.run('Join', { Token: token }))
  const conf = path.join(drive, 'etc/kubernetes/kubelet.conf')
  const own = readFileSync(conf, 'utf8')
  const pem = path.join(drive, 'var/lib/kubelet/pki/kubelet-client-current.pem')
  const ca = path.join(drive, 'etc/kubernetes/pki/ca.crt')
  const authority = readFileSync(ca, 'utf8')
  rmSync(ca)
  t.match(
    await what(host),
    'joined Different: C:\\etc\\kubernetes\\pki\\ca.crt is missing: the kubelet does not start without it',
  )
  succeeded(await host.run('Join'))
  t.equal(readFileSync(ca, 'utf8'), authority, 'and no token is needed')
  t.equal(joins(drive), 1)
  const cut = {
    'it references C:\\etc\\ca.crt, which is missing': own.replace(
      /certificate-authority-data: .*/,
      'certificate-authority: /etc/ca.crt',
    ),
    'it has no CA': own.replace(/.*certificate-authority-data: .*\n/, ''),
    'C:\\etc\\kubernetes\\kubelet.conf: several clusters or users': own.replace(
      'users:',
      '- cluster:\n    server: https://other.example.com:6443\n  name: other\nusers:',
    ),
  }
  for (const [words, text] of Object.entries(cut)) {
    writeFileSync(conf, text)
    t.match(
      await what(host),
      `joined Different: the machine has credentials that cannot be read: C:\\etc\\kubernetes\\kubelet.conf: ${words}`,
    )
  }
  writeFileSync(conf, own)
  const bytes = readFileSync(pem, 'utf8')
  writeFileSync(pem, bytes.slice(0, bytes.indexOf('-----BEGIN EC')))
  t.match(await what(host), 'the certificate has no private key')
  rmSync(pem)
  await host.ps('Stop-Service -Name kubelet')
  t.match(
    await what(host),
    'no credentials to request one: C:\\etc\\kubernetes\\kubelet.conf: it references C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem, which is missing',
  )
  await host.ps('Set-HostNode -Name node-a -Ready $false')
  succeeded(await host.run('Join', { Token: token }))
  writeFileSync(conf, cut['it has no CA'])
  await host.ps('Set-HostNode -Name node-a -Ready $false')
  succeeded(await host.run('Join', { Token: token }))
  t.equal(joins(drive), 3, 'joined again, over what cannot be read')
})

/** Files in the kubelet's folder after an earlier join, each with the PowerShell that creates it. */
const left = {
  'for another cluster': `Remove-Item -LiteralPath 'C:\\etc\\kubernetes\\kubelet.conf'
    $from = & (Get-Module -Name host) { (Get-HostTime).AddMinutes(-5) }
    [WinNodeHost.ApiServer]::Client('system:node:node-a', 'system:nodes', $from, $from.AddDays(365), $true)`,
  'without its key': `(Get-Content -LiteralPath $pem -Raw) -replace '(?s)-----BEGIN EC.*'`,
}

for (const way of ['kubeadm', 'kubelet'] as const) {
  scenarioOfAll(`a certificate that an earlier join left: ${way}`, async (t, stage) => {
    const { host } = stage
    const drive = await ready(stage, way)
    succeeded(await host.run('Join', way === 'kubeadm' ? { Token: token } : {}))
    for (const [name, script] of Object.entries(left)) {
      await host.ps(
        `Stop-Service -Name kubelet; Set-HostNode -Name node-a -Ready $false
        $pem = 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem'
        $text = & { ${script} }
        Set-Content -LiteralPath $pem -Value $text -NoNewline`,
      )
      bring(drive, credentials[way])
      const run = await host.run('Join', way === 'kubeadm' ? { Token: token } : {})
      t.match(trouble(run.result), '', name)
      t.match(run, { code: 0 }, `${name}: the kubelet gets its own one`)
    }
    rmSync(path.join(drive, 'etc/kubernetes/kubelet.conf'))
    await host.run('Reset')
    const keys = await host.ps<readonly string[]>(
      `, @(Get-ChildItem -Path 'C:\\var\\lib\\kubelet\\pki\\kubelet-client*' -ErrorAction Ignore | ForEach-Object -MemberName Name)`,
    )
    t.strictSame(keys, [], 'and a reset takes keys away that no file leads to')
  })
}

scenarioOfAll('a clock that is wrong', async (t, stage) => {
  const { host } = stage
  await ready(stage, 'kubelet')
  succeeded(await host.run('Join'))
  await host.ps('& (Get-Module -Name host) { $script:Machine.Seconds = -86400 * 30 }')
  const run = await host.run('Join')
  t.equal(run.result.exitCode, 2)
  t.match(
    trouble(run.result),
    /credentials that are not valid yet: they are valid from 20\d\d-.* UTC; set the clock/,
  )
})

t.test('docs/join.md has each state, in the module’s words', async (t) => {
  const page = readFileSync(path.join(root, 'docs/join.md'), 'utf8')
  const code = readFileSync(
    path.join(root, 'templates/node/module/setup/cluster/membership.ps1'),
    'utf8',
  )
  const states = [...code.matchAll(/^ {4}(\w+) += @\{ Is = '(.*?)'; Join = '(\w+)'/gm)]
  const rows = [...page.matchAll(/^\| `(\w+)` +\| ((?:has|is|waits) .*?) +\|.*\| (.*?) +\|$/gm)]
  const words = (list: readonly RegExpExecArray[]) => list.map((row) => row.slice(1, 3)).sort()
  t.strictSame(words(rows), words(states))
  const refused = states.filter(([, , , does]) => does === 'refuse').map(([, name]) => name)
  const told = rows
    .filter(([, , , does = '']) => does.startsWith('refuses with 2'))
    .map(([, name]) => name)
  t.strictSame(told, refused)
})

scenario('a provider id that is none', async (t, { host, machine }) => {
  const file = 'C:\\ProgramData\\cloud\\provider-id'
  const given = everyKind()
  const facts = given['facts'] as readonly unknown[]
  const drive = await machine({
    ...given,
    facts: [...facts, { name: 'providerID', with: [{ name: 'file', value: file }] }],
    preflight: [
      {
        id: 'provider-id',
        verdict: 'fail',
        ...{ kind: 'providerID', phases: ['beforeJoin'], with: [] },
      },
      ...checksOf(given),
    ],
  })
  await install(host)
  bring(drive)
  const id = async (text: string) => {
    bring(drive, [file], text)
    const run = await host.run('Join', { Token: token, WhatIf: true })
    return [run.result.exitCode, trouble(run.result)] as const
  }
  const without = await host.run('Join', { Token: token })
  t.match(without, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(without.result), `providerID is unknown: ${file} not found`)
  for (const text of [
    '404 page not found',
    '<!DOCTYPE html>',
    'i-0123456789abcdef0',
    'aws:///a b',
  ]) {
    t.match(await id(text), [2, `the provider ID is '${text}', expected e.g. aws:///`])
  }
  t.match(await id('two\nlines\n'), [2, 'must contain one line'])
  t.match(await id('gce://project/zone/win-1\r\n'), [0, ''])
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
    foreach ($one in $with.problems) { & (Get-Module -Name WinNode.Loop) { param($Problem) Test-NodePassableError -Problem $Problem } $one }`,
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

scenario('errors of kubeadm are printed unchanged', async (t, { host, machineAfter }) => {
  const document = everyKind()
  const drive = await machineAfter(joined, document)
  t.equal(joins(drive), 1)
  t.match(await host.run('Join'), { code: 0, calls: [], writes: 0 })
  const list = await host.ps<string>(`(Get-Acl -LiteralPath 'C:\\var\\log\\pods').Sddl`)
  t.match(list, 'FRFX', 'the kubelet has set its access list')
})

scenario('kubeadm is run by another program', async (t, stage) => {
  const { host, machineAfter } = stage
  const drive = await machineAfter(install, everyKind())
  bring(drive, plugins)
  const early = await host.run('Join', phase('afterJoin'))
  t.match(early, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(
    trouble(early.result),
    'the machine has not joined; run Join-WinNode.ps1 -Phase beforeJoin first, then kubeadm',
  )
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

scenarioOfAll('the wrong order around another program’s kubeadm', async (t, stage) => {
  const { host, machineAfter } = stage
  const drive = await machineAfter(install, everyKind())
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

scenarioOfAll('another program’s kubeadm is aborted', async (t, stage) => {
  const { host, machineAfter } = stage
  const drive = await machineAfter(install, everyKind())
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

scenarioOfAll('another program’s kubeadm exits before the approval', async (t, stage) => {
  const { host, machineAfter } = stage
  const drive = await machineAfter(install, everyKind())
  bring(drive, plugins)
  succeeded(await host.run('Join', phase('beforeJoin')))
  t.match(await host.run('Test', phase('beforeJoin')), { code: 0 }, 'without a discovery file')
  await host.ps(signs('wait'))
  t.match(await kubeadmElsewhere(host), { Code: 1, Err: /TLS bootstrap/ })
  for (const part of ['beforeJoin', 'afterJoin'] as const) {
    const run = await host.run('Join', phase(part))
    t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } }, part)
    t.match(trouble(run.result), 'approve its CSR and run Join-WinNode.ps1 -Phase afterJ')
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
  t.match(trouble(renamed.result), 'they are for node-a; run Reset-WinNode.ps1 first')
})

scenarioOfAll('without kubeadm no other program joins', async (t, stage) => {
  const { host } = stage
  await ready(stage, 'kubelet')
  for (const part of ['beforeJoin', 'afterJoin'] as const) {
    const run = await host.run('Join', phase(part))
    t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
    t.match(trouble(run.result), 'joins without kubeadm: run Join-WinNode.ps1 without -Phase')
  }
})

scenarioOfAll('every version of kubeadm prints why it fails', async (t, { host, machine }) => {
  const text = JSON.stringify({
    discovery: { file: { kubeConfigPath: 'C:/discovery.conf' }, tlsBootstrapToken: '' },
    nodeRegistration: { name: '' },
  })
  // 1.25 has another exit code for this, and no prefix before its last line.
  for (const [kubelet, code] of [
    ['v1.25.16', 'exit code 3: '],
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

scenarioOfAll('which kubelet sets access lists on log folders', async (t, { host, machine }) => {
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
  scenarioOfAll(`a kubelet that does not come up: ${kubelet}`, async (t, { host, machine }) => {
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

scenarioOfAll('another program’s kubeadm has another name for the machine', async (t, stage) => {
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
