// Files that other users could have written are not trusted.
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { sha256 } from '../host/bundle.ts'
import { callsBeside, install, joined, loop, ready, succeeded, token } from '../host/course.ts'
import { credentials, everyKind } from '../host/every-kind.ts'
import { type Host, type JsonRun, trouble } from '../host/host.ts'
import { scenario, scenarioOfAll } from '../host/stage.ts'
import { everything } from '../tools/everything.ts'
import { sign, signature } from '../tools/sign.ts'

const document = everyKind()
const stranger = 'S-1-5-21-1-2-3-1001'

/** Gives paths an owner and an access list: by default of an ordinary user. */
async function own(
  host: Host,
  paths: readonly string[],
  sddl = `O:${stranger}D:P(A;OICI;FA;;;${stranger})(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`,
): Promise<void> {
  await host.ps(
    `foreach ($path in $with.paths) {
      $list = Get-Acl -LiteralPath $path
      $list.SetSecurityDescriptorSddlForm($with.sddl, 'Owner, Access')
      Set-Acl -LiteralPath $path -AclObject $list
    }`,
    { paths, sddl },
  )
}

/** A user creates a file, with its parent folders. */
function plant(drive: string, file: string, text = 'program planted'): void {
  const full = path.join(drive, file.slice('C:\\'.length).replaceAll('\\', '/'))
  mkdirSync(path.dirname(full), { recursive: true })
  writeFileSync(full, text)
}

/** Nothing was changed, and the message contains this. */
const refused = (message: RegExp) => ({ code: 2, calls: [], writes: 0, result: { message } })
const refusedOwner = (message: RegExp) => ({
  code: 2,
  calls: [],
  writes: 0,
  result: { preflight: [{ id: 'owner', passed: false, message }] },
})
const onlyFailed = (run: JsonRun) => ({
  ...run,
  calls: callsBeside(run),
  result: { ...run.result, preflight: run.result.preflight.filter(({ passed }) => !passed) },
})

const memory = 'C:\\ProgramData\\winnode\\state.json'

/** A memory that makes winnode take a program for the one that it fetched itself. */
function memoryOf(text: string): string {
  const digest = sha256(text)
  const url = 'https://example.com/v1.36.0/kubelet.exe'
  const receipt = { url, sha256: digest, files: { 'C:\\k\\kubelet.exe': digest } }
  return JSON.stringify({ receipts: { 'kubelet-program': receipt } })
}

scenario('a state file that another user created', async (t, { host, machine }) => {
  const refusal = refused(/other users can write the state in C:\\ProgramData\\winnode/)
  for (const [what, whose] of Object.entries({
    'his folder': ['C:\\ProgramData\\winnode', memory],
    'his folder, though it is empty': ['C:\\ProgramData\\winnode'],
    'his file in a folder of Administrators': [memory],
  })) {
    const drive = await machine(document)
    mkdirSync(path.join(drive, 'ProgramData/winnode'), { recursive: true })
    if (whose.includes(memory)) plant(drive, memory, memoryOf('program planted'))
    await own(host, whose)
    const before = await host.describe()
    for (const script of ['Install', 'Join', 'Reset'] as const)
      t.match(await host.run(script), refusal, `${what}: ${script}`)
    t.match(await host.run('Suspend', { For: '2h' }), refusal, `${what}: Suspend`)
    t.match(await host.run('Test'), { ...refusal, code: 6 }, `${what}: Test`)
    t.strictSame(await host.describe(), before, `${what}: nothing was changed`)
    rmSync(drive, { recursive: true })
  }
})

scenarioOfAll('a memory behind a link', async (t, { host, machine }) => {
  const drive = await machine(document)
  mkdirSync(path.join(drive, 'Users/bob'), { recursive: true })
  symlinkSync(path.join(drive, 'Users/bob'), path.join(drive, 'ProgramData/winnode'))
  t.match(await host.run('Install'), refused(/C:\\ProgramData\\winnode is a link/))
})

