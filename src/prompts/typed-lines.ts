// Lines of input, with the line editing of the terminal; nothing here writes to it.
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

export interface TypedLines {
  /** The next line; `undefined` at the end of the input. */
  readonly next: () => Promise<string | undefined>
  /** The lines pasted together with the last one. */
  readonly restOfPaste: () => Promise<readonly string[]>
  /** Waits for lines typed before the first question, each of which answers one question. */
  readonly waitForTypedAhead: () => Promise<void>
  /** Drops lines typed ahead. */
  readonly dropTypedAhead: () => void
  readonly close: () => void
}

interface Line {
  readonly text: string
  /** Typed while a question was open. */
  readonly typedDuringQuestion: boolean
}

/** Lines that arrive within this many milliseconds are one paste. */
const pasteMilliseconds = 20

export function typedLines(input: NodeJS.ReadableStream): TypedLines {
  const reader = createInterface({ input, terminal: false })
  const lines: Line[] = []
  let ended = false
  let questionOpen = false
  let wake: () => void = () => undefined
  reader.on('line', (text) => {
    lines.push({ text, typedDuringQuestion: questionOpen })
    wake()
  })
  reader.on('close', () => {
    ended = true
    wake()
  })
  return {
    next: async () => {
      questionOpen = true
      if (lines.length === 0 && !ended)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      const line = lines.shift()
      questionOpen = line?.typedDuringQuestion ?? true
      return line?.text
    },
    restOfPaste: async () => {
      if (!questionOpen) return []
      await setTimeout(pasteMilliseconds)
      questionOpen = false
      return lines.splice(0).map(({ text }) => text)
    },
    waitForTypedAhead: async () => {
      await setTimeout(pasteMilliseconds)
    },
    dropTypedAhead: () => {
      lines.length = 0
    },
    close: () => {
      reader.close()
    },
  }
}
