// Stage: the terminal that prompts are drawn on, and what was said on it so far.
import { oneLine } from '../present/one-line.ts'
import type { Paint } from '../present/paint.ts'
import type { Script } from '../present/signs.ts'
import { breakUp } from '../present/wrap.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface Stage {
  readonly paint: Paint
  readonly script: Script
  /** What it is now: a person may change it at any moment. */
  readonly size: () => Size
  /** Text as lines of its own, which stay. */
  readonly say: (text: string) => void
  /** Takes back what was said last, where that can be done. */
  readonly unsay: () => void
  /** Calls back after each change of the size, on a screen with nothing but what was said; gives how to end that. */
  readonly onResize: (draw: () => void) => () => void
}

/** Text from anywhere as one line in characters that the terminal has. */
export function show({ script }: Stage, text: string): string {
  return script.text(oneLine(text))
}

/** The same, over as many lines as it takes; `indent` stands before each. */
export function paragraph(stage: Stage, text: string, indent = ''): readonly string[] {
  const columns = stage.size().columns - 1 - indent.length
  return breakUp(show(stage, text), columns).map((line) => indent + line)
}
