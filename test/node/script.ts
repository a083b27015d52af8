// A PowerShell script as the style rows read it: its text, its code alone, and its functions.
export type Role = 'entry' | 'module' | 'part' | 'pipeline'

export interface Script {
  readonly name: string
  /**
   * `entry`: people run it. `module`: what a bundle holds. `part`: what the module is joined from.
   * `pipeline`: another program runs it, before there is a bundle or around it.
   */
  readonly role: Role
  readonly text: string
  readonly lines: readonly string[]
  /** As long as the text, with blanks where comments are and between quotes. */
  readonly code: string
  readonly functions: readonly ScriptFunction[]
}

interface ScriptFunction {
  readonly name: string
  readonly line: number
  /** From `function` to the brace that closes it. */
  readonly text: string
}

export function readScript(name: string, role: Role, text: string): Script {
  const code = text.replace(prose, (found, offset: number) => blank(found, text[offset] ?? ''))
  return { name, role, text, code, lines: text.split('\n'), functions: functionsOf(text) }
}

/** Block comments, comments, and texts in either kind of quotes; a `#` in a word begins nothing. */
const prose = /<#[^]*?#>|(?<![\w`$])#.*|'(?:[^']|'')*'|"(?:[^"`]|`[^]|"")*"/g

function blank(found: string, first: string): string {
  const body = found.replace(/[^\n]/g, ' ')
  const quoted = (first === "'" || first === '"') && body.length > 1
  return quoted ? `${first}${body.slice(1, -1)}${first}` : body
}

function functionsOf(text: string): readonly ScriptFunction[] {
  return [...text.matchAll(/^function ([^\s({]+)[^]*?^\}/gm)].map((match) => ({
    name: match[1] ?? '',
    line: lineAt(text, match.index),
    text: match[0],
  }))
}

export function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length
}
