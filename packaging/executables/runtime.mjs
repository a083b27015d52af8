// Finds Bun for a system: the installed one, or its npm package, checked against the lockfile.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { programOf, thisSystem } from './systems.mjs'
import { fileIn } from './unpack.mjs'

/** Bytes; a smaller file is the placeholder of a package whose install script did not run. */
const leastSize = 1_000_000

/** Bun for this machine as `npm ci` installed and checked it; `undefined` where it did not. */
export function installedBun(root) {
  const system = thisSystem()
  if (!system) return undefined
  const modules = path.join(root, 'node_modules')
  // The install script of the package `bun` moves the program there.
  const places = [
    path.join(modules, system.runtime, programOf(system)),
    path.join(modules, 'bun/bin/bun.exe'),
  ]
  return places.find((place) => existsSync(place) && statSync(place).size > leastSize)
}

/** The path of Bun for a system, downloaded to `folder` where needed. */
export async function runtimeFor(system, { root, folder }) {
  const own = system.name === thisSystem()?.name ? installedBun(root) : undefined
  if (own) return own
  const { version, integrity } = await locked(root, system.runtime)
  const unpacked = path.join(folder, `${system.name}-${version}`)
  const kept = `${unpacked}.tgz`
  await mkdir(folder, { recursive: true })
  const fits = (bytes) => digest(bytes) === integrity
  let archive = existsSync(kept) ? await readFile(kept) : undefined
  if (!archive || !fits(archive)) {
    archive = await fetched(`${system.runtime}@${version}`, folder)
    if (!fits(archive)) throw new Error(`${system.runtime} is not what the lockfile names`)
    await replace(kept, archive)
  }
  const program = fileIn(archive, programOf(system))
  if (!program) throw new Error(`${system.runtime} holds no ${programOf(system)}`)
  // Unpacked each time, as only the archive has a checksum.
  await replace(unpacked, program, 0o755)
  return unpacked
}

async function replace(file, content, mode = 0o644) {
  await writeFile(`${file}.new`, content)
  await chmod(`${file}.new`, mode)
  await rename(`${file}.new`, file)
}

async function locked(root, name) {
  const { packages } = JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8'))
  const row = packages[`node_modules/${name}`]
  if (!row) throw new Error(`the lockfile does not hold ${name}`)
  return row
}

/** npm knows the registry, its proxy and credentials. */
async function fetched(spec, folder) {
  const [npm, ...script] = process.env.npm_execpath
    ? [process.execPath, process.env.npm_execpath]
    : ['npm']
  const argv = ['pack', spec, '--pack-destination', folder, '--loglevel=error']
  const { status, stdout, stderr } = spawnSync(npm, [...script, ...argv], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm has no ${spec}: ${reasonIn(`${stderr ?? ''}`)}`)
  const file = path.join(folder, stdout.trim().split('\n').at(-1))
  const archive = await readFile(file)
  await rm(file)
  return archive
}

/** npm's error code, or the last line of its output. */
function reasonIn(told) {
  return /^npm error code (\S+)/m.exec(told)?.[1] ?? told.trim().split('\n').at(-1)
}

function digest(bytes) {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}
