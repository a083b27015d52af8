// Text that came from outside, made harmless for a terminal.

const unsafe = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu

/** Control and format characters become `\uXXXX`; in JSON text, that is the same value. */
export function printable(text: string): string {
  return text.replace(unsafe, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}
