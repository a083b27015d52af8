// The executable: two builds alike, nothing read or left beside it, and the same bytes as the program on Node.
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { t } from 'tap'
import { parse } from 'yaml'
import manifest from '#manifest'
import { casesOf } from '../../packaging/compare/cases.mjs'
import { outcomeOf, withCache } from '../../packaging/compare/run.mjs'
import { compile, stage } from '../../packaging/executables/compile.mjs'
import { installedBun, runtimeFor } from '../../packaging/executables/runtime.mjs'
import { makeDeb } from '../../packaging/deb.mjs'
import { allLicences, licencesOfBun } from '../../packaging/licences.mjs'
import { manifests } from '../../packaging/manifests.mjs'
import { notesOf } from '../../packaging/notes.mjs'
import { signAdHoc } from '../../packaging/executables/sign.mjs'
import { faultOfSignature } from '../../packaging/executables/signature.mjs'
import { fileOf, programOf, systems, thisSystem } from '../../packaging/executables/systems.mjs'
import pjson from '../../package.json' with { type: 'json' }
import { filesBelow } from '../tools/checked-in.ts'
import { root, shell } from '../tools/run.ts'
import { everything as all } from '../tools/everything.ts'

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string }>>
}

const bun = installedBun(root)
const system = thisSystem()
const temporary = mkdtempSync(path.join(tmpdir(), 'winnode-executable-'))
const onNode = [process.execPath, path.join(root, 'bin/run.cjs')]
const executable = path.join(temporary, system ? fileOf(system) : '')
/** What Node has compiled, for the next of its runs. */
const kept = path.join(temporary, 'kept')

const able =
  process.getuid?.() === 0 &&
  shell('dpkg-deb --version && ldconfig -p && unshare -m true', []).code === 0
const noNamespace =
  (process.getuid?.() !== 0 || shell('unshare -m true && setpriv --version', []).code !== 0) &&
  'no mount namespaces here'
const noDebian = !able && 'no dpkg here, or no root'

t.teardown(() => rmSync(temporary, { recursive: true, force: true }))

