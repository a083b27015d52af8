// Makes a Debian package of an executable, with completions and a manual page.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, cp, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { allLicences } from './licences.mjs'
import { manualPage } from './manual.mjs'
import { notesOf } from './notes.mjs'

export const architectures = { 'linux-x64': 'amd64', 'linux-arm64': 'arm64' }

/** Where shells look for completions from packages. */
const completions = {
  bash: 'usr/share/bash-completion/completions/winnode',
  zsh: 'usr/share/zsh/vendor-completions/_winnode',
  fish: 'usr/share/fish/vendor_completions.d/winnode.fish',
}

/** Bun reads these variables, and has no option against it. */
const unset = 'env -u BUN_OPTIONS -u BUN_BE_BUN -u BUN_INSPECT'
const launcher = `#!/bin/sh\nexec ${unset} /usr/lib/winnode/winnode "$@"\n`

/** Level 1, as the default takes five times as long. */
const quickly = ['-Zxz', '-z1']

/** `program` is a winnode that runs on this machine; `executable` may be for another system. */
export async function makeDeb({ root, system, executable, program, file, compression = quickly }) {
  const staged = `${file}.staged`
  await rm(staged, { recursive: true, force: true })
  try {
    await fill(staged, { root, system, executable, program })
    // One date for all files, for a reproducible package.
    const seconds = Date.parse(await dayOf(root)) / 1000
    const env = { PATH: process.env.PATH, SOURCE_DATE_EPOCH: `${seconds}` }
    const argv = ['--root-owner-group', ...compression, '--build', staged, file]
    const { status, stderr, error } = spawnSync('dpkg-deb', argv, { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`dpkg-deb made no package: ${error?.message ?? stderr}`)
  } finally {
    await rm(staged, { recursive: true, force: true })
  }
}

async function fill(staged, { root, system, executable, program }) {
  const say = (words) => {
    const { stdout, status } = spawnSync(program[0], [...program.slice(1), ...words], {
      env: { PATH: process.env.PATH, NO_COLOR: '1', COLUMNS: '80' },
      encoding: 'utf8',
    })
    if (status !== 0) throw new Error(`winnode ${words.join(' ')} returned ${status}`)
    return stdout
  }
  const { version, description } = JSON.parse(
    await readFile(path.join(root, 'package.json'), 'utf8'),
  )
  const { default: manifest } = await import(path.join(root, 'dist/generated/manifest.js'))
  const commands = Object.keys(manifest.commands)
    .sort()
    .map((id) => id.split(':'))
  const manual = manualPage({ version, commands, help: (words) => say([...words, '--help']) })
  await put(staged, 'usr/bin/winnode', launcher, 0o755)
  await put(staged, 'usr/share/man/man1/winnode.1.gz', gzipSync(manual, { level: 9 }))
  const licences = await allLicences(root, '\n')
  await put(staged, 'usr/share/doc/winnode/copyright', `${commonLicences}\n${licences}`)
  const notes = notesOf(await readFile(path.join(root, 'CHANGELOG.md'), 'utf8'), version)
  const log = changelog({ version, notes, day: await dayOf(root) })
  await put(staged, 'usr/share/doc/winnode/changelog.gz', gzipSync(log, { level: 9 }))
  for (const [shell, place] of Object.entries(completions))
    await put(staged, place, say(['completion', shell]))
  const inside = path.join(staged, 'usr/lib/winnode/winnode')
  await mkdir(path.dirname(inside), { recursive: true })
  await cp(executable, inside)
  await chmod(inside, 0o755)
  const files = await filesBelow(staged)
  await put(staged, 'DEBIAN/md5sums', files.map(({ name, md5 }) => `${md5}  ${name}\n`).join(''))
  const size = Math.ceil(files.reduce((sum, file) => sum + file.size, 0) / 1024)
  await put(staged, 'DEBIAN/control', control({ version, description, system, size }))
}

const maintainer = 'winnode <winnode@invalid>'

/** https://www.debian.org/doc/debian-policy/ch-docs.html#copyright-information */
const commonLicences = `The licences of winnode and of all that it contains. On Debian systems those that many packages
have are in /usr/share/common-licenses, too: Apache-2.0, LGPL-2 and LGPL-2.1.
`

/** https://www.debian.org/doc/debian-policy/ch-source.html#debian-changelog-debian-changelog */
function changelog({ version, notes, day }) {
  const lines = notes.trim().split('\n')
  const changes = lines.map((line) => `  ${line.replace(/^- /, '* ')}`.trimEnd())
  const date = new Date(day).toUTCString().replace('GMT', '+0000')
  const head = `winnode (${versionOf(version)}) unstable; urgency=medium`
  return `${head}\n\n${changes.join('\n')}\n\n -- ${maintainer}  ${date}\n`
}

/** In Debian, a pre-release sorts before its release only with a tilde. */
function versionOf(version) {
  return version.replace('-', '~')
}

/** The day of the newest table row, in place of the clock, for a reproducible package. */
async function dayOf(root) {
  const { default: origin } = await import(path.join(root, 'dist/generated/origin.js'))
  return origin.tables
}

/** https://www.debian.org/doc/debian-policy/ch-controlfields.html */
function control({ version, description, system, size }) {
  const [short, long = short] = description.split(': ')
  return `${[
    'Package: winnode',
    `Version: ${versionOf(version)}`,
    `Architecture: ${architectures[system.name]}`,
    `Maintainer: ${maintainer}`,
    `Installed-Size: ${size}`,
    'Depends: libc6 (>= 2.17)',
    // kubectl, for init --from-cluster and drift --kubeconfig only.
    'Suggests: kubernetes-client',
    'Section: admin',
    'Priority: optional',
    `Description: ${short}`,
    ` ${long}`,
  ].join('\n')}\n`
}

async function put(staged, name, content, mode = 0o644) {
  const file = path.join(staged, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, content)
  await chmod(file, mode)
}

async function filesBelow(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const places = entries
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
  const files = places.sort().map(async (place) => ({
    name: path.relative(folder, place),
    size: (await stat(place)).size,
    md5: createHash('md5')
      .update(await readFile(place))
      .digest('hex'),
  }))
  return await Promise.all(files)
}
