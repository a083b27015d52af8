// The node side when things go wrong: killed processes, bad downloads, two runs at once, secrets in odd places.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { tarGz } from '../host/archives.ts'
import { sha256, writeBundle, type NodeDocument } from '../host/bundle.ts'
import type { Fault } from '../host/artifacts.ts'
import { bring, install, succeeded, token } from '../host/course.ts'
import { bundleFiles, everyKind, nodeDocument } from '../host/every-kind.ts'
import { type Description, differences, Host, type JsonRun, tally, trouble } from '../host/host.ts'
import { type Kill, kills } from '../host/kills.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'
import { sampleOf } from '../tools/everything.ts'

const before = everyKind()
const downloadsOnly = nodeDocument(before.steps.filter(({ kind }) => kind === 'download'))
/** Newer programs, and a service with another setting. */
const next = ((document: NodeDocument): NodeDocument => ({
  ...document,
  steps: document.steps.map((step) =>
    step.id === 'containerd-service'
      ? { ...step, environment: [{ name: 'NO_PROXY', value: { text: '.example.com' } }] }
      : step,
  ),
}))(everyKind({ kubelet: 'v1.36.1', containerd: '2.3.1' }))

/** A path of the node, on the folder that is its drive. */
function on(drive: string, file: string): string {
  return path.join(drive, file.slice('C:\\'.length).replaceAll('\\', '/'))
}

function put(drive: string, file: string, text: string): void {
  mkdirSync(path.dirname(on(drive, file)), { recursive: true })
  writeFileSync(on(drive, file), text)
}

// ---- a process that is killed ----

/** Keeps the machine in a file when a function is reached, and waits there for ever where it is to. */
const cutAt = `
  Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
  & (Get-Module -Name 'WinNode.Loop') { $script:Limit.ReadSeconds = 3600 }
  & (Get-Module -Name $with.module) {
    param($At, $Like, $Act)
    $script:Cut = @{ Real = (Get-Item -Path "function:$At").ScriptBlock; Like = $Like; Act = $Act }
    Set-Item -Path "function:script:$At" -Value {
      if ("$args" -like $script:Cut.Like) { & $script:Cut.Act }
      & $script:Cut.Real @args
    }
  } $with.at $with.like ({
    if (Test-Path -LiteralPath $with.file) { return }
    Save-HostMachine -Path "$($with.file).new"
    [System.IO.File]::Move("$($with.file).new", $with.file)
    if ($with.waits) { [System.Threading.Thread]::Sleep(-1) }
  }.GetNewClosure())`

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 20))
}

/** Runs a machine up to the point `when`, and returns the next command. */
async function prepare({ host, artifacts }: Stage, drive: string, when: Kill['when']) {
  const finish = (): Promise<unknown> =>
    when === 'joining' ? host.run('Join', { Token: token }) : install(host)
  if (when === 'installing') return finish
  await install(host)
  bring(drive)
  if (when === 'joining') return finish
  succeeded(await host.run('Join', { Token: token }))
  writeBundle(on(drive, 'C:\\win-node'), next, artifacts, bundleFiles)
  return finish
}

/** What an undisturbed run leaves. */
const undisturbed = new Map<string, Description>()

/** Files with times or logs. */
const history = /state\.json|winnode\.log/

/** The order of keys is another one in each process. */
async function describe(host: Host): Promise<Description> {
  const rows = Object.entries(await host.describe())
  return Object.fromEntries(
    rows.map(([name, text]) => [name, text.startsWith('{"') ? sorted(JSON.parse(text)) : text]),
  )
}

function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort())
      : inner,
  )
}

for (const { name, when, stalls, module, at, like } of kills) {
  // Joins and upgrades that are killed, and kills without another process, are in cut.test.ts, too.
  const plays = name === 'a download' ? scenario : scenarioOfAll
  const document = name === 'a download' ? downloadsOnly : before
  plays(`killed in the middle of ${name}`, async (t, stage) => {
    const { host, artifacts, machine } = stage
    const same = document === before ? when : name
    let wanted = undisturbed.get(same)
    if (!wanted) {
      const used = await machine(document)
      const finish = await prepare(stage, used, when)
      await finish()
      wanted = await describe(host)
      undisturbed.set(same, wanted)
      rmSync(used, { recursive: true })
    }

    const drive = await machine(document)
    const finish = await prepare(stage, drive, when)
    const folder = path.dirname(drive)
    const [start, file] = [path.join(folder, 'start.xml'), path.join(folder, 'cut.xml')]
    await host.ps('Save-HostMachine -Path $with.start', { start })
    const part = on(drive, 'C:\\k\\kubelet.exe.winnode-part')
    if (stalls !== undefined) artifacts.spoil(urlOf(drive, stalls), 'stalled', 1)

    const victim = Host.own()
    t.teardown(() => victim.stop())
    await victim.ps('Restore-HostMachine -Path $with.start -Root $with.drive', { start, drive })
    await victim.ps(cutAt, { module, at, like, file, waits: stalls === undefined })
    const died = (when === 'joining' ? victim.run('Join', { Token: token }) : install(victim)).then(
      () => 'ended by itself',
      (error: unknown) => String(error),
    )
    const reached = until(
      () =>
        existsSync(file) && (stalls === undefined || (existsSync(part) && statSync(part).size > 0)),
    )
    t.equal(await Promise.race([reached, died]), undefined, 'the moment comes')

    // It holds the lock: another run must not interleave.
    await host.ps('Restore-HostMachine -Path $with.file -Root $with.drive', { file, drive })
    const meanwhile = contentsOf(drive)
    const second = await host.run('Install')
    t.match(second, { code: 1, calls: [], writes: 0 })
    t.match(second.result.message, 'another winnode run is in progress')
    t.strictSame(contentsOf(drive), meanwhile, 'two runs do not interleave')

    process.kill(victim.pid ?? 0, 'SIGKILL')
    t.match(await died, /PowerShell ended/)
    artifacts.heal()
    await finish()
    t.strictSame(differences(wanted, await describe(host), history), [], 'converges')
    if (stalls !== undefined) {
      t.match(artifacts.requests.join('\n'), /kubelet\.exe bytes=\d+-/, 'goes on where it stopped')
    }
    t.strictSame(filesWith(drive, token), [], 'no token is left')
  })
}

