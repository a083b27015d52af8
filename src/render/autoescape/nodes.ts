// Type guards and factories for nodes of the Handlebars syntax tree.
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

/** The subexpression `(name arguments…)`. */
export function callNode(
  name: string,
  params: hbs.AST.Expression[],
  loc: hbs.AST.SourceLocation,
): hbs.AST.SubExpression {
  const hash: hbs.AST.Hash = { type: 'Hash', pairs: [], loc }
  return { type: 'SubExpression', path: pathNode(name, loc), params, hash, loc }
}

/** Arguments of a helper: the value, its place and name in the template, and more texts. */
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