scenarioOfAll('a memory in a folder that has lost its list', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(install, document)
  const everybody = 'O:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;BU)'
  await own(host, ['C:\\ProgramData\\winnode'], everybody)
  t.match(await host.run('Install'), refused(/C:\\ProgramData\\winnode can be changed by BU/))
  // Users that may look at it, and may change nothing, are no danger: it is closed again.
  await own(host, ['C:\\ProgramData\\winnode'], everybody.replace('0x1301bf', '0x1200a9'))
  succeeded(await host.run('Install'))
  t.match(
    await host.ps(`(Get-Acl -LiteralPath 'C:\\ProgramData\\winnode').Sddl`),
    /^O:BAG:SYD:PAI[^U]*$/,
  )
  await own(host, [memory], `O:BAD:(A;;FA;;;WD)`)
  t.match(await host.run('Test'), {
    code: 6,
    result: { message: /state\.json can be changed by WD/ },
  })
  t.ok(drive)
})

/** Files of another user before an installation, and the message for them. */
const planted: Readonly<
  Record<string, readonly [plant: readonly string[], whose: readonly string[], says: RegExp]>
> = {
  'a program folder': [
    ['C:\\k\\kubelet.exe'],
    ['C:\\k', 'C:\\k\\kubelet.exe'],
    /C:\\k is owned by S-1-5-21-1-2-3-1001/,
  ],
  'the folder of logs': [
    ['C:\\var\\log\\winnode\\winnode.log'],
    ['C:\\var\\log\\winnode'],
    /C:\\var\\log\\winnode is owned by/,
  ],
  'a library beside the programs': [
    ['C:\\k\\version.dll'],
    ['C:\\k\\version.dll'],
    /C:\\k\\version\.dll is owned by/,
  ],
  'a parent of programs': [['C:\\opt\\x'], ['C:\\opt'], /C:\\opt is owned by/],
  'a parent of configuration': [['C:\\etc\\kubernetes\\x'], ['C:\\etc'], /C:\\etc is owned by/],
  'a parent of data': [['C:\\var\\x'], ['C:\\var'], /C:\\var is owned by/],
  'what flanneld leaves': [['C:\\run\\flannel\\subnet.env'], ['C:\\run'], /C:\\run is owned by/],
  'a program in a folder of Administrators': [
    ['C:\\k\\kubelet.exe'],
    ['C:\\k\\kubelet.exe'],
    /C:\\k\\kubelet\.exe is owned by/,
  ],
}

scenario('files that another user created before an installation', async (t, { host, machine }) => {
  const all = Object.entries(planted)
  const some = everything ? all : all.slice(0, 4)
  for (const [what, [files, whose, says]] of some) {
    const drive = await machine(document)
    for (const file of files) plant(drive, file)
    await own(host, whose)
    const before = await host.describe()
    const run = await host.run('Install')
    t.match(onlyFailed(run), refusedOwner(says), what)
    const kept =
      /^path C:\\(ProgramData\\winnode|var|var\\log|var\\log\\winnode)(\\(lock|winnode\.log))?$/
    t.strictSame(
      Object.entries(await host.describe()).filter(
        ([name, is]) => before[name] !== is && !kept.test(name),
      ),
      [],
      `${what}: nothing was changed`,
    )
    rmSync(drive, { recursive: true })
  }
})

scenarioOfAll('names that winnode gives for a moment', async (t, { host, machine }) => {
  const drive = await machine(document)
  const files = ['winnode-new', 'winnode-made', 'winnode-made.winnode-new', 'winnode-old'].map(
    (end) => `C:\\etc\\node.json.${end}`,
  )
  for (const file of files) plant(drive, file)
  await own(host, files)
  await install(host)
  const list = await host.ps(`(Get-Acl -LiteralPath 'C:\\etc\\node.json').Sddl`)
  t.match(list, /^O:BAG/, 'another user who owned them gets no access')
  t.notMatch(list, stranger)
})