function urlOf(drive: string, id: string, key = 'url'): string {
  const document: NodeDocument = JSON.parse(
    readFileSync(on(drive, 'C:\\win-node\\node.json'), 'utf8'),
  )
  return String(document.steps.find((step) => step.id === id)?.[key])
}

/** Every file of a drive with its bytes. */
function contentsOf(drive: string): readonly (readonly [name: string, bytes: string])[] {
  const names = readdirSync(drive, { recursive: true, encoding: 'utf8' }).sort()
  return names
    .filter((name) => statSync(path.join(drive, name)).isFile())
    .map((name) => [name, readFileSync(path.join(drive, name), 'latin1')])
}

/** Files of a drive that hold a text. */
function filesWith(drive: string, text: string): readonly string[] {
  return contentsOf(drive).flatMap(([name, bytes]) => (bytes.includes(text) ? [name] : []))
}

// ---- downloads ----

const program = everyKind().steps.find(({ id }) => id === 'kubelet-program')
const nssm = everyKind().steps.find(({ id }) => id === 'nssm-archive')

interface BadDownload {
  readonly name: string
  readonly fault: Fault
  /** How many answers are bad. */
  readonly times: number
  /** The requests, in order; `bytes` if the download resumes. */
  readonly asks: readonly ('whole' | 'bytes')[]
  /** Why it fails in the end; it works where this is absent. */
  readonly fails?: RegExp
}

const whole = (times: number) => Array<'whole'>(times).fill('whole')

const downloads: readonly BadDownload[] = [
  { name: 'an answer is cut', fault: 'truncated', times: 1, asks: ['whole', 'bytes'] },
  { name: 'an answer stalls', fault: 'stalled', times: 1, asks: ['whole', 'bytes'] },
  { name: 'an answer drips', fault: 'dripping', times: 1, asks: ['whole', 'bytes'] },
  {
    name: 'an answer is larger than any program',
    fault: 'endless',
    times: Infinity,
    asks: whole(1),
    fails: /cannot be downloaded: larger than 1024 KiB/,
  },
  { name: 'a server hangs up twice', fault: 'hangUp', times: 2, asks: whole(3) },
  { name: 'a server is broken for a while', fault: 'broken', times: 4, asks: whole(5) },
  { name: 'a server has too many requests', fault: 'busy', times: 2, asks: whole(3) },
  { name: 'a proxy waits too long for a server', fault: 'late', times: 2, asks: whole(3) },
  {
    name: 'a server stays broken',
    fault: 'broken',
    times: Infinity,
    asks: whole(5),
    fails: /cannot be downloaded, 5 attempts/,
  },
  {
    name: 'there is no such file',
    fault: 'missing',
    times: Infinity,
    asks: whole(1),
    fails: /cannot be downloaded: .*404/,
  },
  {
    name: 'the server says no',
    fault: 'forbidden',
    times: Infinity,
    asks: whole(1),
    fails: /cannot be downloaded: .*403/,
  },
  {
    name: 'the file is another one',
    fault: 'wrong',
    times: Infinity,
    asks: whole(1),
    fails: /SHA-256 is [0-9a-f]{64}, expected [0-9a-f]{64}/,
  },
  {
    name: 'the server sends on to http',
    fault: 'toHttp',
    times: Infinity,
    asks: whole(1),
    fails: /http:\/\/example\.com\/kubelet\.exe is not https/,
  },
]

scenario('downloads that go wrong', async (t, { host, artifacts, machine }) => {
  if (!program) throw new Error('there is no such step')
  for (const { name, fault, times, asks, fails } of downloads) {
    await t.test(name, async (t) => {
      const drive = await machine(nodeDocument([program]))
      const url = urlOf(drive, program.id)
      artifacts.heal()
      artifacts.spoil(url, fault, times)
      await host.ps(`Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
        & (Get-Module -Name 'WinNode.Loop') {
          $script:Limit.ReadSeconds = 1
          $script:Limit.DownloadBytes = 1MB
          # Each look at the clock takes its time.
          if (-not (Test-Path -Path variable:script:RealClock)) { $script:RealClock = $script:HostClock }
          $slow = { param($After) Start-Sleep -Seconds 4; & $script:RealClock $After }
          $script:HostClock = if ('${fault}' -eq 'dripping') { $slow } else { $script:RealClock }
        }`)
      const { code, result } = await host.run('Install')
      const { pathname } = new URL(url)
      const asked = artifacts.requests.filter((request) => request.split(' ')[1] === pathname)
      t.strictSame(
        asked.map((request) => (request.includes('bytes=') ? 'bytes' : 'whole')),
        asks,
      )
      const file = on(drive, 'C:\\k\\kubelet.exe')
      if (fails) {
        t.equal(code, 1)
        t.match(result.steps[0], { id: program.id, state: 'Failed', detail: fails })
        t.notOk(existsSync(file), 'nothing unchecked has the name of a program')
        if (fault === 'wrong')
          t.notOk(existsSync(`${file}.winnode-part`), 'nor is it left beside it')
        artifacts.heal()
        t.equal((await host.run('Install')).code, 0, 'and it works once the server does')
      } else {
        t.equal(code, 0, trouble(result))
      }
      t.equal(readFileSync(file, 'latin1'), artifacts.body(url).toString('latin1'))
      rmSync(drive, { recursive: true })
    })
  }
})

