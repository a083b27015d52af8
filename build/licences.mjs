// Collects the licences of the bundled packages.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

export async function thirdParty(root, metafile) {
  const inputs = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const folders = new Set(inputs.flatMap(packageFolder))
  const parts = await Promise.all([...folders].sort().map((folder) => describe(root, folder)))
  return [intro, ...parts].join(`\n${'-'.repeat(80)}\n\n`)
}

const intro = 'winnode contains the following packages, each under its own licence.\n'

/** `node_modules/a/node_modules/@b/c/lib/d.js` belongs to `node_modules/a/node_modules/@b/c`. */
function packageFolder(input) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? []
}

async function describe(root, folder) {
  const { name, version, license } = JSON.parse(await read(root, folder, 'package.json'))
  const files = await readdir(path.join(root, folder))
  const file = files.sort().find((each) => /^(licen[cs]e|copying)/i.test(each))
  const text = file ? await read(root, folder, file) : 'The package holds no text of its licence.'
  return `${name} ${version} (${license})\n\n${text.replaceAll('\r\n', '\n').trim()}\n`
}

function read(root, folder, file) {
  return readFile(path.join(root, folder, file), 'utf8')
}
