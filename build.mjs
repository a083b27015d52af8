// Builds dist: precompiled templates, the manifest of the commands, the node's scripts, the program.
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProgram, bundleSource } from './build/bundle.mjs'
import { thirdParty } from './build/licences.mjs'
import { describeCommands } from './build/manifest.mjs'
import { describeOrigin } from './build/origin.mjs'
import { minorsModule, readMinors } from './build/minors.mjs'
import { readTables } from './build/tables.mjs'
import { assembleNode, copyStatic } from './build/node.mjs'
import { precompile } from './build/templates.mjs'

const root = fileURLToPath(new URL('.', import.meta.url))
const dist = path.join(root, 'dist')
process.setSourceMapsEnabled(true)

/** Complete beside dist, then swapped in: a run that starts meanwhile finds the old or the new one. */
async function build() {
  const staging = `${dist}.${process.pid}`
  await rm(staging, { recursive: true, force: true })
  try {
    await fill(staging)
    await swap(staging)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
}

async function fill(staging) {
  const sources = path.join(staging, 'sources')
  const generated = path.join(staging, 'generated')
  const { shapes } = await bundleSource(root, sources, { shapes: 'src/model/tables.ts' })
  const tables = await readTables(path.join(root, 'src/matrix/tables'), shapes.tableSchemas)
  await write(generated, 'tables.js', jsonModule(tables))
  const minors = await readMinors(path.join(root, 'src/matrix/minors'))
  await write(generated, 'minors.js', minorsModule(minors))
  const entryPoints = {
    autoescape: 'src/render/autoescape.ts',
    commands: 'src/commands/index.ts',
    tablesDate: 'src/matrix/tables-date.ts',
  }
  const { autoescape, commands, tablesDate } = await bundleSource(root, sources, entryPoints, {
    '#minors': path.join(generated, 'minors.js'),
    '#tables': path.join(generated, 'tables.js'),
  })
  await precompile(path.join(root, 'templates'), generated, autoescape.precompileTemplate)
  await assembleNode(path.join(root, 'templates/node'), path.join(staging, 'node'))
  for (const target of ['ansible', 'packer'])
    await copyStatic(path.join(root, 'templates', target), path.join(staging, target))
  const manifest = await describeCommands(root, commands.commands)
  await write(generated, 'manifest.js', jsonModule(manifest))
  const origin = await describeOrigin(root, tablesDate.tablesDate)
  await write(generated, 'origin.js', jsonModule(origin))
  const metafile = await bundleProgram(root, staging, generated)
  await write(generated, 'metafile.json', JSON.stringify(metafile))
  await write(staging, 'THIRD-PARTY.txt', await thirdParty(root, metafile))
  await rm(sources, { recursive: true })
}

function jsonModule(value) {
  return `export default ${JSON.stringify(value)}\n`
}

async function write(folder, name, text) {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, name), text)
}

async function swap(staging) {
  const old = `${staging}.old`
  await rename(dist, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(staging, dist)
  await rm(old, { recursive: true, force: true })
}

await build()
