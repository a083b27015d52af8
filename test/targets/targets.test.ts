// Targets: what they make of a bundle, where it goes, and that it arrives.
import { spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { singleFile } from '../../src/targets/single-file.ts'
import type { Input } from '../../src/targets/target.ts'
import { bring, install, token } from '../host/course.ts'
import { everyKind, nodeDocument } from '../host/every-kind.ts'
import { processUserData } from '../judge/cloudbase-init/user-data.ts'
import { type Channel, channels } from '../../src/model/channel.ts'
import type { TargetSettings } from '../../src/model/target-settings.ts'
import { userdata } from '../../src/targets/userdata.ts'
import { channelRows } from '../../src/targets/userdata/channels.ts'
import { fits } from '../../src/targets/userdata/sizes.ts'
import { parse } from 'yaml'
import { differences, type Host, type JsonRun, type Run, trouble } from '../host/host.ts'
import { scenario } from '../host/stage.ts'
import { zipOf } from '../../src/targets/archive.ts'
import { targets } from '../../src/targets/index.ts'
import { inProcess, program, shell, spawned, root } from '../tools/run.ts'
import { bundleIn, filesBelow, targetInput, withTargets } from '../tools/targets.ts'
import { blocksOf } from '../docs/readme.ts'
import { unzipped } from './unzipped.ts'
import { everything as all } from '../tools/everything.ts'

const profile = 'ws2022-flannel-overlay'
const asOf = ['--as-of', '2026-11-20']

const render = (...argv: readonly string[]) => inProcess(['render', profile, ...asOf, ...argv])

const digestOf = (content: Buffer | Uint8Array) =>
  createHash('sha256').update(content).digest('hex')

const below = (prefix: string, files: ReadonlyMap<string, Buffer>) =>
  new Map(
    [...files].flatMap(([name, content]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), content] as const] : [],
    ),
  )

const whole = await targetInput(profile)

t.test('each target matches its declaration', async (t) => {
  const overview = readFileSync(path.join(root, 'docs/pipelines/README.md'), 'utf8')
  await Promise.all(
    Object.entries(targets).map(async ([name, load]) => {
      const target = await load()
      t.equal(target.name, name, 'it stands under its name')
      const row = `| [\`${name}\`](`
      t.ok(overview.includes(`\n${row}`), `docs/pipelines/README.md has the row ${row}`)
      const made = await target.make(whole)
      if (made.kind === 'made') {
        if (target.single) t.equal(made.files.length, 1, `${name} makes one file`)
        t.ok(made.next.length > 0, `${name} prints the next steps`)
        for (const line of made.next) t.match(line, /^\S.*[^.\s]$/, `${name} says it without a dot`)
      }
    }),
  )
})

t.test('one target is written above the bundle, several beside each other', async (t) => {
  const folder = t.testdir({})
  const out = (name: string) => path.join(folder, name)
  await render('--out', out('plain'))
  const plain = filesBelow(out('plain'))

  const one = await render('--for', 'zip', '--out', out('one'), '--json')
  t.equal(one.code, 0, one.stdout)
  const files = filesBelow(out('one'))
  t.strictSame(below('bundle/', files), plain, 'the bundle is the same')
  const rest = [...files.keys()].filter((name) => !name.startsWith('bundle/'))
  t.strictSame(rest, ['winnode.json', `${profile}.zip`])
  t.strictSame(JSON.parse(one.stdout).targets, ['zip'])
  const { files: listed } = JSON.parse(String(files.get('winnode.json')))
  for (const { path: name, sha256 } of listed)
    t.equal(sha256, digestOf(files.get(name) ?? Buffer.of()))
  t.equal(listed.length, files.size - 1, 'each file is listed')

  await render('--for', 'zip,plain', '--out', out('two'))
  const both = filesBelow(out('two'))
  t.strictSame(below('plain/', both), plain)
  t.strictSame(below('zip/', both), new Map([...files].filter(([name]) => name !== 'winnode.json')))
  const same = await render('--for', 'plain', '--for', 'zip', '--for', 'zip', '--out', out('two'))
  t.match(same.stderr, /: \d+ same;/, 'in any order, each once')
  const bare = await render('--for', 'plain', '--out', out('plain'))
  t.match(bare.stderr, /: \d+ same;/, 'plain is what there is without it')
})

