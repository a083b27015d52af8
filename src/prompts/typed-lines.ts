// Typed-lines: lines as the terminal gives them; it edits them, and nothing here writes to it.
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

export interface TypedLines {
  /** The next line, or `undefined` where none can come. */
  readonly next: () => Promise<string | undefined>
  /** Those that were pasted together with the last one. */
  readonly rest: () => Promise<readonly string[]>
  readonly close: () => void
}

/** A terminal gives a paste line by line, but at once. */
const together = 20

export function typedLines(input: NodeJS.ReadableStream): TypedLines {
  const reader = createInterface({ input, terminal: false })
  const lines: string[] = []
  let ended = false
  let wake: () => void = () => undefined
  reader.on('line', (line) => {
    lines.push(line)
    wake()
  })
  reader.on('close', () => {
    ended = true
    wake()
  })
  return {
    next: async () => {
      if (lines.length === 0 && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return lines.shift()
    },
    rest: async () => {
      await setTimeout(together)
      return lines.splice(0)
    },
    close: () => {
      reader.close()
    },
  }
}
