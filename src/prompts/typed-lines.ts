// Lines of input, with the line editing of the terminal; nothing here writes to it.
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

export interface TypedLines {
  /** The next line; `undefined` at the end of the input. */
  readonly next: () => Promise<string | undefined>
  /** The lines pasted together with the last one. */
  readonly rest: () => Promise<readonly string[]>
  /** Waits for lines typed before the first question: each answers one question. */
  readonly ahead: () => Promise<void>
  /** Drops lines typed ahead. */
  readonly forget: () => void
  readonly close: () => void
}

interface Line {
  readonly text: string
  /** Typed while a question was open. */
  readonly isAsked: boolean
}

/** A paste arrives line by line, within this many milliseconds. */
const together = 20

export function typedLines(input: NodeJS.ReadableStream): TypedLines {
  const reader = createInterface({ input, terminal: false })
  const lines: Line[] = []
  let ended = false
  let isAsked = false
  let wake: () => void = () => undefined
  reader.on('line', (text) => {
    lines.push({ text, isAsked })
    wake()
  })
  reader.on('close', () => {
    ended = true
    wake()
  })
  return {
    next: async () => {
      isAsked = true
      if (lines.length === 0 && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const line = lines.shift()
      isAsked = line?.isAsked ?? true
      return line?.text
    },
    rest: async () => {
      if (!isAsked) return []
      await setTimeout(together)
      isAsked = false
      return lines.splice(0).map(({ text }) => text)
    },
    ahead: async () => {
      await setTimeout(together)
    },
    forget: () => {
      lines.length = 0
    },
    close: () => {
      reader.close()
    },
  }
}
