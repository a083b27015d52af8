// The file in which lies what V8 compiled of the program: its bytes, then a line of JSON that says of what.
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isList, isObject } from '../model/json.ts'
import type { ReadFile } from './one-memory.ts'

export interface Compiled {
  /** Of the runs that called what is compiled here. */
  readonly kinds: readonly string[]
  /** Absent where there is none of this program. */
  readonly data?: Buffer
}

/** `program` is a digest of its text. */
export function readCompiled(file: string, program: string, read: ReadFile): Compiled {
  try {
    const content = read(file)
    const end = content.lastIndexOf('\n')
    const said: unknown = JSON.parse(content.toString('utf8', end + 1))
    if (isObject(said) && said['program'] === program && isList(said['kinds']))
      return { kinds: said['kinds'].map(String), data: content.subarray(0, end) }
  } catch {
    // None yet, or one that was cut off.
  }
  return { kinds: [] }
}

/** A run that starts meanwhile, and one after a power cut, finds the whole file or none. */
export function writeCompiled(file: string, program: string, { kinds, data }: Required<Compiled>) {
  const fresh = `${file}.${process.pid}`
  try {
    // Processes of two containers have the same number; the second would write into what the first has put there.
    const to = openSync(fresh, 'wx', 0o600)
    try {
      writeFileSync(
        to,
        Buffer.concat([data, Buffer.from(`\n${JSON.stringify({ program, kinds })}`)]),
      )
      fsyncSync(to)
    } finally {
      closeSync(to)
    }
    renameSync(fresh, file)
  } catch {
    // The next run compiles anew.
    rmSync(fresh, { force: true })
  }
}
