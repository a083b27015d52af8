// Splits typed input into keys, and keeps each for the question that it answers, even if typed ahead.
import { PassThrough } from 'node:stream'

/** Input of a terminal. */
export interface Input extends NodeJS.ReadableStream {
  readonly setRawMode: (raw: boolean) => unknown
}

export interface Keyboard {
  /** Sends keys to one question until it is answered; later keys wait for the next. `separator` joins pasted lines. */
  readonly withKeys: <T>(
    separator: string,
    ask: (keys: NodeJS.ReadableStream) => Promise<T>,
  ) => Promise<T>
  /** For the next prompt, before keys typed ahead. */
  readonly sendAgain: (keys: string) => void
  /** Drops keys typed ahead. */
  readonly dropTypedAhead: () => void
  readonly close: () => void
}

/** A paste, a Windows line end, a key of several bytes, or a character. */
const firstKey = /^(?:\u001b\[200~[^]*?\u001b\[201~|\r\n|\u001b(?:\[[0-?]*[ -/]*[@-~]|O.)|[^])/u

const paste = /^\u001b\[200~([^]*)\u001b\[201~$/

/** Joins the lines of a paste, without blank ones and without control characters. */
function joinPaste(pasted: string, separator: string): string {
  const lines = pasted.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '')
  const text = lines.map((line) => line.replaceAll('\t', ' ').replace(/[\p{Cc}\p{Cf}]/gu, ''))
  return text.join(separator) + (separator === '\r' ? '\r' : '')
}

const ctrlC = '\u0003'
const ctrlZ = '\u001a'

/** `suspend` is called on Ctrl-Z. */
export function keyboardOf(input: Input, suspend: () => void): Keyboard {
  const decoder = new TextDecoder()
  let typed = ''
  let ended = false
  let keys: PassThrough | undefined
  let separator = ' '
  let scheduled: NodeJS.Immediate | undefined
  const scheduleFeed = () => {
    if (keys) scheduled ??= setImmediate(feed)
  }
  // Send one key at a time, because it can answer the question, and the next key belongs to the next question.
  const feed = () => {
    scheduled = undefined
    const [key = ''] = firstKey.exec(typed) ?? []
    typed = typed.slice(key.length)
    const [, pasted] = paste.exec(key) ?? []
    if (pasted !== undefined) typed = joinPaste(pasted, separator) + typed
    else if (key === ctrlZ && process.platform !== 'win32') suspend()
    else if (key !== '') keys?.write(key === '\r\n' ? '\r' : key)
    else if (ended) keys?.end()
    if (key !== '') scheduleFeed()
  }
  const onData = (bytes: Uint8Array) => {
    typed += decoder.decode(bytes, { stream: true })
    scheduleFeed()
  }
  const onEnd = () => {
    ended = true
    scheduleFeed()
  }
  input.on('data', onData)
  input.on('end', onEnd)
  // Stay in raw mode, otherwise the terminal echoes keys typed between two questions.
  input.setRawMode(true)
  input.resume()
  return {
    withKeys: async (keySeparator, ask) => {
      keys = new PassThrough()
      separator = keySeparator
      scheduleFeed()
      try {
        return await ask(keys)
      } finally {
        keys = undefined
        clearImmediate(scheduled)
        scheduled = undefined
      }
    },
    sendAgain: (again) => {
      typed = again + typed
    },
    dropTypedAhead: () => {
      typed = typed.includes(ctrlC) ? ctrlC : ''
    },
    close: () => {
      input.off('data', onData)
      input.off('end', onEnd)
      input.setRawMode(false)
      input.pause()
    },
  }
}
