// Nesting: how deep in maps and lists a word of YAML lies, told without recursion.

export type WordType = string | null

const opens: ReadonlySet<WordType> = new Set(['flow-map-start', 'flow-seq-start'])
const closes: ReadonlySet<WordType> = new Set(['flow-map-end', 'flow-seq-end'])
/** Each begins a map or a list outside of brackets. */
const signs: ReadonlySet<WordType> = new Set(['seq-item-ind', 'explicit-key-ind', 'map-value-ind'])
const silent: ReadonlySet<WordType> = new Set(['newline', 'comment', 'space', 'scalar'])

/** The lines around the current one, by their indentation, and how many signs each has. */
interface Level {
  readonly indent: number
  signs: number
}

/** Takes the words in order; gives the depth after each. */
export function openNesting(): (type: WordType, length: number) => number {
  const levels: Level[] = []
  let brackets = 0
  let signsOpen = 0
  let indent = 0
  let fresh = true
  return (type, length) => {
    if (type === 'newline') {
      fresh = true
      indent = 0
    }
    if (type === 'space' && fresh) indent = length
    if (opens.has(type)) brackets += 1
    if (closes.has(type)) brackets -= 1
    if (fresh && brackets === 0 && !silent.has(type)) {
      fresh = false
      while ((levels.at(-1)?.indent ?? -1) >= indent) signsOpen -= levels.pop()?.signs ?? 0
      levels.push({ indent, signs: 0 })
    }
    const line = levels.at(-1)
    if (line && brackets === 0 && signs.has(type)) {
      line.signs += 1
      signsOpen += 1
    }
    return brackets + signsOpen
  }
}