scenarioOfAll('a publisher whose site is down', async (t, { host, artifacts, machine }) => {
  if (!program) throw new Error('there is no such step')
  const copy = 'https://copies.example.com/kubelet.exe'
  for (const fault of ['missing', 'wrong'] as const) {
    const drive = await machine(nodeDocument([{ ...program, copy }]))
    artifacts.heal()
    artifacts.spoil(urlOf(drive, program.id), fault, Infinity)
    t.equal((await host.run('Install')).code, 0, `${fault}: the copy is taken`)
    const log = readFileSync(on(drive, 'C:\\var\\log\\winnode\\winnode.log'), 'utf8')
    t.match(log, /trying the copy at .*kubelet\.exe/)
    rmSync(drive, { recursive: true })
  }
  const drive = await machine(nodeDocument([{ ...program, copy }]))
  artifacts.spoil(urlOf(drive, program.id), 'missing', Infinity)
  artifacts.spoil(urlOf(drive, program.id, 'copy'), 'wrong', Infinity)
  const run = await host.run('Install')
  t.match(
    trouble(run.result),
    /kubelet\.exe: SHA-256 is \w+, expected/,
    'with the same digest only',
  )
  t.notOk(existsSync(on(drive, 'C:\\k\\kubelet.exe')))
})

scenarioOfAll('two files of one name in an archive', async (t, { host, artifacts, machine }) => {
  const archive = before.steps.find(({ id }) => id === 'containerd-archive')
  if (!archive) throw new Error('there is no such step')
  const drive = await machine(nodeDocument([archive]))
  const url = String(archive['url'])
  const body = tarGz([
    ['bin/containerd.exe', 'program containerd.exe\n'],
    ['./bin/containerd.exe', 'program mine.exe\n'],
    ['./crictl.exe', 'program crictl.exe\n'],
    ['./host-local.exe', 'program host-local.exe\n'],
  ])
  artifacts.put(url, body)
  artifacts.put(`${url}.sha256sum`, `${sha256(body)}  ${path.basename(url)}\n`)
  const run = await host.run('Install')
  const detail = /contains 2 files named bin\/containerd\.exe, expected 1/
  t.match(run.result.steps, [{ state: 'Failed', detail }])
  t.notOk(existsSync(on(drive, 'C:\\Program Files\\containerd\\bin\\containerd.exe')))
})

scenarioOfAll('a link in an archive', async (t, { host, artifacts, machine }) => {
  const archive = before.steps.find(({ id }) => id === 'containerd-archive')
  if (!archive) throw new Error('there is no such step')
  const drive = await machine(nodeDocument([archive]))
  const url = String(archive['url'])
  const body = tarGz([
    ['bin/containerd.exe', '', '/Users/mine.exe'],
    ['./crictl.exe', 'program crictl.exe\n'],
    ['./host-local.exe', 'program host-local.exe\n'],
  ])
  artifacts.put(url, body)
  artifacts.put(`${url}.sha256sum`, `${sha256(body)}  ${path.basename(url)}\n`)
  const run = await host.run('Install')
  t.match(run.result.steps, [{ state: 'Failed', detail: /containerd\.exe: not a regular file/ }])
  t.notOk(existsSync(on(drive, 'C:\\Program Files\\containerd\\bin\\containerd.exe')))
})

scenario('a full disk', async (t, { host, machine }) => {
  const steps = [program, nssm].flatMap((step) => step ?? [])
  const drive = await machine(nodeDocument(steps))
  await host.ps(`Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
    & (Get-Module -Name 'WinNode.Loop') {
      $script:Real = (Get-Item -Path 'function:Receive-NodePart').ScriptBlock
      Set-Item -Path 'function:script:Receive-NodePart' -Value {
        if ("$args" -notlike '*.sha256 *' -and $script:Full) {
          Set-Content -LiteralPath $args[3] -Value 'half'
          # ERROR_DISK_FULL, as .NET says it on Windows.
          throw [System.IO.IOException]::new('There is not enough space on the disk.', -2147024784)
        }
        & $script:Real @args
      }
      $script:Full = $true
    }`)
  const download = await host.run('Install')
  t.equal(download.code, 1)
  t.match(download.result.steps[0]?.detail, /cannot be downloaded: There is not enough space/)
  t.notOk(existsSync(on(drive, 'C:\\k\\kubelet.exe.winnode-part')), 'what was fetched makes place')
  await host.ps(`& (Get-Module -Name 'WinNode.Loop') { $script:Full = $false }
    Add-HostFault -On 'tar write' -Message 'tar.exe: Write failed: No space left on device'`)
  const archive = await host.run('Install')
  t.strictSame(tally(archive.result), { Changed: 1, Failed: 1 })
  t.match(archive.result.steps[1]?.detail, /tar\.exe: exit code 1: .*No space left/)
  t.notOk(existsSync(on(drive, 'C:\\k\\nssm.exe')))
  t.strictSame(tally((await host.run('Install')).result), { Unchanged: 1, Changed: 1 })
})

