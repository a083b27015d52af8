// Terminal: the stage that a real terminal gives, taken for the time of the questions and given back as it was.
import type { WriteStream } from 'node:tty'
import { stripVTControlCharacters } from 'node:util'
import type { Screen } from '../present/screen.ts'
import type { Script } from '../present/signs.ts'
import { widthOf } from '../present/width.ts'
import { keyboardOf, type Input, type Keyboard } from './keyboard.ts'
import type { Size, Stage } from './stage.ts'

/** What terminals have that say nothing, or 0. */
const usual: Size = { columns: 80, rows: 24 }

/** A frame needs some room; a terminal that is smaller cuts it. */
const least: Size = { columns: 16, rows: 8 }

/** A paste comes between marks, so that its lines are no answers (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode). */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

const showCursor = '\u001b[?25h'
/** On a line of its own, with nothing below. */
const below = '\n\u001b[J'
const clear = '\u001b[H\u001b[2J'

export function terminalStage(output: WriteStream, { paint }: Screen, script: Script): Stage {
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
        // Nobody knows how a terminal breaks lines anew that are there: all is written again.
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

/** Runs `talk` on a terminal that marks pastes; whatever ends the process, the terminal is as before. */
export async function onTerminal<T>(
  { input, output }: Streams,
  talk: (keyboard: Keyboard) => Promise<T>,
): Promise<T> {
  const take = () => output.write(pasteMarks.on)
  const restore = () => output.write(pasteMarks.off + showCursor)
  const goOn = () => {
    take()
    // What the process takes for the mode need not be that of the terminal.
    input.setRawMode(false)
    input.setRawMode(true)
    output.emit('resize')
  }
  const keyboard = keyboardOf(input, () => {
    output.write(below)
    restore()
    input.setRawMode(false)
    // With all that a shell has started to run this, as the terminal itself does it.
    process.kill(0, 'SIGTSTP')
    // Where no shell could wake it, nothing was stopped.
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
