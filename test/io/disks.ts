// Disks for tests: `node:fs` that fails, fills up or dies at a given moment, for what calls it meanwhile.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

type Call = (...args: never[]) => unknown

/** Those by which the writer changes something; `openSync` only where it creates a file. */
const changing = [
  'chmodSync',
  'fsync',
  'mkdirSync',
  'openSync',
  'renameSync',
  'rmSync',
  'rmdirSync',
  'unlinkSync',
  'writeFile',
  'writeFileSync',
] as const
export type Operation = (typeof changing)[number]

const real = new Map(changing.map((name) => [name, fs[name] as Call]))

/** `replaced` gets the arguments and what calls the real one. */
export async function withDisk<T>(
  replaced: (name: Operation, args: readonly unknown[], go: () => unknown) => unknown,
  work: () => Promise<T>,
): Promise<T> {
  for (const [name, call] of real) {
    const stand = (...args: never[]) => {
      const reads = name === 'openSync' && (args[1] as unknown) !== 'wx'
      return reads ? call(...args) : replaced(name, args, () => call(...args))
    }
    Object.assign(fs, { [name]: stand })
  }
  syncBuiltinESMExports()
  try {
    return await work()
  } finally {
    Object.assign(fs, Object.fromEntries(real))
    syncBuiltinESMExports()
  }
}

/** What the system throws. */
function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall })
}

/** Each call of the operation fails for which `fits` says so, given its number and its arguments. */
export function failing<T>(
  operation: Operation,
  code: string,
  work: () => Promise<T>,
  fits: (count: number, args: readonly unknown[]) => boolean = () => true,
): Promise<T> {
  let count = 0
  return withDisk((name, args, go) => {
    if (name !== operation) return go()
    count += 1
    if (!fits(count, args)) return go()
    const error = systemError(code, name)
    const done = args.at(-1)
    if (typeof done !== 'function') throw error
    return done(error) as unknown
  }, work)
}

class Killed extends Error {}

/** `torn`: half of a write reaches the disk. */
export type Death = 'before' | 'torn' | 'after'

/**
 * Dies at the `at`-th operation that changes something; nothing works after that. Gives how many were begun, and
 * whether it died.
 */
export async function mortal(
  work: () => Promise<unknown>,
  at = Infinity,
  death: Death = 'before',
): Promise<{ readonly count: number; readonly died: boolean }> {
  let count = 0
  const end = (args: readonly unknown[]) => {
    const done = args.at(-1)
    if (typeof done !== 'function') throw new Killed()
    return done(new Killed()) as unknown
  }
  await withDisk(
    (name, args, go) => {
      if (count >= at) return end(args)
      count += 1
      const done = args.at(-1)
      // What waits for the hardware takes long, and changes nothing that a living system shows.
      if (name === 'fsync' && typeof done === 'function')
        return count < at ? (done(null) as unknown) : end(args)
      if (count < at) return go()
      const [file, content] = args
      if (name === 'writeFile' && death !== 'before' && content instanceof Uint8Array)
        fs.writeSync(
          Number(file),
          content.subarray(0, death === 'torn' ? content.length / 2 : content.length),
        )
      else if (death === 'after') go()
      return end(args)
    },
    () =>
      work().catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error
      }),
  )
  return { count, died: count >= at }
}
