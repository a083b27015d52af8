// Tables of src/matrix/tables: the build ends where one has another shape than its schema.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { toJsonSchema } from '@valibot/to-json-schema'
import * as v from 'valibot'

/** The tables of a folder, by name, as `schemas` are; throws with the file and the place of each fault. */
export async function readTables(folder, schemas) {
  const read = async ([name, schema]) => {
    const file = path.join(folder, `${name}.json`)
    const { issues = [], output } = v.safeParse(schema, await readJson(file))
    const lines = issues.map((issue) => `${file}: ${v.getDotPath(issue)}: ${issue.message}`)
    if (lines.length > 0) throw new Error(lines.join('\n'))
    return [name, output]
  }
  return Object.fromEntries(await Promise.all(Object.entries(schemas).map(read)))
}

/** The schema of a table as editors read it. */
export function editorSchema(name, shapes) {
  const definitions = shapes.sharedShapes[name] ?? {}
  const options = { definitions, ignoreActions: ['check'] }
  const schema = toJsonSchema(shapes.tableSchemas[name], options)
  return `${JSON.stringify(schema, null, 2)}\n`
}

async function readJson(file) {
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${file}: ${error.message}`, { cause: error })
  }
}
