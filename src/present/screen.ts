// Screen: what a text is printed on: its colours, its width, and how much is to be said.
import { type Paint, painter, plain } from './paint.ts'

export interface Screen {
  readonly paint: Paint
  /** Absent where no terminal says how wide it is, as with a file or a pipe. */
  readonly columns?: number
  /** Everything is to be said. */
  readonly verbose: boolean
}

/** Without colours and width, as for a file. */
export const bare: Screen = { paint: plain, verbose: false }

const usual = 80

/** What prose has. */
export function columnsOf({ columns = usual }: Screen): number {
  return columns
}

export function screenOf(
  stream: NodeJS.WritableStream & { readonly columns?: number | undefined },
  { colours, verbose }: { readonly colours: boolean; readonly verbose: boolean },
): Screen {
  // Some terminals say 0.
  const { columns = 0 } = stream
  return {
    paint: colours ? painter(stream) : plain,
    ...(columns > 0 && { columns }),
    verbose,
  }
}
