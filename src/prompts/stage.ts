// The terminal that prompts are drawn on, with the lines printed so far.
import { oneLine } from '../present/one-line.ts'
import type { Paint } from '../present/paint.ts'
import type { Charset } from '../present/signs.ts'
import { foldAndBreak } from '../present/wrap.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Stage {
  readonly paint: Paint
  readonly script: Charset
  /** The current size; the user can resize the terminal at any time. */
  readonly size: () => Size
  /** Prints lines that stay on the screen. */
  readonly say: (text: string) => void
  /** Erases the last printed text, where the terminal can. */
  readonly unsay: () => void
  /** Calls `draw` after each resize, below the reprinted lines; returns a function that stops this. */
  readonly onResize: (draw: () => void) => () => void
}

/** Text as one line, in characters that the terminal can show. */
export function show({ script }: Stage, text: string): string {
  return script.text(oneLine(text))
}

/** The same, wrapped; each line is indented. */
export function paragraph(stage: Stage, text: string, indent = ''): readonly string[] {
  const columns = stage.size().columns - 1 - indent.length
  return foldAndBreak(show(stage, text), columns).map((line) => indent + line)
}
