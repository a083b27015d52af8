// Fills the manifests of winget, Scoop and Homebrew with URLs and checksums of the files in `release/`.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileOf, systems } from './executables/systems.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const kinds = ['winget', 'scoop', 'homebrew']

/** `home` is the URL of the project, with releases below it. Returns texts by file name. */
export async function manifests({ release, home, version, description }) {
  const tag = `v${version}`
  const values = {
    version,
    description,
    home,
    downloads: `${home}/releases/download/${tag}`,
    notes: `${home}/releases/tag/${tag}`,
  }
  const sums = {}
  for (const system of systems) {
    const file = path.join(release, fileOf(system))
    sums[system.name] = () => sumOf(file)
    // winget writes checksums in upper case.
    sums[system.name.toUpperCase()] = async () => (await sumOf(file)).toUpperCase()
  }
  const filled = {}
  for (const kind of kinds) {
    for (const name of (await readdir(path.join(here, kind))).sort()) {
      const text = await readFile(path.join(here, kind, name), 'utf8')
      filled[`${kind}/${name}`] = await fill(text, { ...values, ...sums })
    }
  }
  return filled
}

async function fill(text, values) {
  const parts = text.split(/\$\{([\w-]+)\}/)
  for (let at = 1; at < parts.length; at += 2) {
    const value = values[parts[at]]
    if (value === undefined) throw new Error(`a manifest asks for ${parts[at]}`)
    parts[at] = typeof value === 'function' ? await value() : value
  }
  return parts.join('')
}

async function sumOf(file) {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}