scenario('folders that are links', async (t, { host, machine }) => {
  for (const folder of ['k', 'etc/kubernetes']) {
    const drive = await machine(document)
    mkdirSync(path.join(drive, 'Users/bob'), { recursive: true })
    mkdirSync(path.dirname(path.join(drive, folder)), { recursive: true })
    symlinkSync(path.join(drive, 'Users/bob'), path.join(drive, folder))
    const name = folder.replaceAll('/', '\\\\')
    t.match(
      onlyFailed(await host.run('Install')),
      refusedOwner(new RegExp(`C:\\\\${name} is a link`)),
      folder,
    )
    rmSync(drive, { recursive: true })
  }
})

const server = 'D:PAI(A;OICIIO;GA;;;CO)(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'
const me = 'S-1-5-21-1-2-3-1000'
const mine = `(A;ID;FA;;;${me})(A;ID;FA;;;SY)(A;ID;FA;;;BA)`

/** Folders and files as Windows and people leave them, and what is wrong with them. */
const lists: Readonly<Record<string, readonly [sddl: string, says: RegExp | '', file?: true]>> = {
  'what an administrator makes below C:\\ of Windows Server': [
    `O:BAD:AI(A;OICIID;FA;;;BA)(A;OICIID;FA;;;SY)(A;OICIID;0x1200a9;;;BU)(A;CIID;LC;;;BU)(A;CIID;DC;;;BU)(A;OICIIOID;GA;;;CO)`,
    '',
  ],
  'what he makes without Run as administrator': [`O:${me}D:AI${mine}(A;CIID;DC;;;BU)`, ''],
  'what he moved out of his profile': [`O:BAD:AI${mine}`, '', true],
  'what a colleague made so': [
    `O:${stranger}D:AI(A;ID;FA;;;${stranger})(A;ID;FA;;;BA)`,
    /is owned by S-1-5-21-1-2-3-1001$/,
  ],
  'what a colleague moved out of his profile': [
    `O:BAD:AI(A;ID;FA;;;${stranger})(A;ID;FA;;;BA)`,
    /can be changed by S-1-5-21-1-2-3-1001, inherited from its folder$/,
    true,
  ],
  'a data disk as Windows Server formats it': [
    `O:BA${server}(A;CI;LC;;;BU)(A;CIIO;DC;;;BU)(A;OICI;0x1200a9;;;BU)(A;;0x1200a9;;;WD)`,
    '',
  ],
  'a folder of a data disk that users may change': [
    `O:BAD:AI(A;OICIID;FA;;;BA)(A;OICIID;0x1301bf;;;AU)`,
    /can be changed by AU \(Authenticated Users\), inherited from its folder$/,
  ],
  'a folder that a policy gave to the administrators of the domain': [
    'O:DAD:PAI(A;OICI;FA;;;DA)(A;OICI;FA;;;EA)(A;OICI;FA;;;SY)(A;OICI;FA;;;OW)',
    '',
  ],
  'C:\\Program Files': [
    'O:S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464D:PAI(A;;0x1301bf;;;BA)(A;OICIIO;GA;;;BA)(A;;0x1301bf;;;SY)(A;;0x1200a9;;;BU)(A;OICIIO;GA;;;CO)(A;;0x1200a9;;;AC)(A;;FA;;;S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464)',
    '',
  ],
  'C:\\ProgramData': [`O:SY${server}(A;OICI;0x1200a9;;;BU)(A;CI;DCLCRPCR;;;BU)`, ''],
  'C:\\Windows\\Temp': ['O:SYD:PAI(A;CI;0x100026;;;BU)(A;OICI;FA;;;BA)(A;OICI;FA;;;SY)', ''],
  'a share of everybody': ['O:BAD:(A;OICI;GA;;;WD)', /by WD \(Everyone\)$/],
  'a file that users may only read': ['O:BAD:AI(A;ID;FA;;;BA)(A;ID;0x1200a9;;;BU)', '', true],
  'a file that a service may append to': ['O:SYD:(A;;0x4;;;LS)', /can be changed by LS$/, true],
  'a folder that a user may rename': [`O:SYD:(A;;SD;;;${stranger})`, /can be changed by S-1-5/],
  'no list at all': ['O:BAD:NO_ACCESS_CONTROL', /has no access list$/],
}

