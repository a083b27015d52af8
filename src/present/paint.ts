// Paint: colour, only on a terminal that wants it.
import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_style, text) => text

/** Node judges the stream, NO_COLOR, FORCE_COLOR and TERM. */
export function painter(stream: NodeJS.WritableStream): Paint {
  // Node 20 asks the stream for a single style only, and colours a list of styles always.
  const colours = styleText('red', '', { stream }) !== ''
  return colours ? (style, text) => styleText(style, text, { validateStream: false }) : plain
}
