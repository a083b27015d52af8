// Patterns of valid paths on a node: canonical, outside the folders of Windows and winnode's own state.

const anyCase = (word: string): string =>
  word
    .replaceAll(/[$.()]/g, String.raw`\$&`)
    .replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`)
const anyOf = (words: readonly string[]): string => words.map(anyCase).join('|')

/**
 * Windows treats these names as devices in every folder and with every extension, drops trailing dots and spaces,
 * and has short names such as PROGRA~1.
 * https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
const device = `(?:${anyOf(['con', 'prn', 'aux', 'nul', 'conin$', 'conout$'])}|(?:${anyOf(['com', 'lpt'])})[0-9¹²³])`
/**
 * Without `%`: nssm expands %TEMP% as a variable, and kubeadm reads it as a URL escape.
 * https://github.com/kirillkovalenko/nssm/blob/master/registry.cpp (get_parameters)
 */
export const nodePathCharacter = String.raw`%<>:"/\\|?*\x00-\x1f`
const name = String.raw`(?!${device} *(?:[.\\/]|$))(?![^\\/]*~\d)[^${nodePathCharacter}]*[^${nodePathCharacter}. ]`

/** Folders of Windows and winnode's state, which cannot be used at all, and shared folders, which can only contain others. */
const taken = [
  'windows',
  'programdata\\winnode',
  'programdata\\microsoft',
  'boot',
  'recovery',
  '$recycle.bin',
  'system volume information',
]
const shared = ['programdata', 'program files', 'program files (x86)', 'users']

/** An absolute path with the given separator. */
export function nodePathPattern(
  drive: string,
  slash: '\\' | 'either',
  end: 'name' | 'folder' = 'name',
): RegExp {
  const between = slash === 'either' ? String.raw`[\\/]` : String.raw`\\`
  const withSlash = (words: readonly string[]) =>
    words.map((word) => word.split('\\').map(anyCase).join(between)).join('|')
  const free = `(?!.:${between}(?:(?:${withSlash(taken)})(?:${between}|$)|(?:${withSlash(shared)})${between}?$))`
  const last = end === 'folder' ? `${between}?` : ''
  return new RegExp(`^${free}${drive}:${between}(?:${name}${between})*${name}${last}$`)
}