scenario('lists of typical machines', async (t, { host, machine }) => {
  const drive = await machine(document)
  mkdirSync(path.join(drive, 'any/folder'), { recursive: true })
  writeFileSync(path.join(drive, 'any/file'), '')
  const asked = Object.values(lists).map(([sddl, , file]) => ({
    sddl,
    at: file ? 'C:\\any\\file' : 'C:\\any\\folder',
  }))
  const found = await host.ps<readonly string[]>(
    `Import-Module -Name 'C:\\win-node\\WinNode.psm1' -Force
    foreach ($one in $with.asked) {
      $path = (Convert-Path -LiteralPath $one.at)
      [WinNodeHost.AccessList]::Write($path, $one.sddl)
      "" + (& (Get-Module -Name WinNode.Loop) { param($at) Get-NodeDistrust -LiteralPath $at } $one.at)
    }`,
    { asked },
  )
  for (const [index, [what, [, says]]] of Object.entries(lists).entries())
    if (says === '') t.equal(found[index], '', what)
    else t.match(found[index], says, what)
})

scenarioOfAll('a policy makes the creator the owner', async (t, { host, machine }) => {
  await machine(document)
  await host.ps('Set-HostSwitch -Name MakersOwn -Value $true')
  await install(host)
  const log = 'C:\\var\\log\\winnode\\winnode.log'
  for (const one of ['C:\\opt', 'C:\\k', 'C:\\k\\kubelet.exe', 'C:\\etc\\node.json', memory, log])
    t.match(await host.ps('(Get-Acl -LiteralPath $with.one).Sddl', { one }), /^O:BAG/, one)
})

scenario(
  'a folder of winnode that other users could write to',
  async (t, { host, machineAfter }) => {
    const drive = await machineAfter(install, document)
    // The step resets an access list, never an owner.
    await own(host, ['C:\\k'], `O:BAD:PAI(A;OICI;FA;;;BA)(A;OICI;FA;;;WD)`)
    plant(drive, 'C:\\k\\version.dll')
    await own(host, ['C:\\k\\version.dll'])
    for (const run of ['once', 'again'])
      t.match(
        trouble((await host.run('Install')).result),
        /folder Failed: other users may have written to the folder: C:\\k\\version\.dll is owned by/,
        run,
      )
    rmSync(path.join(drive, 'k/version.dll'))
    succeeded(await host.run('Install'))
    t.match(
      await host.ps(`(Get-Acl -LiteralPath 'C:\\k').Sddl`),
      /^O:BAG:SYD:PAI[^W]*$/,
      'is ours again',
    )
  },
)

