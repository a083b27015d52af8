// Symbols beside words such as `error`, and their ASCII fallbacks.

interface Signs {
  readonly pointer: string
  readonly done: string
  readonly between: string
  readonly more: string
}

const unicode: Signs = { pointer: '❯', done: '✔', between: ' · ', more: '…' }
const ascii: Signs = { pointer: '>', done: '+', between: ' | ', more: '...' }

/** Markers that mean the same in every command; a symbol never replaces its word. */
export const words = {
  current: 'current',
  found: 'found',
  recommended: 'recommended',
  isDefault: 'default',
  unavailable: 'unavailable',
  cannotUnset: 'cannot be unset',
} as const

/** The symbols of a terminal, and a function that transliterates foreign text to characters it can print. */
export interface Charset {
  readonly signs: Signs
  readonly text: (text: string) => string
}

export const unicodeCharset: Charset = { signs: unicode, text: (text) => text }
export const asciiCharset: Charset = { signs: ascii, text: toAscii }

/** Words in place of symbols, for screen readers. */
export function forScreenReader({ text }: Charset): Charset {
  return { signs: { ...ascii, done: 'answered:' }, text }
}

type Environment = Readonly<Record<string, string | undefined>>

/** POSIX: the first of these that is set and not empty decides (https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02). */
const localeVariables = ['LC_ALL', 'LC_CTYPE', 'LANG']

/** Terminals on Windows with Unicode fonts; the legacy console has none. */
const unicodeTerminals = ['WT_SESSION', 'TERM_PROGRAM', 'ConEmuTask']

export function charsetOf(env: Environment, platform: string): Charset {
  if (platform === 'win32')
    return unicodeTerminals.some((name) => env[name]) ? unicodeCharset : asciiCharset
  // The Linux kernel's console has only 512 glyphs.
  if (env['TERM'] === 'linux') return asciiCharset
  const locale = localeVariables.map((name) => env[name]).find(Boolean) ?? ''
  return /utf-?8/i.test(locale) ? unicodeCharset : asciiCharset
}

const asciiReplacements: Readonly<Record<string, string>> = {
  '’': "'",
  '‘': "'",
  '“': '"',
  '”': '"',
  '…': '...',
  '–': '-',
  '—': '-',
  '×': 'x',
  '·': '|',
  '→': '->',
  '≥': '>=',
  '≤': '<=',
  '\u00a0': ' ',
}

function toAscii(text: string): string {
  return text.replace(
    /[^\t\n\u0020-\u007e\u001b]/gu,
    (character) => asciiReplacements[character] ?? '?',
  )
}
