// Parse: text to the nodes of YAML 1.2, with the parser's errors in plain words.
import { Composer, CST, Lexer, Parser, type Node, type YAMLError } from 'yaml'
import type { ProblemId } from '../problems.ts'
import type { Report } from '../report.ts'

/** Words and signs of one file: far above any profile, and still read in a second. */
const wordLimit = 100_000

/** Maps and lists within each other. */
export const depthLimit = 64

/** Lines with errors that are reported; what follows them is usually a consequence of the first ones. */
const errorLines = 3

const ids: Readonly<Partial<Record<YAMLError['code'], ProblemId>>> = {
  TAB_AS_INDENT: 'tab-indentation',
  BLOCK_AS_IMPLICIT_KEY: 'colon-in-value',
  TAG_RESOLVE_FAILED: 'unsupported-tag',
}

const options = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  // The parser compares every key with every other; `tree.ts` looks them up.
  uniqueKeys: false,
} as const

/** `undefined` where the text is not YAML; the report says why then. */
export function parse(text: string, report: Report): { readonly root: Node | null } | undefined {
  // Stack traces of a hostile file's 400,000 errors take seconds.
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const tokens = tokensOf(text, report)
    return tokens && compose(tokens, text, report)
  } finally {
    Error.stackTraceLimit = limit
  }
}

function compose(tokens: readonly CST.Token[], text: string, report: Report) {
  const [document, second] = new Composer(options).compose(tokens, true, text.length)
  const { errors = [], warnings = [], contents: root = null } = document ?? {}
  const complain = ({ code, message, pos: [start, end] }: YAMLError) => {
    const id = ids[code] ?? 'yaml-syntax'
    const about = id === 'unsupported-tag' ? text.slice(start, end) : reword(message)
    report.add(id, { start, end }, about)
  }
  firstOfLines(errors, report).forEach(complain)
  warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED').forEach(complain)
  if (second) report.add('many-documents', { start: second.range[0], end: second.range[1] })
  return errors.length > 0 || second ? undefined : { root }
}

function firstOfLines(errors: readonly YAMLError[], report: Report): readonly YAMLError[] {
  const lines = new Map<number, YAMLError>()
  for (const error of errors) {
    if (lines.size === errorLines) break
    const { line } = report.locate({ start: error.pos[0], end: error.pos[1] })
    if (!lines.has(line)) lines.set(line, error)
  }
  return [...lines.values()]
}

/** The composer of documents recurses, so it gets no text that is nested too deep. */
function tokensOf(text: string, report: Report): readonly CST.Token[] | undefined {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let words = 0
  for (const word of new Lexer().lex(text)) {
    const span = { start: parser.offset, end: parser.offset + word.length }
    words += 1
    if (words > wordLimit) {
      report.add('too-large', span, `${wordLimit} words and signs`)
      return undefined
    }
    tokens.push(...parser.next(word))
    if (parser.stack.filter(CST.isCollection).length > depthLimit) {
      report.add('too-deep', span, String(depthLimit))
      return undefined
    }
    if (CST.tokenType(word) === 'directive-line') report.add('unsupported-directive', span, word)
  }
  return [...tokens, ...parser.end()]
}

/** The names that the parser gives to signs and words. */
const names: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/\bflow-seq-start\b/g, '['],
  [/\bflow-seq-end\b/g, ']'],
  [/\bflow-map-start\b/g, '{'],
  [/\bflow-map-end\b/g, '}'],
  [/\bmap-value-ind\b/g, ':'],
  [/\bseq-item-ind\b/g, '-'],
  [/\bexplicit-key-ind\b/g, '?'],
  [/\bflow-error-end\b/g, 'end of a list or map'],
  [/\b(?:double-quoted-|single-quoted-|block-)scalar\b/g, 'quoted text'],
  [/\bscalar\b/g, 'text'],
  [/\bat node end\b/g, 'after a value'],
  [/ token in YAML (?:document|stream)(?:: .*)?$/s, ' here'],
  [/closing ["']quote/g, 'closing quote'],
  [/\.$/, ''],
]

/** The parser's message in lower case, without a full stop. */
function reword(message: string): string {
  const text = names.reduce((before, [pattern, after]) => before.replace(pattern, after), message)
  return text.charAt(0).toLowerCase() + text.slice(1)
}
