// Typed-lines: lines as the terminal gives them; it edits them, and nothing here writes to it.
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'

export interface TypedLines {
  /** The next line, or `undefined` where none can come. */
  readonly next: () => Promise<string | undefined>
  /** Those that were pasted together with the last one. */
  readonly rest: () => Promise<readonly string[]>
  /** What was typed before the first question is there: each line answers a question. */
  readonly ahead: () => Promise<void>
  /** Those that nobody asked for yet answer nothing. */
  readonly forget: () => void
  readonly close: () => void
}

interface Line {
  readonly text: string
  /** It was typed while a question stood. */
  readonly isAsked: boolean
}

/** A terminal gives a paste line by line, but at once. */
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
