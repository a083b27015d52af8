// The hardening itself: a new syntax tree in which every value passes through the engine.
import { blockGuards, isBlockName, writeCall } from '../guards.ts'
import type { Language } from '../languages.ts'
import type { Notation } from '../quote.ts'
import { fail } from './fail.ts'
import { callArguments, callNode, isBlock, isContent, isMustache, pathNode } from './nodes.ts'
import { flatPath, onlyOperand } from './operand.ts'
import { checkUnquoted } from './unquoted.ts'

/** Where a statement stands: the template's own text and language, and how many lists are around it. */
export interface Surroundings {
  readonly source: string
  readonly language: Language
  readonly lists: number
}

/** Kinds of statement that are refused, and what a person calls them; unknown kinds are, too. */
const refused: Readonly<Record<string, string>> = {
  Decorator: 'decorators are forbidden',
  DecoratorBlock: 'inline partials are forbidden',
  PartialStatement: 'partials are forbidden; every template stands alone',
  PartialBlockStatement: 'partial blocks are forbidden',
}

export function rewriteProgram<P extends Pick<hbs.AST.Program, 'body'>>(
  program: P,
  around: Surroundings,
): P {
  return { ...program, body: program.body.map((node) => rewriteStatement(node, around)) }
}

function rewriteStatement(node: hbs.AST.Statement, around: Surroundings): hbs.AST.Statement {
  if (isMustache(node)) return rewriteMustache(node, around)
  if (isBlock(node)) return rewriteBlock(node, around)
  if (isContent(node)) return checkContent(node)
  if (node.type === 'CommentStatement') return node
  return fail(node, refused[node.type] ?? `${node.type} is forbidden`)
}

/** `{{x}}` and `{{word x}}` become `{{__write x place name notation}}`. */
function rewriteMustache(
  node: hbs.AST.MustacheStatement,
  around: Surroundings,
): hbs.AST.MustacheStatement {
  const { source, language, lists } = around
  if (!node.escaped) fail(node, 'raw output is forbidden; write two braces and no &')
  checkUnquoted(node, source, language)
  const isCall = node.params.length > 0 || Boolean(node.hash)
  const notation = isCall ? wordOf(node, language) : language.notation
  const value = isCall ? onlyOperand(node, notation, lists) : flatPath(node.path, lists)
  return {
    ...node,
    path: pathNode(writeCall, node.loc),
    params: callArguments(value, notation),
  }
}

function wordOf(node: hbs.AST.MustacheStatement, { words }: Language): Notation {
  const name = 'original' in node.path ? node.path.original : node.path.type
  const word = words.find((known) => known === name)
  return word ?? fail(node, `unknown helper ${name}; there is ${words.join(', ') || 'none'}`)
}

/** `{{#if x}}` becomes `{{#if (__condition x place name)}}`. */
function rewriteBlock(node: hbs.AST.BlockStatement, around: Surroundings): hbs.AST.Statement {
  const name = node.path.original
  if (!isBlockName(name)) return fail(node, `unknown block ${name}; there is if, unless, each`)
  if ([node.program, node.inverse].some(hasParameters)) {
    fail(node, 'block parameters are forbidden; use this and ../')
  }
  const operands = callArguments(onlyOperand(node, `#${name}`, around.lists))
  const lists = around.lists + (name === 'each' ? 1 : 0)
  const rewritten = {
    params: [callNode(blockGuards[name], operands, node.loc)],
    program: rewriteSide(node.program, { ...around, lists }),
    inverse: rewriteSide(node.inverse, around),
  }
  return { ...node, ...rewritten }
}

/** One side of a block; it and its parameters may be absent, which Handlebars' types do not say. */
type Side = (Omit<hbs.AST.Program, 'blockParams'> & { blockParams?: string[] }) | undefined

function hasParameters(side: Side): boolean {
  return side?.blockParams !== undefined
}

function rewriteSide(side: Side, around: Surroundings): Side {
  return side && rewriteProgram(side, around)
}

function checkContent(node: hbs.AST.ContentStatement): hbs.AST.ContentStatement {
  if (!node.value.includes('{{')) return node
  return fail(node, 'a backslash or a raw block swallowed an expression; write \\\\{{ for \\')
}
