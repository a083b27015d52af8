// The colours, the width and the verbosity of the output.
import { type Paint, painter, plain } from './paint.ts'

export interface Screen {
  readonly paint: Paint
  /** Absent if the width is unknown, as with a file or a pipe. */
  readonly columns?: number
  /** Whether to print details. */
  readonly verbose: boolean
}

/** Without colours and width limit, as for a file. */
export const plainScreen: Screen = { paint: plain, verbose: false }

const defaultColumns = 80

/** The width of prose in columns: 80 if the width of the screen is unknown. */
export function columnsOf({ columns = defaultColumns }: Screen): number {
  return columns
}

export function screenOf(
  stream: NodeJS.WritableStream & { readonly columns?: number | undefined },
  { colours, verbose }: { readonly colours: boolean; readonly verbose: boolean },
): Screen {
  // Some terminals report 0.
  const { columns = 0 } = stream
  return {
    paint: colours ? painter(stream) : plain,
    ...(columns > 0 && { columns }),
    verbose,
  }
}