// ---- programs of Windows and of others ----

/** Which program fails, which step must say so, and how often it is called before that. */
const failing: readonly (readonly [command: string, step: string, times?: number])[] = [
  ['bcdedit /set', 'test-signing'],
  ['powercfg /setactive', 'power'],
  ['tar -tf', 'containerd-archive'],
  ['tar -xf', 'containerd-archive'],
  ['sc failure', 'containerd-service'],
  ['sc failureflag', 'containerd-service'],
  ['crictl pull', 'image', 5],
  ['kubeadm join', 'joined'],
  ['host-local', 'source-vip'],
]

scenario('a program that fails stops its step', async (t, { host, machine }) => {
  const drive = await machine(before)
  bring(drive)
  // kubeadm that fails is in join.test.ts, too.
  for (const [command, step, times = 1] of sampleOf(failing, (_, at) => at % 2 === 0)) {
    const late = step === 'joined' || step === 'source-vip'
    const go = (): Promise<JsonRun> =>
      late ? host.run('Join', { Token: token }) : host.run('Install')
    if (late) await install(host)
    await host.ps(
      `Add-HostFault -On $with.command -Message 'it does not work' -Times $with.times`,
      {
        command,
        times,
      },
    )
    let run = await go()
    if (run.result.exitCode === 3010) {
      await host.restart()
      run = await go()
    }
    const at = run.result.steps.findIndex(({ id }) => id === step)
    t.equal(run.result.exitCode, 1, command)
    t.match(run.result.steps[at], {
      state: 'Failed',
      detail: /exit code 1: .*it does not work/,
    })
    const others = run.result.steps.filter(({ state }, index) =>
      index < at ? state === 'Failed' : index > at && state !== 'Skipped',
    )
    t.strictSame(others, [], `${command}: nothing after it is tried`)
    t.strictSame(filesWith(drive, token), [], `${command}: no token is left`)
  }
  succeeded(await host.run('Join', { Token: token }))
  t.match(await host.run('Test'), { code: 0 }, 'and it works once they do')
})

scenarioOfAll('a change that Windows does not keep is a failure', async (t, { host, machine }) => {
  await machine(before)
  await host.ps(`& (Get-Module -Name host) {
    $script:Kept = $script:Program['powercfg']
    $script:Program['powercfg'] = { param($Call) $Call.Out += 'done' }
  }`)
  const { result } = await host.run('Install')
  await host.ps(`& (Get-Module -Name host) { $script:Program['powercfg'] = $script:Kept }`)
  t.equal(result.exitCode, 1)
  const power = result.steps.find(({ id }) => id === 'power')
  t.match(power, { state: 'Failed', detail: /^still differs after the change: the plan is/ })
})

// ---- secrets ----

interface TokenRow {
  readonly name: string
  readonly parameters?: Readonly<Record<string, string>>
  readonly environment?: string
  /** Files on the node before, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** Why Join refuses; it joins where this is absent. */
  readonly refused?: RegExp
}

const own = 'C:\\Users\\token.txt'
const named = 'C:\\etc\\kubernetes\\token'
const tokens: readonly TokenRow[] = [
  { name: 'none', refused: /no bootstrap token: use -TokenFile, -Token, or WINNODE_TOKEN/ },
  { name: 'a parameter', parameters: { Token: token } },
  { name: 'the environment', environment: token },
  {
    name: 'a file of the caller',
    parameters: { TokenFile: own },
    files: { [own]: `${token}\r\n` },
  },
  {
    name: 'a token file that does not exist',
    parameters: { TokenFile: own },
    refused: /token file C:\\Users\\token\.txt not found/,
  },
  { name: 'the file that node.json names', files: { [named]: `${token}\n` } },
  {
    name: 'a parameter, before the environment',
    parameters: { Token: token },
    environment: 'another',
  },
  {
    name: 'something that is no token',
    parameters: { Token: 'Abcdef.0123' },
    refused: /does not have the form of a bootstrap token/,
  },
  {
    name: 'an empty file',
    files: { [named]: '\n' },
    refused: /no bootstrap token/,
  },
]

scenario('a token from everywhere', async (t, { host, machine }) => {
  const drive = await machine(before)
  await install(host)
  bring(drive)
  const image = path.join(path.dirname(drive), 'image')
  await host.ps('Copy-HostMachine -Destination $with.image', { image })
  // Every scenario with a join gives it as a parameter.
  const others = sampleOf(tokens, ({ name }) => name !== 'a parameter')
  for (const { name, parameters = {}, environment = '', files = {}, refused } of others) {
    await t.test(name, async (t) => {
      const folder = path.join(path.dirname(drive), name.replaceAll(' ', '-'))
      // Access lists are extended attributes, which Node does not copy.
      await host.ps('& /bin/cp -a $with.image $with.folder', { image, folder })
      await host.restore(folder)
      await host.ps('$env:WINNODE_TOKEN = $with.environment', { environment })
      for (const [file, text] of Object.entries(files)) put(path.join(folder, 'c'), file, text)
      const run = await host.run('Join', parameters)
      await host.ps('Remove-Item -LiteralPath Env:WINNODE_TOKEN -ErrorAction Ignore')
      if (refused) {
        t.match(run, { code: 2, calls: [] })
        t.match(trouble(run.result), refused)
      } else {
        t.equal(run.code, 0, trouble(run.result))
        t.notMatch(JSON.stringify(run), token, 'it is not printed')
        const left = filesWith(path.join(folder, 'c'), token)
        t.strictSame(left, own in files ? ['Users/token.txt'] : [], 'nor is it kept')
        t.equal(run.result.message, own in files ? `delete the token file ${own}` : '')
      }
    })
  }
})

