// Escapes foreign text for a terminal.

/** Fast path for almost every text: cheaper than Unicode categories in V8. */
const printableText = /^[\n\t -~\u2010-\u2027]*$/

/** Control and format characters become `\uXXXX`; in JSON text, that is the same value. */
export function escapeControls(text: string): string {
  if (printableText.test(text)) return text
  const unsafe = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu
  return text.replace(unsafe, (character) =>
    character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
  )
}
