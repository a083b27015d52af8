// Reconstructs the text that winnode wrote to a file that was modified since, by its digest in the bundle.
import { createHash, type Hash } from 'node:crypto'

/** Characters. Above any file with fields. */
const longest = 256 * 1024
/** Most differing lines: with more of them there are too many combinations. */
const maxLines = 200
/** Most combinations that are tried. */
const maxCombinations = 1 << 16

/**
 * Each differing line was changed by one side, and is still original on the other. So the original is a combination of
 * lines from both files, and the digest identifies it. `undefined` if no combination matches, as when both sides changed
 * the same line.
 */
export async function originalOf(
  found: Uint8Array,
  rendered: Uint8Array,
  digest: string,
): Promise<Uint8Array | undefined> {
  const [was, should] = [linesOf(found), linesOf(rendered)]
  if (!was || !should) return undefined
  const { diffArrays } = await import('diff')
  const parts = diffArrays([...was], [...should], { maxEditLength: maxLines })
  const original = parts && searched(choicesOf(parts), digest)
  return original === undefined ? undefined : new TextEncoder().encode(original)
}

/** Without the byte order mark and the CRLF of an editor. */
function linesOf(content: Uint8Array): readonly string[] | undefined {
  if (content.length > longest) return undefined
  const text = new TextDecoder().decode(content).replaceAll('\r\n', '\n')
  return text.split(/(?<=\n)/)
}

interface Part {
  readonly value: readonly string[]
  readonly added?: boolean
  readonly removed?: boolean
}

/** Alternative texts for one part of the file. */
type Choice = readonly string[]

function choicesOf(parts: readonly Part[]): readonly Choice[] {
  return parts.flatMap((part, index): readonly Choice[] => {
    const [before, after] = [parts[index - 1], parts[index + 1]]
    if (part.added && before?.removed) return []
    if (!part.removed || !after?.added)
      return [part.added || part.removed ? [part.value.join(''), ''] : [part.value.join('')]]
    if (part.value.length === after.value.length)
      return part.value.map((line, at) => [line, after.value[at] ?? ''])
    return [[part.value.join(''), after.value.join(''), '']]
  })
}

function searched(choices: readonly Choice[], digest: string): string | undefined {
  if (choices.reduce((product, { length }) => product * length, 1) > maxCombinations)
    return undefined
  const search = (at: number, hash: Hash): readonly string[] | undefined => {
    const choice = choices[at]
    if (!choice) return hash.digest('hex') === digest ? [] : undefined
    for (const text of choice) {
      const rest = search(at + 1, hash.copy().update(text))
      if (rest) return [text, ...rest]
    }
    return undefined
  }
  return search(0, createHash('sha256'))?.join('')
}