/** By what each looks like. */
const planted: Readonly<Record<string, string>> = {
  'bootstrap token': 'q1w2e3.r4t5y6u7i8o9p0a1',
  'service account token': 'eyJhbGciOiJSUzI1NiIsImtpZCI6IiJ9.eyJzdWIiOiJwbGFudGVkIn0.c2lnbmF0dXJl',
  'private key': 'MHcCAQEEIPlantedPlantedPlantedPlantedPlantedPlanted',
  'client key data': 'LS0tLS1CRUdJTiBQTEFOVEVEIEtFWS0tLS0t',
  'proxy password': 'hunter2-planted',
  'registry password': 'planted-registry-secret',
  'signed address': 'PlantedSignature%2Babc%3D',
  'cloud key': 'planted/cloud/access/key/0123456789',
}
const pem = (name: string) =>
  `-----BEGIN EC PRIVATE KEY-----\n${planted[name] ?? ''}\n-----END EC PRIVATE KEY-----\n`
const talk = [
  `join with --token ${planted['bootstrap token']}`,
  `Authorization: Bearer ${planted['service account token']}`,
  `user: {client-key-data: ${planted['client key data']}}`,
  `proxy http://user:${planted['proxy password']}@proxy.example.com:3128 answers`,
  `{"auths": {"registry.example.com": {"password": "${planted['registry password']}"}}}`,
  `GET https://files.example.com/a.zip?sv=1&sig=${planted['signed address']}`,
  `aws_secret_access_key=${planted['cloud key']}`,
  pem('private key'),
]

scenario('a report has no secrets', async (t, { host, machine }) => {
  const drive = await machine(before)
  await install(host)
  bring(drive)
  await host.run('Join', { Token: token })
  const kubeconfig = `users:\n- user:\n    token: ${planted['service account token']}\n`
  for (const file of ['kubelet.conf', 'kube-proxy.conf', 'flannel.conf', 'admin.conf']) {
    put(drive, `C:\\etc\\kubernetes\\${file}`, kubeconfig)
  }
  put(drive, 'C:\\etc\\kubernetes\\pki\\ca.key', pem('private key'))
  put(drive, 'C:\\var\\lib\\kubelet\\pki\\kubelet-client-current.pem', pem('private key'))
  const config = talk.map((line) => `# ${line}\n`).join('')
  put(drive, 'C:\\var\\lib\\kubelet\\config.yaml', config)
  put(drive, 'C:\\Program Files\\containerd\\config.toml', config)
  put(drive, 'C:\\var\\log\\flanneld\\flanneld.log', `marker of flanneld\n${talk.join('\n')}\n`)
  // Secrets in several lines, and in UTF-16.
  const folded = Array.from({ length: 3 }, (_, at) => `    ${`${at}Zm9sZGVkIGtleQ`.repeat(5)}`)
  const service = planted['service account token'] ?? ''
  const lines = [
    'aW5kZW50ZWQ=\n\t-----END EC PRIVATE KEY-----',
    'marker of lines\nclient-key-data: |',
    ...folded,
    '    ZW5k',
    `error: ${service.slice(0, 50)}\n${service.slice(50)}`,
    'ctr pull --password hunter3-planted registry.example.com/a',
  ]
  put(drive, 'C:\\var\\log\\containerd\\containerd.log', lines.join('\n'))
  const wide = 'marker of wide\r\npassword: planted-wide-secret\r\n'
  writeFileSync(on(drive, 'C:\\var\\log\\winnode\\winnode.log'), Buffer.from(wide, 'utf16le'))
  // Logs of pods as containerd writes them; only the last ones of the network's newest pod are in the report.
  const pods = 'C:\\var\\log\\pods'
  const container = `${pods}\\kube-system_winnode-flannel-ws2022-b_2\\flanneld`
  const cri = (text: string) => text.replace(/^/gm, '2026-01-01T00:00:00.1Z stderr F ')
  put(drive, `${pods}\\kube-system_winnode-flannel-ws2022-a_1\\flanneld\\0.log`, 'an older pod')
  put(drive, `${pods}\\default_web_3\\web\\0.log`, 'a pod of a user')
  for (const count of [8, 9, 10]) put(drive, `${container}\\${count}.log`, `restart ${count}`)
  put(drive, `${container}\\10.log`, cri(['marker of pods', ...talk, ...lines].join('\n')))
  put(drive, `${container}\\9.log.20260101-000000.gz`, 'a rotated log')
  await host.ps(
    `(Get-Item -LiteralPath '${pods}\\kube-system_winnode-flannel-ws2022-a_1').LastWriteTimeUtc = '2020-01-01'`,
  )
  await host.ps(
    `Set-HostFact -Name Events -Value $with.talk
    $key = 'HKLM:\\SYSTEM\\CurrentControlSet\\Services\\kubelet'
    $line = (Get-Item -LiteralPath $key).GetValue('ImagePath')
    Set-ItemProperty -LiteralPath $key -Name ImagePath -Value "$line --token=$($with.talk[0] -replace '.* ')"`,
    { talk },
  )
  const text = await host.ps<string>(
    `(& 'C:\\win-node\\Export-WinNodeReport.ps1' -AsJson 6>$null) -join ''`,
  )
  t.match(JSON.parse(text), { exitCode: 0, message: 'C:\\var\\log\\winnode\\winnode-report.zip' })
  const report = readFileSync(on(drive, 'C:\\var\\log\\winnode\\winnode-report.json'), 'utf8')
  const pieces = {
    'key in lines': folded[1] ?? '',
    'token of a narrow console': service.slice(50),
    'key without its beginning': 'aW5kZW50ZWQ=',
    'flag with its value': 'hunter3-planted',
    'text in two bytes a letter': 'planted-wide-secret',
  }
  for (const [name, secret] of Object.entries({ ...planted, ...pieces })) {
    t.notOk(report.includes(secret), `no ${name}`)
    t.notOk(text.includes(secret), `nor in what it prints: ${name}`)
  }
  t.match(report, /<hidden>/)
  for (const log of ['flanneld', 'lines', 'wide', 'pods'])
    t.match(report, `marker of ${log}`, 'and yet the logs are in it')
  t.strictSame(
    Object.keys(JSON.parse(report).logs).filter((file) => file.startsWith(pods)),
    [9, 10].map((count) => `${container}\\${count}.log`),
    'the last two of the newest pod of the network',
  )
  t.match(JSON.parse(report), { kind: 'NodeReport', windows: { build: 20348 }, services: Array })
  const archive = readFileSync(on(drive, 'C:\\var\\log\\winnode\\winnode-report.zip'))
  t.equal(archive.subarray(0, 2).toString(), 'PK')
})

