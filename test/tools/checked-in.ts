// Files that the project makes of itself: compared with what is checked in, or written anew.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Test } from 'tap'
import { root } from './run.ts'

/** `name` is relative to the project. `npm run golden` writes it; every other run compares. */
export function checkedIn(t: Test, name: string, text: string): void {
  const file = path.join(root, name)
  if (t.writeSnapshot) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const found = existsSync(file) ? readFileSync(file, 'utf8') : undefined
  t.equal(found, text, `${name} is as it was made; npm run golden makes it anew`)
}

/** As `checkedIn`, for every file of a folder: none may be missing, and none too many. */
export function checkedInFolder(t: Test, name: string, files: ReadonlyMap<string, string>): void {
  const folder = path.join(root, name)
  if (t.writeSnapshot) rmSync(folder, { recursive: true, force: true })
  for (const [file, text] of files) checkedIn(t, `${name}/${file}`, text)
  t.strictSame(filesBelow(folder), [...files.keys()].sort(), `${name} has these files`)
}

/** Relative, with forward slashes. */
export function filesBelow(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .map((file) => file.split(path.sep).join('/'))
    .sort()
}
