// Files of the project.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../tools/run.ts'

/** Files of the project, without what git ignores; relative, with forward slashes. */
export function filesBelow(folder: string): readonly string[] {
  const ignored = readFileSync(path.join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean)
  const skip = [...ignored, '.git/'].map(
    (line) =>
      new RegExp(`^${line.replace(/\/$/, '').replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
  )
  return readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !skip.some((pattern) => pattern.test(name)))
    .flatMap((entry) => {
      if (!entry.isDirectory()) return [entry.name]
      return filesBelow(path.join(folder, entry.name)).map((name) => `${entry.name}/${name}`)
    })
}
