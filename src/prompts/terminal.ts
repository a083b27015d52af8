// Terminal: the stage that a real terminal gives, taken for the time of the questions and given back as it was.
import type { WriteStream } from 'node:tty'
import type { Screen } from '../present/screen.ts'
import type { Script } from '../present/signs.ts'
import type { Size, Stage } from './stage.ts'

/** What terminals have that say nothing, or 0. */
const usual: Size = { columns: 80, rows: 24 }

/** A frame needs some room; a terminal that is smaller cuts it. */
const least: Size = { columns: 16, rows: 8 }

/** A paste comes between marks, so that its lines are no answers (https://invisible-island.net/xterm/ctlseqs/ctlseqs.html#h2-Bracketed-Paste-Mode). */
const pasteMarks = { on: '\u001b[?2004h', off: '\u001b[?2004l' } as const

const showCursor = '\u001b[?25h'
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
      said.push(...text.split('\n'))
      output.write(`${text}\n`)
    },
    onResize: (draw) => {
      const redraw = () => {
        // Nobody knows how a terminal breaks lines anew that are there: all is written again.
        const lines = said.slice(-Math.floor(size().rows / 2))
        output.write(clear + lines.map((line) => `${line}\n`).join(''))
        draw()
      }
      output.on('resize', redraw)
      return () => output.off('resize', redraw)
    },
  }
}

/** Runs `talk` on a terminal that marks pastes; whatever ends the process, the terminal is as before. */
export async function onTerminal<T>(output: WriteStream, talk: () => Promise<T>): Promise<T> {
  const restore = () => output.write(pasteMarks.off + showCursor)
  process.once('exit', restore)
  output.write(pasteMarks.on)
  try {
    return await talk()
  } finally {
    process.off('exit', restore)
    restore()
  }
}
