// Target: the file that the profile goes to, written whole or not at all.
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { Failure } from '../failure.ts'

export function isThere(file: string): boolean {
  return existsSync(file)
}

export function alreadyThere(file: string): Failure {
  return new Failure('conflict', `${file} is there already; nothing was written`, [
    '--force replaces it, --out writes another one',
  ])
}

/** Without `replace`, a file that came meanwhile stays. */
export function writeWhole(file: string, text: string, replace: boolean): void {
  if (!replace) {
    try {
      writeFileSync(file, text, { flag: 'wx' })
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')
        throw alreadyThere(file)
      throw thrown
    }
    return
  }
  const beside = `${file}.${process.pid}.new`
  try {
    writeFileSync(beside, text, { flag: 'wx' })
    renameSync(beside, file)
  } finally {
    rmSync(beside, { force: true })
  }
}
