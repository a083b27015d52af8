// Backslash escapes of TOML, YAML and HCL.

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
}

/** These languages do not combine surrogate escapes, so code points above U+FFFF take \U with eight digits. */
export function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const [mark, width] = code > 0xffff ? ['U', 8] : ['u', 4]
  return (
    shortEscapes[character] ?? `\\${mark}${code.toString(16).toUpperCase().padStart(width, '0')}`
  )
}
