// Syntax tree nodes: telling them apart, and making calls of our own.
import { placeOf } from './fail.ts'

type Node = hbs.AST.Node

export function isMustache(node: Node): node is hbs.AST.MustacheStatement {
  return node.type === 'MustacheStatement'
}

export function isBlock(node: Node): node is hbs.AST.BlockStatement {
  return node.type === 'BlockStatement'
}

export function isContent(node: Node): node is hbs.AST.ContentStatement {
  return node.type === 'ContentStatement'
}

export function isPath(node: Node | undefined): node is hbs.AST.PathExpression {
  return node?.type === 'PathExpression'
}

export function pathNode(name: string, loc: hbs.AST.SourceLocation): hbs.AST.PathExpression {
  return { type: 'PathExpression', data: false, depth: 0, parts: [name], original: name, loc }
}

/** `(name arguments…)`, a call whose answer is an operand. */
export function callNode(
  name: string,
  params: hbs.AST.Expression[],
  loc: hbs.AST.SourceLocation,
): hbs.AST.SubExpression {
  const hash: hbs.AST.Hash = { type: 'Hash', pairs: [], loc }
  return { type: 'SubExpression', path: pathNode(name, loc), params, hash, loc }
}

/** What the engine is told: the value, where it is read, its name, and what else it needs. */
export function callArguments(
  value: hbs.AST.PathExpression,
  ...more: readonly string[]
): hbs.AST.Expression[] {
  const texts = [placeOf(value), value.original, ...more]
  return [value, ...texts.map((text) => textNode(text, value.loc))]
}

function textNode(text: string, loc: hbs.AST.SourceLocation): hbs.AST.StringLiteral {
  return { type: 'StringLiteral', value: text, original: text, loc }
}
