// Symbols beside words such as `error`, and their ASCII fallbacks.

export interface Signs {
  readonly pointer: string
  readonly done: string
  readonly between: string
  readonly more: string
}

const unicode: Signs = { pointer: '❯', done: '✔', between: ' · ', more: '…' }
const ascii: Signs = { pointer: '>', done: '+', between: ' | ', more: '...' }

/** The same words in every command; a symbol never replaces its word. */
export const words = {
  current: 'current',
  found: 'found',
  recommended: 'recommended',
  isDefault: 'default',
  cannot: 'unavailable',
  kept: 'cannot be unset',
} as const

/** The symbols of a terminal, and a function that transliterates foreign text to characters it can print. */
export interface Script {
  readonly signs: Signs
  readonly text: (text: string) => string
}

export const rich: Script = { signs: unicode, text: (text) => text }
export const poor: Script = { signs: ascii, text: inAscii }

/** Words in place of symbols, for screen readers. */
export function spoken({ text }: Script): Script {
  return { signs: { ...ascii, done: 'answered:' }, text }
}

type Environment = Readonly<Record<string, string | undefined>>

/** POSIX: the first of these that is set and not empty decides (https://pubs.opengroup.org/onlinepubs/9799919799/basedefs/V1_chap08.html#tag_08_02). */
const localeVariables = ['LC_ALL', 'LC_CTYPE', 'LANG']

/** Terminals on Windows with Unicode fonts; the legacy console has none. */
const richOnWindows = ['WT_SESSION', 'TERM_PROGRAM', 'ConEmuTask']

export function scriptOf(env: Environment, platform: string): Script {
  if (platform === 'win32') return richOnWindows.some((name) => env[name]) ? rich : poor
  // The console of the Linux kernel has 512 glyphs.
  if (env['TERM'] === 'linux') return poor
  const locale = localeVariables.map((name) => env[name]).find(Boolean) ?? ''
  return /utf-?8/i.test(locale) ? rich : poor
}

const inPlace: Readonly<Record<string, string>> = {
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

function inAscii(text: string): string {
  return text.replace(/[^\t\n\u0020-\u007e\u001b]/gu, (character) => inPlace[character] ?? '?')
}