/** Collects a report: what the script answers, and what it wrote. */
async function reportOf(host: Host, drive: string) {
  const text = await host.ps<string>(
    `(& 'C:\\win-node\\Export-WinNodeReport.ps1' -AsJson 6>$null) -join ''`,
  )
  const file = on(drive, 'C:\\var\\log\\winnode\\winnode-report.json')
  const written = existsSync(file) ? readFileSync(file, 'utf8') : '{}'
  return { result: JSON.parse(text), report: JSON.parse(written), size: written.length }
}

/** With the program that knows snapshots. */
const withCtr: NodeDocument = {
  ...before,
  steps: before.steps.map((step) =>
    step.id === 'nssm-archive'
      ? {
          ...step,
          members: [...(step['members'] as []), { member: 'ctr.exe', path: 'C:\\k\\ctr.exe' }],
        }
      : step,
  ),
}

scenarioOfAll('a report of a node that has joined', async (t, { host, machine }) => {
  const drive = await machine(withCtr)
  await install(host)
  bring(drive)
  succeeded(await host.run('Join', { Token: token }))
  await host.ps('Start-Sleep -Seconds 60')
  put(drive, 'C:\\etc\\cni\\net.d\\00-theirs.conflist', '{}')
  succeeded(await host.run('Suspend', { For: '2h' }))
  await host.ps(`Set-HostFact -Name Pods -Value @(@{ metadata = @{ name = 'web'; namespace = 'shop' }; labels = @{ key = 'of-a-label' } })
    Set-HostFact -Name Snapshots -Value @(@{ Key = 'sha256:a'; Parent = ''; Kind = 'Committed' })`)
  const { result, report } = await reportOf(host, drive)
  t.match(result, { exitCode: 0, suspended: /^2026/ })
  t.strictSame(
    report.unread.map((one: { what: string }) => one.what),
    [
      ...['containerd', 'flanneld'].map((name) => `C:\\var\\log\\${name}\\${name}.log`),
      ...['Host-Network-Service', 'Hyper-V-Compute'].map(
        (name) => `event log Microsoft-Windows-${name}-Admin`,
      ),
    ],
  )
  t.match(report, {
    made: /^2026-01-\d\dT.*Z$/,
    state: { joined: true, suspended: /^2026-01/ },
    memory: [{ TotalVisibleMemorySize: '16777216' }, { Name: 'C:\\pagefile.sys', PeakUsage: '90' }],
    nameServers: [{ ServerAddresses: '192.0.2.53, 192.0.2.54' }],
    commandOutput: {
      excludedTcpPorts: /50000 +50059/,
      excludedUdpPorts: /Protocol udp/,
      clock: /Source: time\.windows\.com/,
      proxy: /Direct access/,
    },
    defender: [{ ExclusionProcess: /kubelet\.exe/, DisableRealtimeMonitoring: 'False' }],
    containers: {
      pods: [{ namespace: 'shop', name: 'web', state: 'SANDBOX_READY' }],
      images: [{ names: /pause/ }],
      snapshots: [{ key: 'sha256:a', size: 1_048_576 }],
    },
  })
  t.ok(
    report.cni.some((one: { path: string }) => one.path.endsWith('00-theirs.conflist')),
    'names in the folder of networks',
  )
  t.notMatch(JSON.stringify(report), 'of-a-label')
  const changes = await host.ps<readonly string[]>('@(Get-HostCall)')
  t.strictSame(
    changes.filter(
      (call) => !/^Set-Acl C:\\var\\log\\winnode\\winnode-report\.(json|zip)$/.test(call),
    ),
    [],
    'it changes nothing',
  )
})

