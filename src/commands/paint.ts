// Colour: only on a terminal that wants it.
import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]
export type Paint = (style: Style, text: string) => string

/** `plain` overrules the stream, NO_COLOR, FORCE_COLOR and TERM, which Node judges. */
export function painter(stream: NodeJS.WriteStream, plain: boolean): Paint {
  // Node 20 asks the stream for a single style only, and colours a list of styles always.
  const colours = !plain && styleText('red', '', { stream }) !== ''
  return colours ? (style, text) => styleText(style, text) : (_style, text) => text
}
