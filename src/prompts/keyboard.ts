// Keyboard: what a person types, each key kept for the question that it answers, however early it comes.
import { PassThrough } from 'node:stream'

/** Of a terminal. */
export interface Input extends NodeJS.ReadableStream {
  readonly setRawMode: (raw: boolean) => unknown
}

export interface Keyboard {
  /** The keys for one question; what is typed once it is answered waits for the next. A paste is joined with `joint`. */
  readonly hear: <T>(joint: string, ask: (keys: NodeJS.ReadableStream) => Promise<T>) => Promise<T>
  /** What was typed so far answers nothing. */
  readonly forget: () => void
  readonly close: () => void
}

/** A paste, a line as Windows ends it, a key of several bytes, or a character. */
const first = /^(?:\u001b\[200~[^]*?\u001b\[201~|\r\n|\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)|[^])/u

const paste = /^\u001b\[200~([^]*)\u001b\[201~$/

/** Lines of a paste that are not blank; characters that would move the cursor are left out. */
function joined(pasted: string, joint: string): string {
  const lines = pasted.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const text = lines.map((line) => line.replaceAll('\t', ' ').replace(/[\p{Cc}\p{Cf}]/gu, ''))
  return text.join(joint) + (joint === '\r' ? '\r' : '')
}

const ctrlC = '\u0003'
const ctrlZ = '\u001a'

/** `suspend` is called where a person wants to do something else first. */
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
  // A question that one key answers is done before the next key comes.
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
  // All the time: else the terminal shows what is typed between two questions.
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
