// Joins the parts of the node's module into one file, and puts the scripts that call it beside it.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

/** First to last: the file of that name, or each file of the folder by its name. None calls a later one. */
export const nodeRooms = [
  ...['module', 'tables', 'json', 'host', 'run', 'facts', 'downloads', 'services', 'cluster'],
  ...['kinds', 'agreement', 'preflight', 'health', 'walker', 'report', 'commands', 'exports'],
]

/** The same bytes in every bundle: a node's owner reads and signs them once. */
export async function assembleNode(source, target) {
  await mkdir(target, { recursive: true })
  const parts = path.join(source, 'module')
  const names = (await readdir(parts, { recursive: true })).map(withSlashes).filter(isScript)
  const sorted = nodeRooms.flatMap((room) => names.filter((name) => roomOf(name) === room).sort())
  const homeless = names.filter((name) => !sorted.includes(name))
  if (homeless.length > 0) throw new Error(`the module has no place for ${homeless.join(', ')}`)
  const texts = await Promise.all(sorted.map((name) => script(path.join(parts, name))))
  await writeFile(path.join(target, 'WinNode.psm1'), texts.join('\n'))
  for (const name of (await readdir(source)).filter(isScript)) {
    await writeFile(path.join(target, name), await script(path.join(source, name)))
  }
}

/** Scripts that pipelines run around those of the node, as they are. */
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

function roomOf(name) {
  return name.split('/')[0].replace(/\.ps1$/, '')
}