t.test('an output is written as a bundle is', async (t) => {
  const out = path.join(t.testdir({}), 'out')
  const zip = ['--for', 'zip', '--out', out]
  const dry = await render(...zip, '--dry-run')
  t.match(dry.stdout, /^new +bundle\/node\.json$/m)
  t.notOk(existsSync(out), 'nothing is written')
  const first = await render(...zip)
  const archive = readFileSync(path.join(out, `${profile}.zip`))
  t.match(first.stderr, `${profile}.zip (sha256 ${digestOf(archive)})`, 'the digest is said')
  t.match((await render(...zip)).stderr, /: \d+ same;/)
  t.match((await render(...zip, '--diff')).stdout, /^$/, 'no difference')

  writeFileSync(path.join(out, 'mine.txt'), 'mine')
  appendFileSync(path.join(out, 'bundle/README.md'), 'edited')
  appendFileSync(path.join(out, `${profile}.zip`), 'edited')
  const refused = await render(...zip)
  t.equal(refused.code, 5)
  t.match(refused.stderr, /bundle\/README\.md was modified by hand/)
  t.match(refused.stderr, /\.zip was modified by hand/)
  t.equal((await render(...zip, '--force')).code, 0)
  t.strictSame(readFileSync(path.join(out, `${profile}.zip`)), archive)

  t.equal((await render('--out', out)).code, 0, 'the same folder as a bundle')
  t.notOk(existsSync(path.join(out, 'bundle')) || existsSync(path.join(out, 'winnode.json')))
  t.equal((await render(...zip)).code, 0, 'and back')
  t.notOk(existsSync(path.join(out, 'node.json')))
  t.equal(readFileSync(path.join(out, 'mine.txt'), 'utf8'), 'mine', 'what is not ours stays')
  const { code, stderr } = await inProcess(['drift', profile, out, ...asOf])
  t.equal(code, 0, `drift finds the bundle: ${stderr}`)
})

t.test('an archive holds the bundle, with the same bytes everywhere', async (t) => {
  const folder = t.testdir({})
  await render('--out', path.join(folder, 'plain'))
  const argv = ['render', profile, ...asOf, '--for', 'zip', '--out', '-', '--quiet']
  const digests = ['America/St_Johns', 'Pacific/Apia'].map((TZ) => {
    const archive = path.join(folder, 'node.zip')
    const options = { cwd: root, env: { TZ } }
    t.equal(shell(`exec "$0" "$@" > '${archive}'`, [...program, ...argv], options).code, 0, TZ)
    return digestOf(readFileSync(archive))
  })
  t.equal(new Set(digests).size, 1, 'of the time zone they know nothing')
  const unpacked = unzipped(readFileSync(path.join(folder, 'node.zip')))
  t.strictSame(unpacked, filesBelow(path.join(folder, 'plain')))
  // Of each version of Node.js: a new digest here breaks every pinned archive.
  const text = 'one line of text\n'.repeat(1000)
  const files = ['a.txt', 'b/c.txt'].map((name) => ({ path: name, content: Buffer.from(text) }))
  t.equal(
    digestOf(zipOf(files)),
    '21a2e55f751b42dbb70a30336d493a0a805c2ec6e0d588ff2b631065831780b4',
  )
})

