// Colours text if the terminal supports it.
import { styleText } from 'node:util'

/**
 * Only colours that are readable on white and on black: yellow and cyan are not on white, blue is not on black
 * (https://en.wikipedia.org/wiki/ANSI_escape_code#Colors). Green only repeats what a word or a symbol says.
 * Dim is only for optional text, because some terminals show it almost in the background colour.
 */
export type Style = 'bold' | 'dim' | 'red' | 'magenta' | 'green'
export type Paint = (style: Style, text: string) => string

export const plain: Paint = (_style, text) => text

/** Node.js evaluates the stream, NO_COLOR, FORCE_COLOR and TERM. */
export function painter(stream: NodeJS.WritableStream): Paint {
  // Node 20 checks the stream only for a single style, and always colours a list of styles.
  const colours = styleText('red', '', { stream }) !== ''
  return colours
    ? (style, text) => styleText(legibleStyles(style), text, { validateStream: false })
    : plain
}

/**
 * Bold makes red and magenta brighter in the legacy Windows console. PowerShell's console shows magenta in its
 * background colour, and red almost as dark (https://github.com/PowerShell/PowerShell/issues/4266).
 */
function legibleStyles(style: Style): Style[] {
  return style === 'red' || style === 'magenta' ? [style, 'bold'] : [style]
}
