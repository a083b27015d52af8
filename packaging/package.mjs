// `npm run package [-- FOLDER]`: stages the npm package in `release/package`, with a reduced package.json.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = path.resolve(process.argv[2] ?? path.join(root, 'release/package'))

/** Without scripts and devDependencies, which work in a checkout only. */
const kept = ['name', 'version', 'description', 'keywords', 'license', 'type', 'engines', 'bin']

const pjson = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const excluded = pjson.files.flatMap((name) =>
  name.startsWith('!') ? [path.join(root, name.slice(1))] : [],
)
for (const name of ['LICENSE', 'README.md', ...pjson.files].filter(
  (name) => !name.startsWith('!'),
)) {
  const filter = (file) => !excluded.includes(file)
  await cp(path.join(root, name), path.join(folder, name), { recursive: true, filter })
}
const own = Object.fromEntries(kept.map((key) => [key, pjson[key]]))
await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(own, null, 2)}\n`)
console.log(`${folder}: npm pack or npm publish it`)
