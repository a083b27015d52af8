// Targets: what they make of a bundle, where it goes, and that it arrives.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { fields } from '../src/profile/catalogue.ts'
import { zipOf } from '../src/targets/archive.ts'
import { targets } from '../src/targets/index.ts'
import { inProcess, shell, spawned, root } from './tools/run.ts'
import { unzipped } from './tools/unzipped.ts'

const profile = 'ws2022-flannel-overlay'
const asOf = ['--as-of', '2026-11-20']

const render = (...argv: readonly string[]) => inProcess(['render', profile, ...asOf, ...argv])

function filesBelow(folder: string): ReadonlyMap<string, Buffer> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
  return new Map(names.sort().map((name) => [name, readFileSync(path.join(folder, name))]))
}

const digestOf = (content: Buffer | Uint8Array) =>
  createHash('sha256').update(content).digest('hex')

const below = (prefix: string, files: ReadonlyMap<string, Buffer>) =>
  new Map(
    [...files].flatMap(([name, content]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), content] as const] : [],
    ),
  )

t.test('each target is what its declaration says', async (t) => {
  const own = fields.filter(({ group, path: [first] }) => !group && first === 'targets')
  const read = await Promise.all(
    Object.entries(targets).map(async ([name, load]) => {
      const target = await load()
      t.equal(target.name, name, 'it stands under its name')
      t.match(target.summary, /^[A-Z][^.]*\.$/, `${name} says what it makes in one sentence`)
      for (const { see, most } of target.limits) t.match(see, /^https:\/\//, `${most} has a source`)
      t.match(readFileSync(path.join(root, 'docs/pipelines.md'), 'utf8'), `\n## ${name}\n`)
      return target.reads.map((field) => `targets.${name}.${field}`)
    }),
  )
  const names = own.map(({ path: parts }) => parts.join('.'))
  // Fields of user data come before their target.
  t.strictSame(read.flat().sort(), names.filter((name) => !name.includes('.userdata.')).sort())
})

t.test('a target lies above the bundle, several lie beside each other', async (t) => {
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
  t.match(first.stderr, `${profile}.zip has the sha256 ${digestOf(archive)}`, 'the digest is said')
  t.match((await render(...zip)).stderr, /: \d+ same;/)
  t.match((await render(...zip, '--diff')).stdout, /^$/, 'no difference')

  writeFileSync(path.join(out, 'mine.txt'), 'mine')
  appendFileSync(path.join(out, 'bundle/README.md'), 'edited')
  appendFileSync(path.join(out, `${profile}.zip`), 'edited')
  const refused = await render(...zip)
  t.equal(refused.code, 5)
  t.match(refused.stderr, /bundle\/README\.md was edited/)
  t.match(refused.stderr, /\.zip was edited/)
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
    t.equal(
      shell(`exec "$0" bin/run.cjs "$@" > '${archive}'`, [process.execPath, ...argv], options).code,
      0,
      TZ,
    )
    return digestOf(readFileSync(archive))
  })
  t.equal(new Set(digests).size, 1, 'of the time zone they know nothing')
  const unpacked = unzipped(readFileSync(path.join(folder, 'node.zip')))
  t.strictSame(unpacked, filesBelow(path.join(folder, 'plain')))
  // Of each version of Node.js: another digest here is another archive for everybody who pinned one.
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
  t.equal(JSON.parse(stdout).name, 'piped', 'what it extends lies in the current folder')
  const broken = spawned(piped, { cwd: folder, input: `${input}nme: x\n` })
  t.equal(broken.code, 3)
  t.match(broken.stderr, /standard input:5:1/, 'findings name it')
  t.equal(spawned(['validate', '-', ...asOf], { cwd: folder, input }).code, 0)
})