t.test('standard output takes one file, standard input gives a profile', async (t) => {
  const folder = t.testdir({
    'base.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${profile}\n`,
  })
  const say = async (...argv: readonly string[]) => (await render(...argv, '--out', '-')).stderr
  t.match(await say(), '--out - needs --only FILE, or a target of one file')
  t.match(await say('--for', 'zip,plain'), '--out - needs --only FILE, or a target of one file')
  t.match(await say('--for', 'zip', '--only', 'bundle/node.jsn'), 'did you mean bundle/node.json?')
  t.match((await render('--only', 'node.json', '--out', folder)).stderr, '--only FILE goes with')
  t.match((await render('--for', 'zop', '--out', folder)).stderr, /one of: plain, .*zip/)
  const node = await render('--for', 'zip', '--only', 'bundle/node.json', '--out', '-', '--quiet')
  t.equal(JSON.parse(node.stdout).kind, 'NodeDocument')
  const { base64 } = JSON.parse((await render('--for', 'zip', '--out', '-', '--json')).stdout)
  t.ok(unzipped(Buffer.from(base64, 'base64')).has('node.json'), 'JSON has it in base64')

  const input = 'apiVersion: winnode/v1\nkind: NodeProfile\nextends: ./base.yaml\nname: piped\n'
  const piped = ['render', '-', ...asOf, '--only', 'node.json', '--out', '-', '--quiet']
  const { stdout } = spawned(piped, { cwd: folder, input })
  t.equal(JSON.parse(stdout).name, 'piped', 'it extends a file of the current folder')
  const broken = spawned(piped, { cwd: folder, input: `${input}nme: x\n` })
  t.equal(broken.code, 3)
  t.match(broken.stderr, /standard input:5:1/, 'findings name it')
  t.equal(spawned(['validate', '-', ...asOf], { cwd: folder, input }).code, 0)
})

const userData = async (
  settings: Partial<TargetSettings['userdata']>,
  more: Partial<Input> = {},
): Promise<ReadonlyMap<string, Buffer>> => {
  const output = await userdata.make(withTargets(whole, { userdata: settings }, more))
  if (output.kind === 'refused') throw new Error(JSON.stringify(output.refusals))
  return new Map(output.files.map((file) => [file.path, Buffer.from(file.content)]))
}
t.test('Packer is given the files that Install needs by what the build starts from', async (t) => {
  const ca = 'C:\\etc\\kubernetes\\mirror.crt'
  const mirrors = JSON.stringify({ 'docker.io': [{ url: 'https://mirror.example.com', ca }] })
  const sets = ['targets.packer.builder=vsphere-iso', `registry.mirrors=${mirrors}`]
  const { stderr } = await inProcess([
    ...['render', 'ws2022-flannel-overlay', ...asOf, '--for', 'packer', '--out', t.testdir()],
    ...sets.flatMap((one) => ['--set', one]),
  ])
  const line = `next: the image or media that the build starts from needs ${ca}\n`
  t.ok(stderr.includes(line), stderr)
})

const address = 'https://files.example.com/node.zip'

t.test('user data fits its channel, or is refused with its size', async (t) => {
  const refused = await t.rejects(userData({}))
  const told = String(refused instanceof Error ? refused.message : refused)
  for (const channel of channels)
    t.equal(
      new RegExp(`"user data of ${channel} would have [\\d,]+ bytes, at most [\\d,]+ fit"`).test(
        told,
      ),
      channel !== 'gce',
      channel,
    )
  t.match(told, 'Set targets.userdata.bundleURL')
  t.match(told, 'or set targets.userdata.channels to [gce].')
  const files = await userData({ bundleURL: address })
  for (const channel of channels) {
    const { file, limit } = channelRows[channel]
    const around = [limit.max, limit.max + 1].map((bytes) => fits({ channel, bytes }))
    t.strictSame(around, [true, false], channel)
    const bytes = files.get(file)?.length ?? Infinity
    t.ok(bytes < limit.max, `${channel}: ${bytes} of ${limit.max}`)
  }
  for (const bundleURL of ['C:\\winnode\\web.zip', 'D:\\web.zip', 'Z:\\web.zip']) {
    const stored = await userdata.make(withTargets(whole, { userdata: { bundleURL } }))
    if (stored.kind === 'refused') throw new Error(JSON.stringify(stored.refusals))
    t.ok(
      stored.next.some((line) => line.includes(`.zip as ${bundleURL} (sha256`)),
      bundleURL,
    )
    const script = stored.files.find((file) => file.path.startsWith('gce/'))?.content ?? ''
    t.match(Buffer.from(script).toString(), 'ReadAllBytes((Resolve-NodePath', 'none is downloaded')
  }
  const out = ['--for', 'userdata', '--out', path.join(t.testdir({}), 'out')]
  t.equal((await render(...out)).code, 3, 'the profile does not fit')
  for (const end of ['</powershell>', '${a}.zip']) {
    const field = `targets.userdata.bundleURL=https://a.example.com/${end}`
    const hostile = await render(...out, '--set', field)
    t.equal(hostile.code, 3, 'an address ends no tag, and is no template')
    t.match(hostile.stderr, /error\[bad-value\]/)
  }
  const twice = await userData({ channels: ['gce', 'gce'], bundleURL: address })
  t.equal([...twice.keys()].filter((name) => name.startsWith('gce/')).length, 1)
  await t.rejects(userData({ join: true, bundleURL: address }), {
    message: /join needs join\.tokenFile/,
  })
})

