// Prompts on a real terminal, whose settings are restored at the end.
import type { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import type { Screen } from '../present/screen.ts'
import type { Charset } from '../present/signs.ts'
import { widthOf } from '../present/width.ts'
import { keyboardOf, type Input, type Keyboard } from './keyboard.ts'
import type { Size, Stage } from './stage.ts'

/** For terminals that report no size, or 0. */
const defaultSize: Size = { columns: 80, rows: 24 }

/** Prompts need at least this; a smaller terminal clips them. */
const minSize: Size = { columns: 16, rows: 8 }

/** Bracketed paste mode: pasted line ends do not answer questions (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode). */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

const showCursor = '\u001b[?25h'
/** Moves to an empty line, and erases the screen below. */
const eraseBelow = '\n\u001b[J'
const clear = '\u001b[H\u001b[2J'

export function terminalStage(output: WriteStream, { paint }: Screen, charset: Charset): Stage {
  const printed: string[] = []
  const size = () => ({
    columns: Math.max(minSize.columns, output.columns || defaultSize.columns),
    rows: Math.max(minSize.rows, output.rows || defaultSize.rows),
  })
  return {
    paint,
    charset,
    size,
    print: (text) => {
      printed.push(text)
      output.write(`${text}\n`)
    },
    erase: () => {
      const lines = heightOf(printed.pop() ?? '', size().columns)
      output.write(`\u001b[${lines}A\u001b[J`)
    },
    onResize: (draw) => {
      const redraw = () => {
        // Terminals rewrap existing lines differently, so everything is printed again.
        const lines = printed
          .join('\n')
          .split('\n')
          .slice(-Math.floor(size().rows / 2))
        output.write(clear + lines.map((line) => `${line}\n`).join(''))
        draw()
      }
      output.on('resize', redraw)
      return () => output.off('resize', redraw)
    },
  }
}

function heightOf(text: string, columns: number): number {
  const lines = text.split('\n').map((line) => widthOf(stripVTControlCharacters(line)))
  return lines.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
}

interface Streams {
  readonly input: Input
  readonly output: WriteStream
}

/** Runs `run` with bracketed paste, and restores the terminal however the process ends. */
export async function onTerminal<T>(
  { input, output }: Streams,
  run: (keyboard: Keyboard) => Promise<T>,
): Promise<T> {
  const enablePasteMarks = () => output.write(pasteMarks.on)
  const restore = () => output.write(pasteMarks.off + showCursor)
  const resume = () => {
    enablePasteMarks()
    // The shell can have changed the terminal mode without Node noticing.
    input.setRawMode(false)
    input.setRawMode(true)
    output.emit('resize')
  }
  const keyboard = keyboardOf(input, () => {
    output.write(eraseBelow)
    restore()
    input.setRawMode(false)
    // Suspend the whole process group, as the terminal does on Ctrl-Z.
    process.kill(0, 'SIGTSTP')
    // Without job control, SIGTSTP stops nothing, so continue.
    resume()
  })
  process.once('exit', restore)
  process.on('SIGCONT', resume)
  enablePasteMarks()
  try {
    return await run(keyboard)
  } finally {
    process.off('exit', restore)
    process.off('SIGCONT', resume)
    keyboard.close()
    restore()
  }
}