scenarioOfAll('a report with a trace of HNS', async (t, { host, machine }) => {
  const drive = await machine(before)
  const report = 'C:\\var\\log\\winnode\\winnode-report'
  const trace = async (parameters = '') => {
    await host.ps('Clear-HostCall')
    const text = await host.ps<string>(
      `(& 'C:\\win-node\\Export-WinNodeReport.ps1' -AsJson -Trace 30 ${parameters} 6>$null) -join ''`,
    )
    const { exitCode, message } = JSON.parse(text) as { exitCode: number; message: string }
    t.equal(exitCode, 0)
    const calls = await host.ps<string>(`@(Get-HostCall) -join '; '`)
    return { message, sessions: calls.match(/netsh trace \w+/g) }
  }
  const both = ['netsh trace start', 'netsh trace stop']
  t.match(await trace(), { message: /winnode-report\.etl$/, sessions: both })
  t.equal(readFileSync(on(drive, `${report}.etl`), 'utf8').trim(), 'trace of 30 s')
  const elsewhere = await trace(`-Destination 'C:\\share'`)
  t.match(elsewhere.message, /^C:\\share.*; C:\\var\\log\\winnode\\winnode-report\.etl$/)

  await host.ps(`Add-HostFault -On 'netsh trace' -Message 'Access is denied.'`)
  t.match(await trace(), { message: /not in the report: trace, / }, 'netsh refuses')
  const { unread } = JSON.parse(readFileSync(on(drive, `${report}.json`), 'utf8'))
  t.match(unread[0], { what: 'trace', why: /Access is denied/ })

  await host.ps(
    `$null = Invoke-HostProgram -Name netsh -Argument trace, start, 'tracefile=C:\\other.etl'`,
  )
  const busy = await trace()
  t.match(busy.message, /not in the report: trace, /)
  t.strictSame(busy.sessions, ['netsh trace start'], 'a session of another program goes on')
})

scenarioOfAll('a report stays within its size, and names what is not in it', async (t, stage) => {
  const { host, machineAfter } = stage
  const drive = await machineAfter(install, before)
  const log = (name: string) => `C:\\var\\log\\${name}\\${name}.log`
  const huge = on(drive, log('containerd'))
  put(drive, log('containerd'), '')
  truncateSync(huge, 2 * 1024 ** 3)
  appendFileSync(huge, `${'x'.repeat(200_000)} the rest\nthe end\n`)
  mkdirSync(on(drive, log('flanneld')), { recursive: true })
  const words = 'Requested registry access is not allowed.'
  await host.ps(
    `Set-HostFact -Name Routes -Value @(1..400 | ForEach-Object -Process { @{ DestinationPrefix = "10.0.$_.0/24"; NextHop = '192.0.2.1' } })
    Set-HostFact -Name Events -Value @($with.long)
    Add-HostFault -On 'w32tm /query' -Message $with.words -Times 9
    Stop-Service -Name containerd -Force`,
    { long: 'y'.repeat(20_000), words },
  )
  const { result, report, size } = await reportOf(host, drive)
  t.ok(size < 1_000_000, `${size} characters`)
  t.equal(report.logs[log('containerd')], 'the end', 'what is cut in two is left out')
  t.match(report.logs[log('flanneld')], { error: /\S/ })
  t.equal(typeof report.logs['C:\\var\\log\\winnode\\winnode.log'], 'string', 'and the others')
  t.equal(report.routes.length, 300)
  t.ok(report.events[0].Message.length < 5000)
  const why = Object.fromEntries(
    report.unread.map((one: { what: string; why: string }) => [one.what, one.why]),
  )
  t.match(why, {
    [log('flanneld')]: /\S/,
    routes: /only 300 of 401 are in the report/,
    pods: /containerd does not run/,
    'w32tm.exe /query /status': new RegExp(words),
  })
  for (const what of Object.keys(why)) t.match(result.message, what, 'printed, too')
})

scenarioOfAll('a report of a machine that is ill', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(install, before)
  const state = 'C:\\ProgramData\\winnode\\state.json'
  const folder = 'C:\\var\\log\\winnode'
  const good = readFileSync(on(drive, state), 'utf8')
  put(drive, state, good.slice(0, 100))
  const broken = await reportOf(host, drive)
  t.match(broken.result, { exitCode: 0, message: /not in the report: .*state\.json/ })
  t.match(broken.report.unread, [{ what: state, why: /the state file .* cannot be used/ }])
  t.match(broken.report, { state: { joined: false }, steps: [{ id: 'feature' }] })
  put(drive, state, good)
  await host.ps(
    `$list = Get-Acl -LiteralPath $with.state
    $list.SetSecurityDescriptorSddlForm('O:BAG:SYD:(A;;FA;;;SY)(A;;FA;;;BU)', 'Access')
    Set-Acl -LiteralPath $with.state -AclObject $list`,
    { state },
  )
  const foreign = await reportOf(host, drive)
  t.equal(foreign.result.exitCode, 0)
  t.match(foreign.report.unread, [{ what: state, why: /other users can write the state/ }])

  const full = (fact: number) => host.ps(`Set-HostFact -Name FreeSpace -Value ${fact}`)
  await full(0)
  const refused = await reportOf(host, drive)
  t.match(refused.result, {
    exitCode: 1,
    message: /not enough space.*; use -Destination for another/,
  })
  t.strictSame(readdirSync(on(drive, folder)), ['winnode.log'], 'half of one is taken away')
  await full(50 * 1024 ** 3)

  await host.ps(
    `$global:held = [System.IO.File]::Open((Convert-Path -LiteralPath $with.folder) + '/winnode-report.lock', 'OpenOrCreate', 'ReadWrite', 'None')`,
    { folder },
  )
  const second = await reportOf(host, drive)
  t.match(second.result, { exitCode: 1, message: /another report is being written to C:/ })
  await host.ps('$global:held.Dispose()')
  t.match((await reportOf(host, drive)).result, { exitCode: 0 })
  const names = ['winnode-report.json', 'winnode-report.zip', 'winnode.log']
  t.strictSame(readdirSync(on(drive, folder)).sort(), names)
})

