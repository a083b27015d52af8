// Commands to run next, quoted for the shell.
import type { Finding } from '../model/finding.ts'
import { isPath } from '../io/profiles/profile-file.ts'
import { escapeControls } from '../text/printable.ts'

/** A bare word would name a built-in profile, and a leading dash a flag: both get `./`. */
export function profileReference(file: string): string {
  return isPath(file) && !file.startsWith('-') ? file : `./${file}`
}

export function validateCommand(file: string): string {
  return `winnode validate ${shellWord(file)}`
}

export function renderCommand(file: string, bundle: string): string {
  return `winnode render ${shellWord(file)} --out ${shellWord(bundle)}`
}

export function upgradeCommand(file: string, target: string): string {
  return `winnode upgrade ${shellWord(file)} --to ${target} --write`
}

/** A row that `--facts` adds is known only with its file. */
export function explainCommand({ id, factsFile }: Pick<Finding, 'id' | 'factsFile'>): string {
  return `winnode explain ${id}${factsFile === undefined ? '' : ` --facts ${shellWord(factsFile)}`}`
}

export function solveCommand(file: string): string {
  return `winnode solve ${shellWord(file)} --write`
}

interface Quoting {
  readonly bare: RegExp
  /** A single quote within single quotes. */
  readonly quote: string
}

const posix: Quoting = { bare: /^[\w@%+=:,./-]+$/, quote: `'\\''` }
const powershell: Quoting = { bare: /^[\w+=:./\\-]+$/, quote: `''` }

function shellWord(file: string): string {
  const { bare, quote } = process.platform === 'win32' ? powershell : posix
  const text = profileReference(escapeControls(file))
  return bare.test(text) ? text : `'${text.replaceAll("'", quote)}'`
}
