// A prefix tree of paths, to look up whether any of them contains a path.
import type { Path } from './path.ts'

export interface PathTree {
  /** One of the paths ends here. */
  readonly ends: boolean
  readonly children: ReadonlyMap<string | number, PathTree>
}

interface MutablePathTree extends PathTree {
  ends: boolean
  readonly children: Map<string | number, MutablePathTree>
}

export function pathTree(paths: readonly Path[]): PathTree {
  const root: MutablePathTree = { ends: false, children: new Map() }
  for (const path of paths) {
    let at = root
    for (const step of path) {
      const next = at.children.get(step) ?? { ends: false, children: new Map() }
      at.children.set(step, next)
      at = next
    }
    at.ends = true
  }
  return root
}

/** Whether the tree has this path, an ancestor or a descendant of it. */
export function overlapsTree(tree: PathTree, path: Path): boolean {
  let at = tree
  for (const step of path) {
    if (at.ends) return true
    const next = at.children.get(step)
    if (!next) return false
    at = next
  }
  return at.ends || at.children.size > 0
}
