// `npm run release`: makes Debian packages, manifests, checksums and an SPDX document for the executables.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { architectures, makeDeb } from './deb.mjs'
import { fileOf, systems } from './executables/systems.mjs'
import { allLicences } from './licences.mjs'
import { manifests } from './manifests.mjs'
import { notesOf } from './notes.mjs'
import { spdxOf } from './spdx.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const release = path.join(root, 'release')
const read = (name) => readFile(path.join(root, name), 'utf8')

const usage = `Usage: npm run release -- HOME   the address of the project, as https://example.com/winnode`

async function run([home, ...more]) {
  if (!/^https:\/\/[^\s"'$]+$/.test(home ?? '') || more.length > 0) {
    console.error(usage)
    return 2
  }
  const missing = systems.filter((system) => !existsSync(path.join(release, fileOf(system))))
  if (missing.length > 0) {
    console.error(`release/ lacks ${missing.map(fileOf).join(', ')}: npm run executables`)
    return 1
  }
  const { name, version, description, license } = JSON.parse(await read('package.json'))
  const names = [...systems.map(fileOf), ...(await debs(version))]
  const files = await Promise.all(names.map(sumsOf))
  const lock = JSON.parse(await read('package-lock.json'))
  const bun = lock.packages['node_modules/bun'].version
  const metafile = JSON.parse(await read('dist/generated/metafile.json'))
  const { default: origin } = await import('../dist/generated/origin.js')
  const day = origin.tables
  const spdx = spdxOf({ name, version, license, home, day, files, bun, metafile, lock })
  await write('winnode.spdx.json', `${JSON.stringify(spdx, null, 2)}\n`)
  await write('LICENCES.txt', await allLicences(root, `\n${'='.repeat(80)}\n\n`))
  const filled = await manifests({ release, home, version, description })
  for (const [name, text] of Object.entries(filled)) await write(path.join('manifests', name), text)
  const lists = Object.keys(filled).map((name) => path.join('manifests', name))
  for (const name of ['winnode.spdx.json', 'LICENCES.txt', ...lists]) files.push(await sumsOf(name))
  await write('SHA256SUMS', files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''))
  await write('NOTES.md', notesOf(await read('CHANGELOG.md'), version))
  console.log(`${files.length} files, their sums and notes are in release/`)
  return 0
}

async function debs(version) {
  const made = []
  for (const system of systems.filter(({ name }) => name in architectures)) {
    const name = `winnode_${version}_${architectures[system.name]}.deb`
    const program = [process.execPath, path.join(root, 'bin/run.cjs')]
    const executable = path.join(release, fileOf(system))
    await makeDeb({ root, system, executable, program, file: path.join(release, name) })
    made.push(name)
  }
  return made
}

async function sumsOf(name) {
  const bytes = await readFile(path.join(release, name))
  const sum = (algorithm) => createHash(algorithm).update(bytes).digest('hex')
  // Base names, as downloads are in one folder.
  return { name: path.basename(name), sha1: sum('sha1'), sha256: sum('sha256') }
}

async function write(name, text) {
  const file = path.join(release, name)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

process.exitCode = await run(process.argv.slice(2))
