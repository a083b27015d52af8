// Prompts on a real terminal, whose settings are restored at the end.
import type { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import type { Screen } from '../present/screen.ts'
import type { Charset } from '../present/signs.ts'
import { widthOf } from '../present/width.ts'
import { keyboardOf, type Input, type Keyboard } from './keyboard.ts'
import type { Size, Stage } from './stage.ts'

/** For terminals that report no size, or 0. */
const usual: Size = { columns: 80, rows: 24 }

/** Prompts need at least this; a smaller terminal clips them. */
const least: Size = { columns: 16, rows: 8 }

/** With marks around a paste, its lines are not taken for answers (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode). */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

const showCursor = '\u001b[?25h'
/** Moves to an empty line, and erases the screen below. */
const below = '\n\u001b[J'
const clear = '\u001b[H\u001b[2J'

export function terminalStage(output: WriteStream, { paint }: Screen, script: Charset): Stage {
  const said: string[] = []
  const size = () => ({
    columns: Math.max(least.columns, output.columns || usual.columns),
    rows: Math.max(least.rows, output.rows || usual.rows),
  })
  return {
    paint,
    script,
    size,
    say: (text) => {
      said.push(text)
      output.write(`${text}\n`)
    },
    unsay: () => {
      const lines = heightOf(said.pop() ?? '', size().columns)
      output.write(`\u001b[${lines}A\u001b[J`)
    },
    onResize: (draw) => {
      const redraw = () => {
        // Terminals rewrap existing lines differently, so everything is printed again.
        const lines = said
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

/** Runs `talk` on a terminal that marks pastes, and restores the terminal however the process ends. */
export async function onTerminal<T>(
  { input, output }: Streams,
  talk: (keyboard: Keyboard) => Promise<T>,
): Promise<T> {
  const take = () => output.write(pasteMarks.on)
  const restore = () => output.write(pasteMarks.off + showCursor)
  const goOn = () => {
    take()
    // A shell may have changed the mode of the terminal, which Node does not notice.
    input.setRawMode(false)
    input.setRawMode(true)
    output.emit('resize')
  }
  const keyboard = keyboardOf(input, () => {
    output.write(below)
    restore()
    input.setRawMode(false)
    // The whole process group, as the terminal itself does on Ctrl-Z.
    process.kill(0, 'SIGTSTP')
    // Without a shell that could continue it, nothing was stopped.
    goOn()
  })
  process.once('exit', restore)
  process.on('SIGCONT', goOn)
  take()
  try {
    return await talk(keyboard)
  } finally {
    process.off('exit', restore)
    process.off('SIGCONT', goOn)
    keyboard.close()
    restore()
  }
}
