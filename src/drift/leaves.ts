// Leaves: the differences of a file of one or several documents.
import type { Path } from '../model/path.ts'
import { compareTrees, unusedName } from './compare.ts'
import type { Doc, Found } from './evidence.ts'
import { type Shape, shapeOfFile } from './shape.ts'

/** `path` is where the file lies in a bundle: its values are compared by the tables of its program. */
export function leavesOf(
  path: string,
  should: readonly Doc[],
  was: readonly Doc[],
): readonly Found[] {
  const shape = shapeOfFile(path)
  const [wanted, found] = [byName(should), byName(was)]
  // One document is told by no name, and where it has another one, that is a field of it.
  if (wanted.size < 2 && found.size < 2) return besideOf([], should[0], was[0], shape)
  const names = [...new Set([...wanted.keys(), ...found.keys()])]
  return names.flatMap((name) => besideOf([name], wanted.get(name), found.get(name), shape))
}

function besideOf(
  before: Path,
  should: Doc | undefined,
  doc: Doc | undefined,
  shape: Shape,
): readonly Found[] {
  return compareTrees(should?.value, doc?.value, shape).map((leaf) => ({
    ...leaf,
    path: [...before, ...leaf.path],
    doc,
  }))
}

/** One that stands twice gets a name of its own. */
function byName(docs: readonly Doc[]): ReadonlyMap<string, Doc> {
  const named = new Map<string, Doc>()
  for (const doc of docs) named.set(unusedName(doc.name, named), doc)
  return named
}
