// Files that the project makes of itself: compared with what is checked in, or written anew.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
