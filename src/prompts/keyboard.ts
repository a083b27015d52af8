// Splits typed input into keys, and keeps each for the question that it answers, even if typed ahead.
import { PassThrough } from 'node:stream'

/** Of a terminal. */
export interface Input extends NodeJS.ReadableStream {
  readonly setRawMode: (raw: boolean) => unknown
}

export interface Keyboard {
  /** Gives one question its keys; later ones wait for the next question. The lines of a paste are joined with `joint`. */
  readonly hear: <T>(joint: string, ask: (keys: NodeJS.ReadableStream) => Promise<T>) => Promise<T>
  /** Drops keys typed ahead. */
  readonly forget: () => void
  readonly close: () => void
}

/** A paste, a Windows line end, a key of several bytes, or a character. */
const first = /^(?:\u001b\[200~[^]*?\u001b\[201~|\r\n|\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)|[^])/u

const paste = /^\u001b\[200~([^]*)\u001b\[201~$/

/** Joins the lines of a paste, without blank ones and without control characters. */
function joined(pasted: string, joint: string): string {
  const lines = pasted.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const text = lines.map((line) => line.replaceAll('\t', ' ').replace(/[\p{Cc}\p{Cf}]/gu, ''))
  return text.join(joint) + (joint === '\r' ? '\r' : '')
}

const ctrlC = '\u0003'
const ctrlZ = '\u001a'

/** `suspend` is called on Ctrl-Z. */
export function keyboardOf(input: Input, suspend: () => void): Keyboard {
  const decoder = new TextDecoder()
  let typed = ''
  let ended = false
  let keys: PassThrough | undefined
  let joint = ' '
  let soon: NodeJS.Immediate | undefined
  const wake = () => {
    if (keys) soon ??= setImmediate(feed)
  }
  // One key at a time: the key may end the question, and the next one belongs to the next question.
  const feed = () => {
    soon = undefined
    const [key = ''] = first.exec(typed) ?? []
    typed = typed.slice(key.length)
    const [, pasted] = paste.exec(key) ?? []
    if (pasted !== undefined) typed = joined(pasted, joint) + typed
    else if (key === ctrlZ && process.platform !== 'win32') suspend()
    else if (key !== '') keys?.write(key === '\r\n' ? '\r' : key)
    else if (ended) keys?.end()
    if (key !== '') wake()
  }
  const hear = (bytes: Uint8Array) => {
    typed += decoder.decode(bytes, { stream: true })
    wake()
  }
  const end = () => {
    ended = true
    wake()
  }
  input.on('data', hear)
  input.on('end', end)
  // Raw mode all the time, or the terminal would echo what is typed between two questions.
  input.setRawMode(true)
  input.resume()
  return {
    hear: async (between, ask) => {
      keys = new PassThrough()
      joint = between
      wake()
      try {
        return await ask(keys)
      } finally {
        keys = undefined
        clearImmediate(soon)
        soon = undefined
      }
    },
    forget: () => {
      typed = typed.includes(ctrlC) ? ctrlC : ''
    },
    close: () => {
      input.off('data', hear)
      input.off('end', end)
      input.setRawMode(false)
      input.pause()
    },
  }
}
