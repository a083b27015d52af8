// Range: the stretch of text that wrote a node of YAML.
import { isNode } from 'yaml'
import type { Span } from '../span.ts'
import { start } from '../span.ts'

/** Without the blanks and the comment behind the node. */
export function rangeOf(node: unknown): Span {
  if (!isNode(node) || !node.range) return start
  return { start: node.range[0], end: node.range[1] }
}
