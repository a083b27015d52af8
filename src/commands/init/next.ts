// Next: what a person runs after init, as a shell takes it.
import { isPath } from '../../io/profiles/profile-file.ts'
import { printable } from '../../model/printable.ts'

/** As a command takes it: a bare word is a built-in profile there, and one with a dash a flag. */
export function referenceTo(file: string): string {
  return isPath(file) && !file.startsWith('-') ? file : `./${file}`
}

export function validating(file: string): string {
  return `winnode validate ${word(file)}`
}

export function rendering(file: string, bundle: string): string {
  return `winnode render ${word(file)} --out ${word(bundle)}`
}

interface Shell {
  readonly bare: RegExp
  /** A quote between quotes. */
  readonly quote: string
}

const posix: Shell = { bare: /^[\w@%+=:,./-]+$/, quote: `'\\''` }
const powershell: Shell = { bare: /^[\w+=:./\\-]+$/, quote: `''` }

function word(file: string): string {
  const { bare, quote } = process.platform === 'win32' ? powershell : posix
  const text = referenceTo(printable(file))
  return bare.test(text) ? text : `'${text.replaceAll("'", quote)}'`
}