scenario('the folder of the bundle', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(install, document)
  const at = (Path: string) => host.run('Install', { Path })
  await own(host, ['C:\\win-node'], 'O:BAD:PAI(A;OICI;FA;;;BA)(A;OICI;0x1301bf;;;AU)')
  t.match(
    onlyFailed(await at('C:\\win-node')),
    refusedOwner(
      /C:\\win-node can be changed by AU \(Authenticated Users\), .*Inspect them: remove them, or, if it is yours, run icacls\.exe 'C:\\win-node' \/setowner '\*S-1-5-32-544' \/T; icacls\.exe 'C:\\win-node' \/reset \/T$/,
    ),
  )
  await own(host, ['C:\\win-node'], `O:${me}D:AI(A;OICI;FA;;;${me})(A;OICI;FA;;;BA)`)
  succeeded(await at('C:\\win-node'))
  await own(host, ['C:\\win-node\\files'])
  t.match(onlyFailed(await at('C:\\win-node')), refusedOwner(/C:\\win-node\\files is owned by/))
  const to = path.join(drive, 'win-node')
  await host.ps(
    `Set-HostFact -Name Volumes -Value @(@{ DeviceID = 'E:'; DriveType = 5; FileSystem = 'UDF'; FreeSpace = 0 })
    $null = New-PSDrive -Name E -PSProvider FileSystem -Root $with.to -Scope Global`,
    { to },
  )
  t.teardown(async () => host.ps('Remove-PSDrive -Name E -Scope Global -ErrorAction Ignore'))
  t.match(await at('E:\\'), { code: 0 }, 'a disc has no lists')
  await own(host, ['C:\\'], 'O:BAD:PAI(A;OICI;FA;;;BA)(A;OICI;FA;;;WD)')
  t.match(
    await at('E:\\'),
    refused(/C:\\ can be changed by WD \(Everyone\), .*remove their write access/),
  )
})

scenarioOfAll('a folder of Administrators is taken over', async (t, { host, machine }) => {
  const drive = await machine(document)
  plant(drive, 'C:\\k\\readme.txt', 'of the image')
  await install(host)
  t.match(await host.ps(`(Get-Acl -LiteralPath 'C:\\k').Sddl`), /^O:BAG:SYD:PAI/)
  t.equal(readFileSync(path.join(drive, 'k/readme.txt'), 'utf8'), 'of the image')
})

scenario('files that another user created before a join', async (t, stage) => {
  const { host } = stage
  await ready(stage)
  const file = 'C:\\etc\\kubernetes\\discovery.conf'
  await own(host, [file])
  t.match(
    onlyFailed(await host.run('Join', { Token: token })),
    refusedOwner(/discovery\.conf is owned by/),
  )
})

scenario('a bundle that is not as it was rendered', async (t, { host, machineAfter }) => {
  const drive = await machineAfter(install, document)
  const at = (name: string) => path.join(drive, 'win-node', name)
  const append = (name: string, text: string) => () => appendFileSync(at(name), text)
  const changes: Readonly<Record<string, readonly [change: () => void, says: RegExp | '']>> = {
    'node.json, edited': [
      () =>
        writeFileSync(
          at('node.json'),
          readFileSync(at('node.json'), 'utf8').replace('10250', '1025'),
        ),
      /node\.json was modified after it was rendered/,
    ],
    'node.json out of git on Windows': [
      () =>
        writeFileSync(
          at('node.json'),
          readFileSync(at('node.json'), 'utf8').replaceAll('\n', '\r\n'),
        ),
      /\S+node\.json has CR LF line ends.* \* -text to \.gitattributes/,
    ],
    'node.json without its digest': [
      () =>
        writeFileSync(
          at('node.json'),
          readFileSync(at('node.json'), 'utf8').replace(/"sha256": "\w+"/, '"sha256": ""'),
        ),
      /node\.json was modified/,
    ],
    'the module': [append('WinNode.psm1', '# mine\n'), /WinNode\.psm1 was modified/],
    'a script that does not run now': [
      append('Reset-WinNode.ps1', '# mine\n'),
      /Reset-WinNode\.ps1 was modified/,
    ],
    'a file of a program': [
      append('files/containerd/config.toml', '# mine\n'),
      /config\.toml was modified/,
    ],
    'a file that is gone': [() => rmSync(at('Join-WinNode.ps1')), /Join-WinNode\.ps1 is missing/],
    'every script signed': [() => sign(at(''), '\n'), ''],
    'every script signed, with CR LF line ends': [() => sign(at('')), ''],
    'a script with CR LF line ends': [
      () =>
        writeFileSync(
          at('Reset-WinNode.ps1'),
          readFileSync(at('Reset-WinNode.ps1'), 'utf8').replaceAll('\n', '\r\n'),
        ),
      /Reset-WinNode\.ps1 was modified/,
    ],
    'a script that only seems signed': [
      append('Reset-WinNode.ps1', `${signature}New-Item C:\\owned\r\n`),
      /Reset-WinNode\.ps1 was modified/,
    ],
  }
  for (const [what, [change, says]] of Object.entries(changes)) {
    cpSync(at(''), `${drive}.kept`, { recursive: true })
    change()
    const run = await host.run('Install')
    if (says === '') t.match(run, { code: 0 }, what)
    else t.match(run, refused(says), what)
    if (says !== '') t.match(await host.run('Test'), { code: 6, result: { message: says } }, what)
    rmSync(at(''), { recursive: true })
    cpSync(`${drive}.kept`, at(''), { recursive: true })
  }
  // The copy that the task runs has no page for people.
  writeFileSync(at('README.md'), 'read me')
  succeeded(await host.run('Install'))
})

