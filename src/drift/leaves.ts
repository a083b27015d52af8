// Leaves: the differences of a file of one or several documents.
import type { Path } from '../model/path.ts'
import { compareTrees } from './compare.ts'
import type { Doc, Found } from './evidence.ts'
import { shapeOfFile } from './shape.ts'

/** `path` is where the file lies in a bundle: its values are compared by the tables of its program. */
export function leavesOf(
  path: string,
  should: readonly Doc[],
  was: readonly Doc[],
): readonly Found[] {
  const shape = shapeOfFile(path)
  const names = [...new Set([...should, ...was].map(({ name }) => name))]
  return names.flatMap((name) => {
    const doc = was.find((one) => one.name === name)
    const wanted = should.find((one) => one.name === name)
    const before: Path = name === '' ? [] : [name]
    return compareTrees(wanted?.value, doc?.value, shape).map((leaf) => ({
      ...leaf,
      path: [...before, ...leaf.path],
      doc,
    }))
  })
}
