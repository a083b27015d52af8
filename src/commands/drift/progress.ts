// A counter of the nodes read so far, drawn on a terminal.

export interface Progress {
  readonly step: () => void
  /** Erases the line. */
  readonly end: () => void
}

/** Milliseconds between two updates, and before the first. */
const interval = 200

/** Does nothing without a terminal. */
export function openProgress(terminal: NodeJS.WritableStream | undefined): Progress {
  let read = 0
  let last = performance.now()
  let width = 0
  return {
    step: () => {
      read += 1
      if (!terminal || performance.now() - last < interval) return
      last = performance.now()
      const text = `${read} nodes read`
      width = text.length
      terminal.write(`\r${text}`)
    },
    end: () => {
      if (terminal && width > 0) terminal.write(`\r${' '.repeat(width)}\r`)
    },
  }
}
