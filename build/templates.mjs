// Precompiles each template into a separate module, so that a run loads only the templates that it renders.
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'

export async function precompile(source, target, precompileTemplate) {
  const names = await templateNames(source)
  await mkdir(path.join(target, 'templates'), { recursive: true })
  for (const name of names) {
    const text = await readFile(path.join(source, name), 'utf8')
    await writeFile(path.join(target, moduleOf(name)), precompileTemplate(text, name))
  }
  await writeFile(path.join(target, 'templates.js'), indexOf(names))
}

/** Paths below `templates/`, with forward slashes, sorted. */
async function templateNames(folder) {
  const entries = await readdir(folder, { recursive: true })
  const names = entries.map((entry) => entry.replaceAll(path.sep, '/'))
  return names.filter((name) => name.endsWith('.hbs')).sort()
}

function moduleOf(name) {
  return `templates/${name.replace(/\.hbs$/, '').replaceAll('/', '--')}.js`
}

function indexOf(names) {
  const rows = names.map(
    (name) => `  ${JSON.stringify(name)}: () => import('./${moduleOf(name)}'),`,
  )
  return `export const loaders = {\n${rows.join('\n')}\n}\n`
}
