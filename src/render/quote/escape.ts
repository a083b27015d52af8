// Escape: a character as languages with double quotes, backslashes and code points in hexadecimal write it.

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** TOML, YAML and HCL read no pair of surrogate escapes, so code points above U+FFFF take eight digits. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const [mark, width] = code > 0xffff ? ['U', 8] : ['u', 4]
  return short[character] ?? `\\${mark}${code.toString(16).toUpperCase().padStart(width, '0')}`
}