t.test('scripts of the user are read beside the profile, and checked', async (t) => {
  const base = `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ${profile}\n`
  const before = (name: string) =>
    `${base}targets: { userdata: { channels: [gce], bundleURL: ${address}, before: [${name}] } }\n`
  const secret = `$token = 'abcdef.0123456789abcdef'\n`
  const folder = t.testdir({
    'outside.ps1': 'exit 0',
    root: {
      '.winnode-root': '',
      nodes: {
        'good.yaml': before('../scripts/own.ps1'),
        'child.yaml': `apiVersion: winnode/v1\nkind: NodeProfile\nextends: ../nodes/good.yaml\n`,
        'missing.yaml': before('own.ps1'),
        'outside.yaml': before('../../outside.ps1'),
        'link.yaml': before('../scripts/link.ps1'),
        'secret.yaml': before('../scripts/secret.ps1'),
        'folder.yaml': before('../scripts/folder.ps1'),
        'absolute.yaml': before('/etc/own.ps1'),
        'ansi.yaml': before('../scripts/ansi.ps1'),
        'utf16.yaml': before('../scripts/utf16.ps1'),
        'utf16be.yaml': before('../scripts/utf16be.ps1'),
        'after.yaml': before('../scripts/own.ps1').replace(
          'before:',
          'after: [../scripts/secret.ps1], before:',
        ),
        'both.yaml': before('own.ps1').replace('before:', 'after: [none.ps1], before:'),
      },
      scripts: {
        'own.ps1': `\ufeff'${'é'.repeat(3)}'\nexit 0\n`,
        'secret.ps1': secret,
        'ansi.ps1': `"\u2013 done"\n`,
        'utf16.ps1': Buffer.from(`\ufeff${secret}`, 'utf16le'),
        'utf16be.ps1': Buffer.from(`\ufeff${secret}`, 'utf16le').swap16(),
        'folder.ps1': {},
        'link.ps1': t.fixture('symlink', '../../outside.ps1'),
      },
    },
  })
  const nodes = path.join(folder, 'root/nodes')
  const run = (name: string, ...argv: readonly string[]) =>
    inProcess(['render', path.join(nodes, name), '--for', 'userdata', ...asOf, ...argv])
  const out = path.join(folder, 'out')
  t.equal((await run('good.yaml', '--out', out)).code, 0)
  const file = path.join(out, 'gce/startup-script.ps1')
  const payloads = [...readFileSync(file, 'utf8').matchAll(/\$payload = @\(([^)]*)\)/g)]
  const packed = payloads.map(([, lines = '']) =>
    Buffer.from(lines.replaceAll(/[\s']/g, ''), 'base64'),
  )
  t.strictSame(
    packed.map((archive) => unzipped(archive)),
    [new Map([['before/1-own.ps1', readFileSync(path.join(folder, 'root/scripts/own.ps1'))]])],
    'byte for byte',
  )
  t.equal((await run('child.yaml', '--out', path.join(folder, 'child'))).code, 0, 'inherited')
  t.equal((await run('good.yaml', '--out', out, '--check')).code, 0)
  writeFileSync(path.join(folder, 'root/scripts/own.ps1'), 'exit 1')
  t.equal((await run('good.yaml', '--out', out, '--check')).code, 4, 'another script')
  const outside = 'it is outside of the root folder'
  const refusals = {
    'missing.yaml': 'own.ps1: no such file',
    'outside.yaml': `../../outside.ps1: ${outside}`,
    'link.yaml': `../scripts/link.ps1: ${outside}`,
    'folder.yaml': '../scripts/folder.ps1: it is a folder',
    'secret.yaml':
      '../scripts/secret.ps1 contains a bootstrap token, and user data would contain it',
    'after.yaml':
      '../scripts/secret.ps1 contains a bootstrap token, and user data would contain it',
    'absolute.yaml': 'it must be a relative path of a .ps1',
    // Its last byte is a quotation mark in code page 1252.
    'ansi.yaml': '../scripts/ansi.ps1 has no byte order mark and characters other than ASCII',
    'utf16.yaml': '../scripts/utf16.ps1 contains a bootstrap token',
    'utf16be.yaml': '../scripts/utf16be.ps1 contains a bootstrap token',
    'both.yaml': /none\.ps1: no such file.*own\.ps1: no such file/,
  }
  for (const [name, message] of Object.entries(refusals)) {
    const { code, stderr } = await run(name, '--out', path.join(folder, 'none'))
    t.equal(code, 3, name)
    t.match(stderr.replaceAll(/\s+/g, ' '), message)
    t.match(stderr, `${name}:4:`, 'with its line')
  }
  t.notOk(existsSync(path.join(folder, 'none')), 'nothing is written')
  await t.rejects(
    userData(
      { bundleURL: address, before: ['large.ps1'], channels: ['ec2'] },
      { read: () => Buffer.from(randomBytes(20_000).toString('base64')) },
    ),
    { message: /Shorten the scripts of targets\.userdata\.before and after/ },
  )
})

/** What cloudbase-init runs first. */
function firstScript(content: Uint8Array = Buffer.of()): string {
  const [done] = processUserData(Buffer.from(content)).does
  return done && 'run' in done ? done.text : ''
}

t.test('each channel runs the script that checks the bundle', async (t) => {
  const files = await userData({ bundleURL: address })
  const text = (name: string) => String(files.get(name))
  const archive = files.get(`${profile}.zip`) ?? Buffer.of()
  t.equal(digestOf(archive), digestOf(zipOf(whole.bundle)), 'the archive of zip')
  t.match(text('ec2/user-data.txt'), /<\/powershell>\n<persist>true<\/persist>\n$/)
  const cloudbase = files.get('cloudbase-init/user-data.mime') ?? Buffer.of()
  const again = { reboot: true, runAgain: true }
  t.match(
    processUserData(cloudbase, () => 1003),
    again,
    'restarted, and run again',
  )
  const { version, tasks } = parse(text('ec2launch-v2/user-data.yaml'))
  t.equal(version, 1.1, '1.0 is for old configurations')
  t.match(tasks, [{ task: 'executeScript', inputs: [{ type: 'powershell', frequency: 'always' }] }])
  const { commandToExecute } = JSON.parse(text('azure/extension.json'))
  t.match(commandToExecute, digestOf(files.get('azure/custom-data.ps1') ?? Buffer.of()))
  t.match(commandToExecute, /^[\x20-\x7e]{1,8191}$/, 'cmd.exe takes it')
  t.notMatch(commandToExecute, /%/, 'and reads no variable in it')
  const scripts: Readonly<Record<string, string>> = {
    ec2: firstScript(files.get('ec2/user-data.txt')),
    'ec2launch-v2': tasks[0].inputs[0].content,
    azure: text('azure/custom-data.ps1'),
    gce: text('gce/startup-script.ps1'),
    'cloudbase-init': firstScript(cloudbase),
  }
  const ends: Readonly<Record<string, RegExp>> = {
    ec2: /shutdown\.exe \/r \/t 5\n +\$exitCode = 0\n/,
    'ec2launch-v2': /\n +\$exitCode = 3010\n/,
    azure: /Register-ScheduledTask @call -Force\n +\$exitCode = 0\n/,
    gce: /shutdown\.exe \/r \/t 5\n +\$exitCode = 0\n/,
    'cloudbase-init': /\n +\$exitCode = 1003\n/,
  }
  for (const channel of channels) {
    const script = scripts[channel] ?? ''
    t.match(script, /^[\t\n\x20-\x7e]+$/, `${channel} is ASCII`)
    t.match(script, `$sha256 = '${digestOf(archive)}'`, `${channel} knows the digest`)
    t.match(script, `DownloadData('${address}')`)
    t.match(script, ends[channel] ?? /nothing/, `${channel} asks for a restart in its way`)
    t.notMatch(script, channel === 'azure' ? / shutdown\.exe \/r / : /ScheduledTask/)
  }
})

t.test('templates of other programs leave user data as it is', async (t) => {
  const folder = t.testdir({})
  for (const [name, content] of await userData({ bundleURL: address })) {
    if (name.endsWith('.zip')) continue
    const text = String(content)
    // templatefile of Terraform, and Sub of CloudFormation, which reads only the first of them.
    t.notMatch(text, /[$%]\{/, name)
    writeFileSync(path.join(folder, path.basename(name)), text)
  }
  const skip = spawnSync('terraform', ['version']).status === 0 ? false : 'no terraform'
  t.test('as Terraform reads it', { skip }, (t) => {
    for (const name of readdirSync(folder)) {
      const input = `templatefile("${name}", {}) == file("${name}")`
      const { stdout } = spawnSync('terraform', ['console'], { cwd: folder, input })
      t.equal(String(stdout).trim(), 'true', name)
    }
    const [snippet = ''] = blocksOf('docs/pipelines/user-data.md', 'hcl')
    t.match(snippet, 'templatefile(')
    const cwd = path.join(folder, 'terraform')
    mkdirSync(path.join(cwd, 'out/ec2launch-v2'), { recursive: true })
    writeFileSync(path.join(cwd, 'main.tf'), snippet)
    cpSync(path.join(folder, 'user-data.yaml'), path.join(cwd, 'out/ec2launch-v2/user-data.yaml'))
    const terraform = (...argv: readonly string[]) => spawnSync('terraform', argv, { cwd })
    const applied = terraform('apply', '-auto-approve', '-no-color')
    t.equal(applied.status, 0, String(applied.stderr))
    const { stdout } = terraform('output', '-raw', 'user_data')
    t.equal(String(stdout), readFileSync(path.join(folder, 'user-data.yaml'), 'utf8'))
    t.end()
  })
  const noJq = spawnSync('jq', ['--version']).status === 0 ? false : 'no jq'
  t.test('as CloudFormation reads it', { skip: noJq }, (t) => {
    const [command = ''] = blocksOf('docs/pipelines/user-data.md', 'sh').filter((text) =>
      text.includes('jq '),
    )
    const cwd = path.join(folder, 'cloudformation')
    mkdirSync(path.join(cwd, 'out/ec2launch-v2'), { recursive: true })
    cpSync(path.join(folder, 'user-data.yaml'), path.join(cwd, 'out/ec2launch-v2/user-data.yaml'))
    const Node = { Type: 'AWS::EC2::Instance', Properties: { ImageId: 'ami-0123456789abcdef0' } }
    writeFileSync(path.join(cwd, 'stack.json'), JSON.stringify({ Resources: { Node } }))
    t.equal(shell(command, [], { cwd }).code, 0)
    const name = path.join(cwd, 'stack-with-user-data.json')
    const { Resources } = JSON.parse(readFileSync(name, 'utf8'))
    const text: string = Resources.Node.Properties.UserData['Fn::Base64']['Fn::Sub']
    t.equal(text, readFileSync(path.join(folder, 'user-data.yaml'), 'utf8'))
    const lint = spawnSync('cfn-lint', ['--format', 'parseable', name], { encoding: 'utf8' })
    if (lint.error === undefined) t.notMatch(lint.stdout, /:E\d+:/, 'cfn-lint knows each variable')
    t.end()
  })
})

/** Joins too, and in each way. */
const restarting = everyKind().steps.filter(({ kind }) =>
  ['windowsFeature', 'directory', 'file'].includes(kind),
)

/** Puts the single file of the bundle in C:\\win-node into C:\\one, and removes that folder. */
async function bringOne(drive: string): Promise<string> {
  const folder = path.join(drive, 'win-node')
  const made = await singleFile.make({ ...whole, bundle: bundleIn(folder) })
  if (made.kind === 'refused') throw new Error(JSON.stringify(made.refusals))
  rmSync(folder, { recursive: true })
  const file = path.join(drive, 'one/One-WinNode.ps1')
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, made.files[0]?.content ?? '')
  return file
}

async function runOne(host: Host, Command: string, more = {}): Promise<JsonRun> {
  const parameters = { Command, AsJson: true, ...more }
  const run = await host.talk('One' as 'Install', parameters, 'C:\\one')
  if (!run.text.startsWith('{')) throw new Error([run.text, ...run.errors].join('\n'))
  return { ...run, result: JSON.parse(run.text) }
}

scenario('a single file ends where the bundle does', async (t, { host, machine }) => {
  const ends = []
  for (const single of [false, true]) {
    rmSync(path.join(t.testdirName, 'c'), { recursive: true, force: true })
    const drive = await machine(all ? everyKind() : nodeDocument(restarting))
    if (single) await bringOne(drive)
    const run = (command: 'Install' | 'Join' | 'Test' | 'Reset', more = {}) =>
      single ? runOne(host, command, more) : host.run(command, more)
    if (single) t.match(await run('Install', { WhatIf: true }), { code: 0, calls: [/Set-Acl/] })
    let installed = await run('Install')
    while (installed.code === 3010) {
      await host.restart()
      installed = await run('Install')
    }
    t.equal(trouble(installed.result), '')
    if (all) {
      bring(drive)
      t.equal(trouble((await run('Join', { Token: token })).result), '')
    }
    t.equal((await run('Test')).result.exitCode, 0)
    const described = await host.describe()
    const reset = await run('Reset', { RemoveData: true })
    t.equal(trouble(reset.result), '')
    ends.push({ described, reset: await host.describe() })
  }
  const [bundle, one] = ends
  const carriers = /^path C:\\(win-node|one|ProgramData\\winnode-bundle-[0-9a-f]{12})(\\|$)/
  for (const state of ['described', 'reset'] as const) {
    const between = differences(bundle?.[state] ?? {}, one?.[state] ?? {}, carriers)
    t.strictSame(
      between.filter((line) => !(line.split(': ')[0] ?? '').endsWith('winnode.log')),
      [],
      state,
    )
  }
})

const other = /the bundle's SHA-256 is[^]*nothing was\s+unpacked/

scenario('a single file refuses what is not its own', async (t, { host, machine }) => {
  const drive = await machine(everyKind())
  const file = await bringOne(drive)
  // As SYSTEM, as the agents of clouds run scripts.
  await host.ps(`Set-HostFact -Name User -Value 'S-1-5-18'`)
  const folder = (await host.talk('One' as 'Install', { Command: 'Unpack' }, 'C:\\one')).text
  await host.ps(`Set-HostFact -Name User -Value 'S-1-5-21-1-2-3-1000'`)
  t.match(folder, /^C:\\ProgramData\\winnode-bundle-[0-9a-f]{12}$/)
  const inside = path.join(drive, folder.slice(3).replaceAll('\\', '/'))
  t.ok(existsSync(path.join(inside, 'node.json')))
  // Another account, no administrator, made the folder first.
  await host.ps(
    `$list = Get-Acl -LiteralPath $with.folder
    $list.SetSecurityDescriptorSddlForm('O:S-1-5-21-1-2-3-1001D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)', 'Owner, Access')
    Set-Acl -LiteralPath $with.folder -AclObject $list`,
    { folder },
  )
  const foreign = await host.talk('One' as 'Install', { Command: 'Test' }, 'C:\\one')
  t.equal(foreign.code, 1)
  t.match(foreign.errors.join(), /other users can or could change it/)
  rmSync(inside, { recursive: true })

  await host.ps('Set-HostFact -Name Administrator -Value $false')
  t.match(await runOne(host, 'Install'), {
    code: 2,
    result: { exitCode: 2, message: /administrator/ },
  })
  t.notOk(existsSync(inside), 'nothing was unpacked')
  await host.ps('Set-HostFact -Name Administrator -Value $true')

  const text = readFileSync(file, 'utf8')
  const line = /^ {4}'[\w+/]{104}'$/m.exec(text)?.[0] ?? ''
  const changed: readonly (readonly [what: string, text: string, says: RegExp])[] = [
    [
      'a letter',
      text.replace(
        line,
        line.replace(/\w(?='$)/, (at) => (at === 'A' ? 'B' : 'A')),
      ),
      other,
    ],
    ['a line is gone', text.replace(`${line}\n`, ''), other],
    ['a line twice', text.replace(line, `${line}\n${line}`), other],
    ['no base64', text.replace(line, line.replace(/\w(?='$)/, '!')), /Base-64/],
    ['the digest', text.replace(/(?<=\$sha256 = ')\w{4}/, '0000'), other],
  ]
  for (const [what, bad, says] of changed) {
    t.not(bad, text, what)
    writeFileSync(file, bad)
    const broken = await host.talk('One' as 'Install', { Command: 'Install' }, 'C:\\one')
    t.equal(broken.code, 1, what)
    t.match(broken.errors.join(), says, what)
    t.notOk(existsSync(inside), `${what}: nothing was unpacked`)
  }
})

const shutdowns = 'function global:shutdown.exe { Add-HostCall -Text "shutdown $args" }'

scenario('user data ends where Install does', async (t, { host, artifacts, machine }) => {
  const document = nodeDocument(restarting)
  await machine(document)
  await install(host)
  const installed = await host.describe()
  const ways: readonly (readonly [
    channel: Channel,
    fetched: boolean,
    asks: RegExp,
    code: number,
  ])[] = [
    ['gce', false, /^shutdown \/r/, 0],
    ['ec2launch-v2', true, /^Install-WindowsFeature/, 3010],
    ['azure', true, /^Register-ScheduledTask winnode-userdata-restart/, 0],
  ]
  // The others differ in how they ask for a restart, which is read above.
  for (const [channel, fetched, asks, code] of all ? ways : ways.slice(-1)) {
    rmSync(path.join(t.testdirName, 'c'), { recursive: true, force: true })
    const drive = await machine(document)
    const folder = path.join(drive, 'win-node')
    const bundle = bundleIn(folder)
    rmSync(folder, { recursive: true })
    const archive = Buffer.from(zipOf(bundle))
    const bundleURL = fetched ? artifacts.put(`https://files/${channel}.zip`, archive) : undefined
    const files = await userData({ bundleURL, channels: [channel] }, { bundle })
    const script = files.get(channelRows[channel].file) ?? ''
    mkdirSync(path.join(drive, 'one'))
    const text =
      channel === 'ec2launch-v2' ? parse(String(script)).tasks[0].inputs[0].content : script
    writeFileSync(path.join(drive, 'one/One-WinNode.ps1'), text)
    await host.ps(shutdowns)
    const run = () => host.talk('One' as 'Install', {}, 'C:\\one')
    const first = await run()
    t.match(first, { code, errors: [] }, channel)
    const asked = ({ calls }: Run) => calls.some((call) => asks.test(call))
    t.ok(asked(first), `${channel} asks for a restart: ${first.calls.join()}`)
    let last = first
    for (let left = 5; left > 0 && (asked(last) || last.code === 3010); left -= 1) {
      await host.restart()
      last = await run()
    }
    t.match(last, { code: 0, errors: [] })
    t.strictSame((await run()).calls, [], 'and then never again')
    const carriers =
      /^(path C:\\(win-node|one|ProgramData\\winnode-bundle-[0-9a-f]{12})(\\|$)|.*winnode\.log)/
    t.strictSame(differences(installed, await host.describe(), carriers), [], channel)
  }
})
