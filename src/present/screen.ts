// The colours, the width and the verbosity of the output.
import { type Paint, painter, plain } from './paint.ts'

export interface Screen {
  readonly paint: Paint
  /** `Infinity` in a file or a pipe, where `grep` and editors read lines: nothing is wrapped or cut. */
  readonly columns: number
  /** Whether to print details. */
  readonly verbose: boolean
}

/** Without colours and width limit, as for a file. */
export const plainScreen: Screen = { paint: plain, columns: Infinity, verbose: false }

export function screenOf(
  stream: NodeJS.WritableStream & { readonly columns?: number | undefined },
  { colours, verbose }: { readonly colours: boolean; readonly verbose: boolean },
): Screen {
  // Some terminals report 0.
  const { columns = 0 } = stream
  return {
    paint: colours ? painter(stream) : plain,
    columns: columns > 0 ? columns : Infinity,
    verbose,
  }
}
