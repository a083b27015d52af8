// What Packer makes of a quoted text of HCL that is no template: nothing where it refuses it, or computes something.
// https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md (template expressions)

const escapes: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  '"': '"',
  '\\': '\\',
}

/**
 * Escapes, doubled marks of templates, and what stands for itself. A text of an environment ends at NUL; two braces are
 * what templates of Go would read, after HCL.
 */
const part =
  /\\([nrt"\\])|\\(?:u(?!0000)([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))|([$%])\4\{|[$%](?!\{)|\{(?!\{)|[^"\\$%{\n]/uy

export function textOfHcl(expression: string): string | undefined {
  if (!/^".*"$/s.test(expression) || expression.length < 2) return undefined
  const inner = expression.slice(1, -1)
  const found: string[] = []
  part.lastIndex = 0
  while (part.lastIndex < inner.length) {
    const match = part.exec(inner)
    if (!match) return undefined
    const [whole, letter, short, long, mark] = match
    const code = short ?? long
    if (letter !== undefined) found.push(escapes[letter] ?? '')
    else if (code !== undefined) found.push(String.fromCodePoint(Number.parseInt(code, 16)))
    else found.push(mark === undefined ? whole : `${mark}{`)
  }
  return found.join('')
}
