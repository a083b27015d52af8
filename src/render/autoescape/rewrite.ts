// Rewrites the syntax tree of a template so that every value goes through a helper that quotes or checks it.
import { blockHelpers, isBlockName, writeHelper } from '../helper-names.ts'
import type { Language } from '../languages.ts'
import type { Notation } from '../quote.ts'
import { fail } from './fail.ts'
import { callArguments, callNode, isBlock, isContent, isMustache, pathNode } from './nodes.ts'
import { flatPath, onlyOperand } from './operand.ts'
import { checkUnquoted } from './unquoted.ts'

/** The template's text and language, and how many `each` blocks enclose the statement. */
interface Context {
  readonly source: string
  readonly language: Language
  readonly lists: number
}

/** Refused kinds of statement, with messages; unknown kinds are refused too. */
const refusedStatements: Readonly<Record<string, string>> = {
  Decorator: 'decorators are forbidden',
  DecoratorBlock: 'inline partials are forbidden',
  PartialStatement: 'partials are forbidden; every template stands alone',
  PartialBlockStatement: 'partial blocks are forbidden',
}

export function rewriteProgram<P extends Pick<hbs.AST.Program, 'body'>>(
  program: P,
  context: Context,
): P {
  return { ...program, body: program.body.map((node) => rewriteStatement(node, context)) }
}

function rewriteStatement(node: hbs.AST.Statement, context: Context): hbs.AST.Statement {
  if (isMustache(node)) return rewriteMustache(node, context)
  if (isBlock(node)) return rewriteBlock(node, context)
  if (isContent(node)) return checkContent(node)
  if (node.type === 'CommentStatement') return node
  return fail(node, refusedStatements[node.type] ?? `${node.type} is forbidden`)
}

/** `{{x}}` and `{{word x}}` become `{{__write x place name notation}}`. */
function rewriteMustache(
  node: hbs.AST.MustacheStatement,
  context: Context,
): hbs.AST.MustacheStatement {
  const { source, language, lists } = context
  if (!node.escaped) fail(node, 'raw output is forbidden; write two braces and no &')
  checkUnquoted(node, source, language)
  const isCall = node.params.length > 0 || Boolean(node.hash)
  const notation = isCall ? requestedNotation(node, language) : language.notation
  const value = isCall ? onlyOperand(node, notation, lists) : flatPath(node.path, lists)
  return {
    ...node,
    path: pathNode(writeHelper, node.loc),
    params: callArguments(value, notation),
  }
}

function requestedNotation(node: hbs.AST.MustacheStatement, { helpers }: Language): Notation {
  const name = 'original' in node.path ? node.path.original : node.path.type
  const word = helpers.find((known) => known === name)
  return word ?? fail(node, `unknown helper ${name}; there is ${helpers.join(', ') || 'none'}`)
}

/** `{{#if x}}` becomes `{{#if (__condition x place name)}}`. */
function rewriteBlock(node: hbs.AST.BlockStatement, context: Context): hbs.AST.Statement {
  const name = node.path.original
  if (!isBlockName(name)) return fail(node, `unknown block ${name}; there is if, unless, each`)
  if ([node.program, node.inverse].some(hasParameters)) {
    fail(node, 'block parameters are forbidden; use this and ../')
  }
  const operands = callArguments(onlyOperand(node, `#${name}`, context.lists))
  const lists = context.lists + (name === 'each' ? 1 : 0)
  const rewritten = {
    params: [callNode(blockHelpers[name], operands, node.loc)],
    program: rewriteSide(node.program, { ...context, lists }),
    inverse: rewriteSide(node.inverse, context),
  }
  return { ...node, ...rewritten }
}

/** One branch of a block; Handlebars' types omit that it and its parameters may be undefined. */
type Side = (Omit<hbs.AST.Program, 'blockParams'> & { blockParams?: string[] }) | undefined

function hasParameters(side: Side): boolean {
  return side?.blockParams !== undefined
}

function rewriteSide(side: Side, context: Context): Side {
  return side && rewriteProgram(side, context)
}

function checkContent(node: hbs.AST.ContentStatement): hbs.AST.ContentStatement {
  if (!node.value.includes('{{')) return node
  return fail(node, 'a backslash or a raw block swallowed an expression; write \\\\{{ for \\')
}