async function build(name: string, file: string): Promise<string> {
  if (!bun || !system) throw new Error('there is no Bun for this system')
  const staged = path.join(temporary, name)
  await stage(root, staged)
  await compile(bun, { system, runtime: bun, staged, file })
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

t.test('every system has its Bun in the lockfile, and none is in the package', async (t) => {
  const text = readFileSync(path.join(root, 'package-lock.json'), 'utf8')
  const lock: Lockfile = JSON.parse(text)
  for (const { name, runtime } of systems) {
    const row = lock.packages[`node_modules/${runtime}`]
    t.match(row, { dev: true, optional: true, integrity: /^sha512-/ }, name)
    t.equal(row?.version, lock.packages['node_modules/bun']?.version)
  }
})

t.test('Bun of another system', async (t) => {
  const other = systems.find(({ name }) => name !== system?.name) ?? systems[0]
  if (!other) throw new Error('there are no systems')
  const folder = path.join(temporary, 'runtimes')
  const npm = path.join(temporary, 'npm.cjs')
  const before = process.env['npm_execpath']
  process.env['npm_execpath'] = npm
  t.teardown(() => {
    if (before === undefined) delete process.env['npm_execpath']
    else process.env['npm_execpath'] = before
  })
  const coded = "console.error('npm error code E404\\nnpm error A complete log'); process.exit(1)"
  writeFileSync(npm, coded)
  await t.rejects(runtimeFor(other, { root, folder }), /npm has no @oven.*: E404$/)
  writeFileSync(npm, "console.error('offline'); process.exit(1)")
  await t.rejects(runtimeFor(other, { root, folder }), /npm has no @oven.*: offline$/)
  const pack = "require('node:fs').writeFileSync(process.argv.at(-2) + '/a.tgz', 'evil')"
  writeFileSync(npm, `${pack}; console.log('a.tgz')`)
  await t.rejects(runtimeFor(other, { root, folder }), /is not what the lockfile names$/)
  t.strictSame(readdirSync(folder), [], 'and nothing of it stays')

  const checked = path.join(temporary, 'checked')
  const version = '1.0.0'
  const archive = archiveOf(`package/${programOf(other)}`, 'good')
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`
  const packages = { [`node_modules/${other.runtime}`]: { version, integrity } }
  mkdirSync(checked)
  writeFileSync(path.join(checked, 'package-lock.json'), JSON.stringify({ packages }))
  const get = () => runtimeFor(other, { root: checked, folder })
  const archived = path.join(folder, `${other.name}-${version}.tgz`)
  writeFileSync(archived, 'evil')
  await t.rejects(get(), /is not what the lockfile names$/, 'what was archived is checked, too')
  writeFileSync(archived, archive)
  const runtime = await get()
  t.equal(readFileSync(runtime, 'utf8'), 'good')
  writeFileSync(runtime, 'evil')
  t.equal(readFileSync(await get(), 'utf8'), 'good', 'and unpacked again')
})

/** As npm makes them, with one file in it. */
function archiveOf(name: string, content: string): Buffer {
  const header = Buffer.alloc(512)
  header.write(name)
  header.write(content.length.toString(8).padStart(11, '0'), 124)
  const padded = Buffer.alloc(512)
  padded.write(content)
  return gzipSync(Buffer.concat([header, padded, Buffer.alloc(1024)]))
}

t.test('what Bun asks to hand on', async (t) => {
  const text = await licencesOfBun(root)
  const { version } = JSON.parse(
    readFileSync(path.join(root, 'node_modules/bun/package.json'), 'utf8'),
  )
  t.match(text, `holds Bun ${version}, unchanged`)
  t.match(text, `/tree/bun-v${version}\n`)
  for (const words of [
    'GNU LIBRARY GENERAL PUBLIC LICENSE',
    'GNU LESSER GENERAL PUBLIC LICENSE',
    'Permission is hereby granted, free of charge',
    'Redistributions in binary form must reproduce',
    'Copyright (C) 2019, Cloudflare, Inc.',
  ])
    t.ok(text.includes(words), words)
  t.notMatch(text, /NOASSERTION|undefined|VERSION/)
})

t.test('one file', { skip: !bun && 'no Bun here' }, async (t) => {
  const sum = await build('staged', executable)

  await t.test('two builds are the same bytes', async (t) => {
    t.equal(await build('staged-elsewhere', path.join(temporary, 'again')), sum)
    t.notOk(readFileSync(executable).includes(temporary), 'without the folder that it was built in')
  })

  await t.test('it is whole in itself', async (t) => {
    const evil = "require('node:fs').writeFileSync('evil.txt', ''); console.log('evil')\n"
    const settings = 'WINNODE_DEBUG=1\nFORCE_COLOR=1\nBUN_OPTIONS="--preload ./evil.js"\n'
    const files = {
      'evil.js': evil,
      'bunfig.toml': 'preload = ["./evil.js"]\n[run]\nbun = true\n',
      '.env': settings,
      '.env.local': settings,
      '.env.production': settings,
      'package.json': '{"name": "evil", "type": "module", "imports": {"#manifest": "./evil.js"}}',
      'tsconfig.json': '{"compilerOptions": {"paths": {"*": ["./evil.js"]}}}',
      'node_modules/typescript/index.js': evil,
      'node_modules/ts-node/index.js': evil,
      'profiles/base.yaml': 'evil',
      'profiles/ws2022-flannel-overlay.yaml': 'evil',
      'dist/node/WinNode.psm1': 'evil',
    }
    const env = { NODE_OPTIONS: '--require ./evil.js', NODE_PATH: './node_modules' }
    const argv = ['render', 'ws2022-flannel-overlay', '--out', './out', '--as-of', '2026-11-20']
    const folder = path.join(temporary, 'case')
    const hostile = await outcomeOf([executable], { argv, files, env }, folder)
    const plain = await outcomeOf([executable], { argv }, folder)
    t.equal(plain.code, 0, plain.stderr)
    const { files: written, ...said } = hostile
    const { files: bare, ...plainly } = plain
    t.strictSame(said, plainly, 'it says the same')
    const bundle = Object.fromEntries(
      Object.entries(written).filter(([name]) => name.startsWith('out')),
    )
    t.strictSame(bundle, bare, 'and writes the same, and nothing else')
    t.notOk('evil.txt' in written, 'without running the file in it')

    const licences = await outcomeOf([executable], { argv: ['license'] }, folder)
    const texts = await allLicences(root, `\n${'='.repeat(80)}\n\n`)
    t.equal(licences.stdout, texts, 'its licences are inside')

    const nowhere = {
      HOME: '/nowhere',
      XDG_CACHE_HOME: '/nowhere',
      TMPDIR: folder,
      BUN_TMPDIR: folder,
    }
    const homeless = await outcomeOf(
      [executable],
      { argv: ['validate', 'base'], env: nowhere },
      folder,
    )
    t.match(homeless, { code: 0, files: {} }, 'and needs no home')
  })

  await t.test('no disk can be written', { skip: noNamespace }, async (t) => {
    for (const folder of [temporary, executable]) chmodSync(folder, 0o755)
    const { code, stdout, stderr } = shell(withoutDisks, [
      executable,
      ...noOne,
      executable,
      'validate',
      'base',
    ])
    t.match({ code, stderr }, { code: 0, stderr: '' }, 'and a user without a name runs it')
    t.equal(stdout, shell('exec "$@"', ['sh', ...onNode, 'validate', 'base']).stdout)
  })

  const goldens = readdirSync(path.join(root, 'test/golden'))
    .map((name) => ({ name, file: path.join(root, 'test/golden', name, 'profile.yaml') }))
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => ({ name, text: readFileSync(file, 'utf8') }))
  const cases = casesOf(Object.keys(manifest.commands), goldens)
  for (const one of cases.filter(({ often }) => all || often)) {
    await t.test(one.name, async (t) => {
      const folder = path.join(temporary, 'case')
      mkdirSync(folder, { recursive: true })
      const theirs = await outcomeOf(onNode, withCache(one, kept), folder)
      t.strictSame(await outcomeOf([executable], one, folder), theirs)
    })
  }

  // Signals, crowds, full disks, and sessions of a person on a pseudo-terminal: npm test has them without the executable.
  for (const name of all ? ['commands/processes.test.ts', 'prompts/sessions.ts'] : []) {
    const file = path.join(root, 'test', name)
    const env = { ...process.env, WINNODE_PROGRAM: executable }
    await t.spawn(process.execPath, [...process.execArgv, file], { env }, `${name} with it`)
  }

  await t.test('a package of Debian, in an empty root', { skip: noDebian }, async (t) => {
    if (!system) return
    const file = path.join(temporary, 'winnode.deb')
    const made = { root, system, executable, program: onNode, file }
    await makeDeb({ ...made, compression: ['-Znone'] })
    const folder = path.join(temporary, 'root')
    const told = shell(installing, [folder, file, 'ws2022-flannel-overlay'])
    t.equal(told.code, 0, told.stderr)
    t.match(told.stdout, /^\.in 0\n -- /m, 'the help has no margin in the manual')
    const closing = /^ -- winnode <\S+> {2}\w{3}, \d\d \w{3} 20\d\d 00:00:00 \+0000$/m
    t.match(told.stdout, closing, 'its changelog ends as Debian reads it')
    t.match(told.stdout, /^winnode\/\d.* bun-v\d/m, 'it runs, and BUN_OPTIONS changes nothing')
    const image = readFileSync(path.join(root, 'packaging/container/Dockerfile'), 'utf8')
    for (const name of ['BUN_OPTIONS', 'BUN_BE_BUN', 'BUN_INSPECT']) {
      t.match(told.stdout, `-u ${name} `)
      t.match(image, `"-u", "${name}"`)
    }
    t.match(told.stdout, /^kubelet: \d/m, 'the first example of the README')
    t.match(told.stdout, /^left: \.\/win-node$/m, 'nothing stays but what it wrote')
    const written = path.join(folder, 'win-node')
    const { code } = shell('exec "$0" "$@"', [
      ...onNode,
      'render',
      'ws2022-flannel-overlay',
      '--out',
      `${folder}/same`,
    ])
    t.equal(code, 0)
    t.strictSame(filesBelow(written).length, filesBelow(path.join(folder, 'same')).length)
    t.equal(shell('diff -r "$0" "$1"', [written, path.join(folder, 'same')]).stdout, '')
  })
})

/** With no group and no environment. */
const noOne = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'env', '-i']

const withoutDisks = `exec unshare -m sh -c '
  mount --make-rprivate /
  cut -d " " -f 2 /proc/mounts | while read -r one; do mount -o remount,bind,ro "$one" 2>/dev/null; done
  if touch "$0.written" 2>/dev/null; then echo "a disk can be written"; exit 1; fi
  cd / && exec "$@"' "$0" "$@"`

/** Into a folder that has nothing but what the program is linked with, `sh` and `env`; Bun needs `/proc`. */
const installing = `set -e; R=$0
  mkdir -p "$R/bin" "$R/usr/bin" "$R/dev" "$R/proc" "$R/var/lib/dpkg/info" "$R/var/lib/dpkg/updates"
  : > "$R/var/lib/dpkg/status"; : > "$R/dev/null"
  cp "$(command -v dash || command -v sh)" "$R/bin/sh"; cp "$(command -v env)" "$R/usr/bin/env"
  for lib in $(ldd "$(command -v env)" "$R/bin/sh" /proc/self/exe | grep -o '/[^ )]*' | sort -u); do
    case $lib in *.so*) mkdir -p "$R$(dirname "$lib")"; cp -L "$lib" "$R$lib";; esac
  done
  for name in libpthread.so.0 libdl.so.2 libm.so.6; do
    lib=$(ldconfig -p | awk -v name="$name" '$1 == name { print $NF; exit }'); cp -L "$lib" "$R$(dirname "$lib")/"
  done
  ls "$R" > "$R.before"
  dpkg --root="$R" --force-depends --force-script-chrootless --log=/dev/null -i "$1" >&2
  zcat "$R/usr/share/man/man1/winnode.1.gz" | grep -A 1 '^[.]nf$' | grep -v '^[.]nf$\\|^--$' | sort -u
  zcat "$R/usr/share/doc/winnode/changelog.gz" | tail -1
  test -s "$R/usr/share/bash-completion/completions/winnode"
  (cd "$R" && md5sum --quiet -c "$R/var/lib/dpkg/info/winnode.md5sums")
  inside() { unshare -m sh -c 'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"' "$R" "$@"; }
  BUN_OPTIONS="--preload /nowhere.js" BUN_BE_BUN=1 BUN_INSPECT=unix:///socket inside /usr/bin/winnode --version
  cat "$R/usr/bin/winnode"
  inside /usr/bin/winnode render "$2" --out ./win-node 2>/dev/null
  dpkg --root="$R" --log=/dev/null --purge winnode >&2
  test ! -e "$R/usr/lib/winnode" && test ! -e "$R/usr/bin/winnode"
  cd "$R"; for one in ./*; do grep -qx "\${one#./}" "$R.before" || echo "left: $one"; done`

t.test('manifests, notes', async (t) => {
  const release = path.join(temporary, 'release')
  mkdirSync(release, { recursive: true })
  for (const one of systems) writeFileSync(path.join(release, fileOf(one)), one.name)
  const sum = (name: string) => createHash('sha256').update(name).digest('hex')
  const { version, description } = pjson
  const home = 'https://example.com/some/winnode'
  const filled = await manifests({ release, home, version, description })
  for (const [name, text] of Object.entries(filled)) t.notMatch(text, /\$\{/, name)
  const winget = (name: string) => parse(filled[`winget/winnode.winnode${name}.yaml`] ?? '')
  const kinds = { '': 'version', '.installer': 'installer', '.locale.en-US': 'defaultLocale' }
  for (const [name, kind] of Object.entries(kinds)) {
    t.match(winget(name), {
      PackageVersion: version,
      ManifestType: kind,
      ManifestVersion: '1.10.0',
    })
  }
  const download = `${home}/releases/download/v${version}/winnode-windows-x64.exe`
  t.strictSame(winget('.installer').Installers, [
    {
      Architecture: 'x64',
      InstallerUrl: download,
      InstallerSha256: sum('windows-x64').toUpperCase(),
    },
  ])
  const scoop = JSON.parse(filled['scoop/winnode.json'] ?? '')
  t.strictSame(scoop.architecture, {
    '64bit': { url: `${download}#/winnode.exe`, hash: sum('windows-x64') },
  })
  const brew = filled['homebrew/winnode.rb'] ?? ''
  for (const one of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64'])
    t.match(brew, new RegExp(`url ".*/v${version}/winnode-${one}"\n +sha256 "${sum(one)}"`))

  t.equal(notesOf('# C\n\n## Unreleased\n\nnew\n\n## 1.0.0 (a day)\n\nold\n', '1.0.0'), 'old\n')
  t.equal(notesOf('# C\n\n## Unreleased\n\nnew\n\n## 1.0.0\n\nold\n', '2.0.0'), 'new\n')
  t.throws(() => notesOf('# C\n', '1.0.0'), /says nothing of 1\.0\.0/)
})

/** Two segments and a place for a signature, with three pages and a bit of code. */
function unsignedProgram(): Buffer {
  const limit = 3 * 4096 + 100
  const bytes = Buffer.alloc(limit + 64, 7)
  bytes.fill(0, 0, 32 + 72 * 2 + 16)
  bytes.writeUInt32LE(0xfeedfacf, 0)
  bytes.writeUInt32LE(3, 16)
  const segments = [
    { name: '__TEXT', from: 0, size: 4096 },
    { name: '__LINKEDIT', from: 8192, size: limit + 64 - 8192 },
  ]
  for (const [index, { name, from, size }] of segments.entries()) {
    const at = 32 + 72 * index
    bytes.writeUInt32LE(0x19, at)
    bytes.writeUInt32LE(72, at + 4)
    bytes.write(name, at + 8)
    bytes.writeBigUInt64LE(BigInt(from), at + 40)
    bytes.writeBigUInt64LE(BigInt(size), at + 48)
  }
  const at = 32 + 72 * 2
  for (const [index, value] of [0x1d, 16, limit, 64].entries())
    bytes.writeUInt32LE(value, at + index * 4)
  return bytes
}

t.test('programs for macOS are signed, and checked', async (t) => {
  const unsigned = unsignedProgram()
  t.match(faultOfSignature(unsigned), /no code directory/)
  const signed = signAdHoc(unsigned)
  t.equal(faultOfSignature(signed), undefined)
  t.equal(faultOfSignature(signAdHoc(signed)), undefined, 'again, too')
  for (const at of [40, 5000, 3 * 4096 + 99]) {
    const spoiled = Buffer.from(signed)
    spoiled.writeUInt8((spoiled[at] ?? 0) ^ 1, at)
    t.match(faultOfSignature(spoiled), /does not fit page \d/, `byte ${at}`)
  }
  t.match(faultOfSignature(Buffer.concat([signed, Buffer.alloc(1)])), /is not its end/)
})

interface Release {
  readonly on: { readonly push: { readonly tags: readonly string[] } }
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >
}

t.test('actions are pinned by commit, each by one', async (t) => {
  const folders = ['.github/workflows', 'docs/ci'].map((name) => path.join(root, name))
  const files = folders.flatMap((folder) =>
    readdirSync(folder).map((name) => path.join(folder, name)),
  )
  const texts = files.map((file) => readFileSync(file, 'utf8'))
  const uses = texts.flatMap((text) => [...text.matchAll(/\buses: (?!\.)(\S+)(.*)/g)])
  const pins = new Map<string, string>()
  for (const [, action = '', comment = ''] of uses) {
    const [name = '', commit = ''] = action.split('@')
    t.match(commit + comment, /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/, name)
    t.equal(pins.get(name) ?? commit, commit, name)
    pins.set(name, commit)
  }
  t.ok(pins.size >= 6)
})

t.test('the workflow of a release runs existing scripts', async (t) => {
  const { jobs }: Release = parse(
    readFileSync(path.join(root, '.github/workflows/release.yml'), 'utf8'),
  )
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const lines = steps.flatMap(({ run }) => run ?? [])
  const scripts = lines.flatMap((line) => /npm run ([\w:]+)/.exec(line)?.[1] ?? [])
  t.strictSame(
    scripts.filter((name) => !(name in pjson.scripts)),
    [],
  )
  t.ok(lines.includes('.ci/run'), 'the whole suite')
  const drafting = lines.find((line) => line.startsWith('gh release create'))
  for (const files of ['winnode*', 'manifests/*/*', 'SHA256SUMS', 'LICENCES.txt'])
    t.ok(drafting?.includes(` release/${files}`), `a release holds ${files}`)
  const making = lines.find((line) => line.startsWith('npm run executables -- linux')) ?? ''
  t.strictSame(
    making.split(' ').slice(4),
    systems.map(({ name }) => name),
    'for every system',
  )
})
