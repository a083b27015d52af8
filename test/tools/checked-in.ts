// Generated files that are checked in: compared with a new generation, or rewritten by `npm run golden`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { root } from './run.ts'

/** Compares a generated text with a file of the project; `npm run golden` writes the file first. */
export function checkedIn(t: Test, name: string, text: string): void {
  const file = path.join(root, name)
  if (t.writeSnapshot) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  t.equal(found, text, `${name} is as it was made; npm run golden makes it again`)
}

/** As `checkedIn`, for a folder, which must hold exactly these files. */
export function checkedInFolder(t: Test, name: string, files: ReadonlyMap<string, string>): void {
  const folder = path.join(root, name)
  if (t.writeSnapshot) rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of files) checkedIn(t, `${name}/${file}`, text)
  t.strictSame(filesBelow(folder), [...files.keys()].sort(), `${name} has these files`)
}

/** Relative paths of all files below a folder, with forward slashes. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort()
}
