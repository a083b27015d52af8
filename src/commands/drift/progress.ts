// Progress: how many nodes have been read, on a terminal that waits for the answer.

export interface Progress {
  readonly step: () => void
  /** Leaves nothing behind. */
  readonly end: () => void
}

/** Milliseconds; what is done sooner needs no words. */
const often = 200

/** `terminal` is absent where nobody looks. */
export function openProgress(terminal: NodeJS.WritableStream | undefined): Progress {
  let read = 0
  let last = performance.now()
  let width = 0
  return {
    step: () => {
      read += 1
      if (!terminal || performance.now() - last < often) return
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
