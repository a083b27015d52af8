// Colours text if the terminal supports it.
import { styleText } from 'node:util'

/**
 * What can be read on white and on black: there yellow, cyan and green lose the text, here blue does
 * (https://en.wikipedia.org/wiki/ANSI_escape_code#Colors). Green stays for what a word or a sign says too.
 * Dim is only for optional text: on some terminals it hardly differs from the background.
 */
export type Style = 'bold' | 'dim' | 'red' | 'magenta' | 'green'
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_style, text) => text

/** Node.js evaluates the stream, NO_COLOR, FORCE_COLOR and TERM. */
export function painter(stream: NodeJS.WritableStream): Paint {
  // Node 20 asks the stream for a single style only, and colours a list of styles always.
  const colours = styleText('red', '', { stream }) !== ''
  return colours
    ? (style, text) => styleText(legible(style), text, { validateStream: false })
    : plain
}

/**
 * The old Windows console brightens what is bold. That of PowerShell has its background in the place of
 * magenta, and red is nearly as dark (https://github.com/PowerShell/PowerShell/issues/4266).
 */
function legible(style: Style): Style[] {
  return style === 'red' || style === 'magenta' ? [style, 'bold'] : [style]
}