scenario('a signed bundle installs, joins and heals', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  sign(path.join(drive, 'win-node'))
  await install(host)
  succeeded(await host.run('Join', { Token: token }))
  const copy = readFileSync(
    path.join(drive, 'ProgramData/winnode/bundle/WinNode.Loop.psm1'),
    'utf8',
  )
  t.ok(copy.endsWith(signature), 'the copy that the task runs is signed, too')
  succeeded(await loop(host))
  succeeded(await host.run('Test'))
})

scenarioOfAll('logs and reports are for Administrators', async (t, { host, machineAfter }) => {
  await machineAfter(install, document)
  const list = async (file: string) =>
    host.ps<string>('(Get-Acl -LiteralPath $with.file).Sddl', { file })
  t.match(await list('C:\\var\\log\\winnode'), /^O:BAG:SYD:PAI(\(A;OICI;FA;;;(BA|SY)\)){2}$/)
  for (const folder of ['C:\\var\\log\\winnode', 'C:\\share']) {
    const Destination = folder.endsWith('share') ? `-Destination '${folder}'` : ''
    const text = await host.ps<string>(
      `(& 'C:\\win-node\\Export-WinNodeReport.ps1' -AsJson ${Destination} 6>$null) -join ''`,
    )
    t.match(JSON.parse(text), { exitCode: 0 })
    for (const name of ['winnode-report.json', 'winnode-report.zip'])
      t.match(
        await list(`${folder}\\${name}`),
        /^O:BAG:SYD:PAI(\(A;;FA;;;(BA|SY)\)){2}$/,
        `${folder}\\${name}`,
      )
  }
})

/** Runs a script until it asks for no restart. */
async function until(host: Host, script: 'Install' | 'Reset'): Promise<JsonRun> {
  for (;;) {
    const run = await host.run(script)
    if (run.code !== 3010) return run
    await host.restart()
  }
}

/** Folders on the way to others, which no step names. */
const parents = ['C:\\opt', 'C:\\opt\\cni']

scenarioOfAll(
  'parents that another user creates after a reset',
  async (t, { host, machineAfter }) => {
    const drive = await machineAfter(install, document)
    const state = path.join(drive, memory.slice('C:\\'.length).replaceAll('\\', '/'))
    const folders = () => JSON.parse(readFileSync(state, 'utf8')).folders as readonly string[]
    t.ok(folders().includes('C:\\opt\\cni'), 'the memory names the folders that were made')
    t.match(await until(host, 'Reset'), { code: 0 })
    t.ok(existsSync(state), 'the memory stays with the Windows feature')
    t.notOk(existsSync(path.join(drive, 'opt')))
    t.strictSame(
      folders().filter((one) => one.startsWith('C:\\opt')),
      [],
      'a removed folder has no name in the memory',
    )
    mkdirSync(path.join(drive, 'opt/cni'), { recursive: true })
    await own(host, parents)
    const says = /C:\\opt is owned by S-1-5-21-1-2-3-1001, C:\\opt\\cni is owned by/
    t.match(onlyFailed(await host.run('Install')), refusedOwner(says))
    t.match(onlyFailed(await host.run('Join', { Token: token })), {
      code: 2,
      result: { preflight: [{ id: 'file-present' }, { id: 'owner', message: says }] },
    })
  },
)

