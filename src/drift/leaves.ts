// The differences of a file with one or several documents.
import type { Path } from '../model/path.ts'
import { compareTrees, unusedName } from './compare.ts'
import type { Doc, Found } from './evidence.ts'
import { type Shape, shapeOfFile } from './shape.ts'

/** `path` is the path in the bundle; values are compared by the tables of the file's program. */
export function leavesOf(
  path: string,
  should: readonly Doc[],
  was: readonly Doc[],
): readonly Found[] {
  const shape = shapeOfFile(path)
  const [wanted, found] = [byName(should), byName(was)]
  // A single document needs no name; if its name changed, that is a difference of a field.
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

/** A duplicate gets a distinct name. */
function byName(docs: readonly Doc[]): ReadonlyMap<string, Doc> {
  const named = new Map<string, Doc>()
  for (const doc of docs) named.set(unusedName(doc.name, named), doc)
  return named
}
