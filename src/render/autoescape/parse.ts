// Parses a template; syntax errors get a file, line and column.
import Handlebars from 'handlebars'
import { formatPlace } from './fail.ts'

export function parseTemplate(source: string, name: string): hbs.AST.Program {
  try {
    return Handlebars.parse(source, { srcName: name })
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const place = formatPlace(name, positionOf(error, source))
    throw new Error(`${place}: ${error.message}`, { cause: error })
  }
}

/** Errors of the lexer name only the line: its first expression gives the column. */
function positionOf(error: Error, source: string): { line: number; column: number } {
  if (error instanceof Handlebars.Exception && typeof error.lineNumber === 'number') {
    return { line: error.lineNumber, column: Number(error.column) }
  }
  const line = Number(/on line (\d+)/.exec(error.message)?.[1] ?? 1)
  const text = source.split('\n')[line - 1] ?? ''
  return { line, column: Math.max(text.indexOf('{{'), 0) }
}