scenarioOfAll('folders and programs of another user on a joined node', async (t, stage) => {
  const { host, machineAfter } = stage
  const drive = await machineAfter(joined, document)
  const administrators = 'O:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)'
  for (const [what, paths] of Object.entries({
    'parents of programs': parents,
    'a program': ['C:\\opt\\cni\\bin\\host-local.exe'],
  })) {
    await own(host, paths)
    const says = new RegExp(`${paths[0]?.replaceAll('\\', '\\\\')} is owned by ${stranger}`)
    t.match(onlyFailed(await host.run('Test')), { ...refusedOwner(says), code: 4 }, `${what}: Test`)
    t.match(onlyFailed(await loop(host)), refusedOwner(says), `${what}: the loop`)
    await own(host, paths, administrators)
    succeeded(await loop(host))
    t.match(await host.run('Test'), { code: 0 }, `${what}: well again`)
  }
  // Their owner is unknown to SYSTEM, which runs the reconcile loop, and to another administrator.
  await own(host, credentials.kubeadm, `O:${stranger}D:AI(A;ID;FA;;;SY)(A;ID;FA;;;BA)`)
  succeeded(await loop(host))
  t.match(await host.run('Test'), { code: 0 }, 'files that an administrator provided')
  t.ok(drive)
})

scenarioOfAll(
  'a state folder that another user created again',
  async (t, { host, machineAfter }) => {
    for (const [first, gone] of [
      ['C:\\opt', parents],
      ['C:\\k', ['C:\\k']],
    ] as const) {
      const drive = await machineAfter(install, document)
      const at = (folder: string) =>
        path.join(drive, folder.slice('C:\\'.length).replace('\\', '/'))
      rmSync(at(first), { recursive: true })
      for (const folder of gone) mkdirSync(at(folder))
      await own(host, gone)
      const says = new RegExp(`${first.replaceAll('\\', '\\\\')} is owned by`)
      t.match(onlyFailed(await host.run('Install')), refusedOwner(says), first)
      await own(host, gone, `O:BAD:PAI(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)`)
      succeeded(await host.run('Install'))
    }
  },
)

scenarioOfAll('a folder that another user creates at the same time', async (t, stage) => {
  const { host, machine } = stage
  const drive = await machine(document)
  // The module is loaded by the first run, and stays loaded.
  await host.run('Test')
  await host.ps(`& (Get-Module -Name WinNode.Loop) {
    $script:Saves = (Get-Item -Path function:Save-NodeState).ScriptBlock
    Set-Item -Path function:script:Save-NodeState -Value {
      & $script:Saves
      if ($script:Run.State['folders'] -notcontains 'C:\\opt' -or (Test-Path -LiteralPath 'C:\\opt')) { return }
      $null = New-Item -ItemType Directory -Path 'C:\\opt\\cni' -Force
      foreach ($path in 'C:\\opt', 'C:\\opt\\cni') {
        $list = Get-Acl -LiteralPath $path
        $list.SetSecurityDescriptorSddlForm('O:${stranger}D:P(A;OICI;FA;;;${stranger})(A;OICI;FA;;;SY)', 'Owner, Access')
        Set-Acl -LiteralPath $path -AclObject $list
      }
    }
  }`)
  const run = await until(host, 'Install')
  await host.ps(`& (Get-Module -Name WinNode.Loop) {
    Set-Item -Path function:script:Save-NodeState -Value $script:Saves
  }`)
  t.match(
    trouble(run.result),
    /Failed: C:\\opt\\cni\\bin: other users may have written to it: C:\\opt is owned by S-1-5-21-1-2-3-1001/,
  )
  t.strictSame(readdirSync(path.join(drive, 'opt/cni/bin')), [], 'no file was written there')
})
