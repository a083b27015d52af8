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
  readonly charset: Charset
  /** The current size, which changes when the user resizes the terminal. */
  readonly size: () => Size
  /** Prints lines that stay on the screen. */
  readonly print: (text: string) => void
  /** Erases the last printed text, where the terminal can. */
  readonly erase: () => void
  /** Calls `draw` after each resize, below the reprinted lines; returns a function that stops this. */
  readonly onResize: (draw: () => void) => () => void
}

/** Text as one line, in characters that the terminal can show. */
export function show({ charset }: Stage, text: string): string {
  return charset.text(oneLine(text))
}

/** The same, wrapped; each line is indented by two columns. */
export function paragraph(stage: Stage, text: string): readonly string[] {
  return foldAndBreak(show(stage, text), stage.size().columns - 3).map((line) => `  ${line}`)
}
