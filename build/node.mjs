// Assembles WinNode.psm1 from its parts, and copies the scripts that import it.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** The parts in order, each a file or a folder of that name; a part calls no later one. */
export const moduleParts = [
  ...['module', 'tables', 'json', 'host', 'run', 'facts', 'downloads', 'services', 'cluster'],
  ...['kinds', 'agreement', 'preflight', 'health', 'walker', 'report', 'commands', 'exports'],
]

/** The module has the same bytes in every bundle, so that it can be reviewed and signed once. */
export async function assembleNode(source, target) {
  await mkdir(target, { recursive: true })
  const parts = path.join(source, 'module')
  const names = (await readdir(parts, { recursive: true })).map(withSlashes).filter(isScript)
  const sorted = moduleParts.flatMap((part) => names.filter((name) => partOf(name) === part).sort())
  const unplaced = names.filter((name) => !sorted.includes(name))
  if (unplaced.length > 0) throw new Error(`the module has no place for ${unplaced.join(', ')}`)
  const texts = await Promise.all(sorted.map((name) => script(path.join(parts, name))))
  await writeFile(path.join(target, 'WinNode.psm1'), texts.join('\n'))
  for (const name of (await readdir(source)).filter(isScript)) {
    await writeFile(path.join(target, name), await script(path.join(source, name)))
  }
}

/** Copies the scripts of Packer. */
export async function copyScripts(source, target) {
  await mkdir(target, { recursive: true })
  for (const name of await readdir(source)) {
    await writeFile(path.join(target, name), await script(path.join(source, name)))
  }
}

/** Windows PowerShell reads a file without a byte order mark in the machine's code page. */
async function script(file) {
  const text = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  if (!/^[\t\n\x20-\x7e]*\n$/.test(text)) throw new Error(`${file} is not lines of ASCII`)
  return text
}

function withSlashes(name) {
  return name.replaceAll(path.sep, '/')
}

function isScript(name) {
  return name.endsWith('.ps1')
}

function partOf(name) {
  return name.split('/')[0].replace(/\.ps1$/, '')
}
