// `npm run facts:import -- MINOR FOLDER`: writes the tables of a minor from what its programs answered.
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { asText, importMinor, schemaText } from './minors.mjs'

const tables = fileURLToPath(new URL('../src/matrix/minors', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    asked: { type: 'string', default: new Date().toISOString().slice(0, 10) },
    out: { type: 'string', default: tables },
  },
})
const [minor, folder] = positionals
if (folder === undefined) {
  console.error('usage: npm run facts:import -- MINOR FOLDER [--asked YYYY-MM-DD] [--out FOLDER]')
  process.exit(2)
}
try {
  const text = asText(await importMinor(minor, folder, values.asked))
  await writeFile(path.join(values.out, `${minor}.json`), text)
  await writeFile(path.join(values.out, 'schema.json'), schemaText())
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
