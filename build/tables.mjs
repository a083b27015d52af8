// Tables of src/matrix that are JSON: the build ends where one has another shape than its schema.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import * as v from 'valibot'

/** Throws with the file and the place of each fault; `schemas` are by the name of the file. */
export async function checkTables(folder, schemas) {
  for (const [name, schema] of Object.entries(schemas)) {
    const file = path.join(folder, `${name}.json`)
    const { issues = [] } = v.safeParse(schema, JSON.parse(await readFile(file, 'utf8')))
    const lines = issues.map((issue) => `${file}: ${v.getDotPath(issue)}: ${issue.message}`)
    if (lines.length > 0) throw new Error(lines.join('\n'))
  }
}
