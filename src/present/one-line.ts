// Foreign text as one line, safe for a terminal.
import { printable } from '../text/printable.ts'

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t' }

/**
 * A word such as `::error::`, which at the beginning of a line is a command to GitHub's runner; wrapping may
 * move it there. A word with a letter after f is no IPv6 address. https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
const command = /(?<!\S)::(?=[a-z-]*[g-z-])/gi

/** Escapes characters that would move the cursor or start a control sequence. */
export function oneLine(text: string): string {
  return printable(text)
    .replace(/[\n\t]/g, (character) => escapes[character] ?? '')
    .replace(command, '\\u003a:')
}
