// Reads files one after the other into the same memory, as a page that nobody has touched yet costs more than its bytes.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** The content of a file, until the next one is read; it begins where V8 takes cached data as it lies. */
export type ReadFile = (file: string) => Buffer

/** More than the program or what V8 made of it, in bytes; what is not touched costs nothing. */
const usual = 2 ** 22

export function readerIntoOneMemory(): ReadFile {
  let memory = Buffer.allocUnsafeSlow(usual)
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
