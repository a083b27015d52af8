// Checks that an expression names one value of a flat view.
import { fail } from './fail.ts'
import { isPath } from './nodes.ts'

interface Call {
  readonly loc: hbs.AST.SourceLocation
  readonly params: readonly hbs.AST.Expression[]
  readonly hash: hbs.AST.Hash | undefined
}

/** The operand of a helper or a block, which takes exactly one. */
export function onlyOperand(call: Call, name: string, lists: number): hbs.AST.PathExpression {
  const [operand, ...rest] = call.params
  if (!operand || rest.length > 0 || call.hash) return fail(call, `${name} takes exactly one name`)
  return flatPath(operand, lists)
}

/** Allows `x`, `this.x`, `../x` and `@index`: deeper paths would fail at run time without a place. */
export function flatPath(node: hbs.AST.Expression, lists: number): hbs.AST.PathExpression {
  if (!isPath(node)) return fail(node, 'an expression names a value; it is no literal and no call')
  if (node.parts.length > 1) fail(node, `${node.original} has more than one part; views are flat`)
  if (node.depth > lists) fail(node, `${node.original} leads out of the view`)
  return node
}
