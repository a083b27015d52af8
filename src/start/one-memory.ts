// Reads files one after the other into the same memory, as a page that nobody has touched yet costs more than its bytes.
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'

/** The content of a file, until the next one is read; it begins where V8 takes cached data as it lies. */
export type ReadFile = (file: string) => Buffer

/** As much memory as the largest of the files asks for: with much more, V8 collects garbage sooner. */
export function readerOf(...files: readonly string[]): ReadFile {
  const sizes = files.map((file) => statSync(file, { throwIfNoEntry: false })?.size ?? 0)
  let memory = Buffer.allocUnsafeSlow(Math.max(...sizes))
  return (file) => {
    const from = openSync(file, 'r')
    try {
      const { size } = fstatSync(from)
      if (memory.length < size) memory = Buffer.allocUnsafeSlow(size)
      let end = 0
      for (let more = size; more > 0; end += more)
        more = readSync(from, memory, end, size - end, null)
      return memory.subarray(0, end)
    } finally {
      closeSync(from)
    }
  }
}
