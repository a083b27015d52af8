// Wording: what the YAML parser says, without the names of its own parts.

const words: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\bflow-seq-start\b/g, '['],
  [/\bflow-seq-end\b/g, ']'],
  [/\bflow-map-start\b/g, '{'],
  [/\bflow-map-end\b/g, '}'],
  [/\bmap-value-ind\b/g, ':'],
  [/\bseq-item-ind\b/g, '-'],
  [/\bexplicit-key-ind\b/g, '?'],
  [/\bflow-error-end\b/g, 'end of a list or map'],
  [/\b(?:double-quoted-|single-quoted-|block-)scalar\b/g, 'quoted text'],
  [/\bscalar\b/g, 'text'],
  [/\bat node end\b/g, 'after a value'],
  [/ token in YAML (?:document|stream)(?:: .*)?$/s, ' here'],
  [/closing ["']quote/g, 'closing quote'],
  [/\.$/, ''],
]

/** In lower case, without a full stop. */
export function reword(message: string): string {
  const text = words.reduce((before, [pattern, after]) => before.replace(pattern, after), message)
  return text.charAt(0).toLowerCase() + text.slice(1)
}