scenarioOfAll('a report from a machine of others', async (t, { host, machine }) => {
  const drive = await machine(before)
  const bare = await host.describe()
  await host.ps(
    `$null = & 'C:\\win-node\\Export-WinNodeReport.ps1' -AsJson -Destination 'C:\\share' 6>$null`,
  )
  t.strictSame(
    differences(bare, await host.describe()).filter((line) => !line.startsWith('path C:\\share')),
    [],
    'where it is named, nothing is written elsewhere',
  )
  await host.ps(`$null = New-Item -ItemType Directory -Path 'C:\\var\\log'
    $list = Get-Acl -LiteralPath 'C:\\var'
    $list.SetSecurityDescriptorSddlForm('O:S-1-5-21-1-2-3-1001G:SYD:(A;OICI;FA;;;SY)', 'Owner, Access')
    Set-Acl -LiteralPath 'C:\\var' -AclObject $list`)
  const { result } = await reportOf(host, drive)
  t.match(result, {
    exitCode: 2,
    message: /C:.var is owned by S-1-5-21.*use -Destination for another/,
  })
  t.strictSame(readdirSync(on(drive, 'C:\\var\\log')), [])
})

scenarioOfAll('what hangs is left behind', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(install, before)
  await host.ps(`Import-Module -Name 'C:\\win-node\\WinNode.Report.psm1'`)
  const beside = async (script: string, seconds: number): Promise<unknown> =>
    host.ps(
      `& (Get-Module -Name WinNode.Loop) { param($Seconds)
        try { & $script:NodeBeside -Script { ${script} } -Seconds $Seconds } catch { "$_" }
      } $with.seconds`,
      { seconds },
    )
  t.equal(await beside(`'here'`, 30), 'here')
  // What nothing can end, as a cmdlet that waits for a service.
  t.equal(await beside('[System.Threading.Thread]::Sleep(5000)', 1), 'no answer within 1 s')
  t.equal(await beside(`throw 'no'`, 30), 'no')
  t.equal(await beside(`'still here'`, 30), 'still here', 'and the next one is answered')
  t.match(await beside(`Get-Item -LiteralPath '/nowhere'`, 30), /nowhere/)

  const clock = (): Promise<number> =>
    host.ps('& (Get-Module -Name host) { $script:Machine.Seconds }')
  const [from, hour] = [await clock(), 3600]
  await host.ps(
    `'Win32_OperatingSystem', 'Win32_Process', 'crictl --image-endpoint' |
      ForEach-Object -Process { Add-HostFault -On $_ -Hangs $with.hour -Times 99 }`,
    { hour },
  )
  const { result, report } = await reportOf(host, drive)
  t.equal(result.exitCode, 0)
  t.match(report, {
    windows: { started: { error: 'no answer within 20 s' }, build: Number },
    memory: { error: 'no answer within 20 s' },
    containers: { images: { error: 'no answer within 20 s' } },
    steps: { error: 'no answer within 180 s' },
    preflight: { error: 'no answer within 180 s' },
    facts: { nodeName: 'node-a' },
    health: [],
  })
  t.equal((await clock()) - from, 3 * 20 + 2 * 180, 'a report waits no longer for each part')
})

scenario('a containerd that is slow, and one that hangs', async (t, { host, machineAfter }) => {
  await machineAfter(install, before)
  await host.ps(`Import-Module -Name 'C:\\win-node\\WinNode.psm1'`)
  const asked = (where: string, seconds: number, words: string): Promise<string> =>
    host.ps(
      `Add-HostFault -On $with.where -Hangs $with.seconds
      & (Get-Module -Name WinNode.Loop) { param($Words)
        try { $null = Invoke-NodeCrictl -Program 'C:\\k\\crictl.exe' @Words; 'answered' } catch { "$_" }
      } @{ ArgumentList = @(${words}) }`,
      { where, seconds },
    )
  const [list, remove] = [`'pods', '-o', 'json'`, `'rmp', '--all', '--force'`]
  t.equal(await asked('crictl pods', 90, list), 'answered', 'as long as the kubelet waits')
  t.equal(await asked('crictl rmp', 90, remove), 'answered')
  t.match(await asked('crictl pods', 200, list), /crictl\.exe: exit code 1: .*DeadlineExceeded/)
  const hangs = 'crictl --runtime-endpoint'
  t.equal(await asked(hangs, 1800, list), 'C:\\k\\crictl.exe: no answer within 120 s')
  const image = { crictl: 'C:\\k\\crictl.exe', image: 'registry.example.com/large:1', id: 'image' }
  const pulled = await host.ps(
    `Add-HostFault -On $with.hangs -Hangs 1800 -Times 9
    & (Get-Module -Name WinNode.Loop) { param($Step)
      try { $null = Set-NodeImagePull -Step $Step; 'pulled' } catch { "$_" }
    } $with.image`,
    { hangs, image },
  )
  t.equal(pulled, 'pulled')
})
