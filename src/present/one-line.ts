// Foreign text as one line, safe for a terminal.
import { escapeControls } from '../text/printable.ts'

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t' }

/**
 * GitHub's runner runs `::error::` at the start of a line as a command, and wrapping can move it there.
 * An IPv6 address such as `::1` has no letter after f, so it stays unchanged.
 * https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs
 */
const workflowCommand = /(?<!\S)::(?=[a-z-]*[g-z-])/gi

/** Escapes characters that would move the cursor or start a control sequence. */
export function oneLine(text: string): string {
  return escapeControls(text)
    .replace(/[\n\t]/g, (character) => escapes[character] ?? '')
    .replace(workflowCommand, '\\u003a:')
}
