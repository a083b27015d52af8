// Parses YAML 1.2 to nodes, with the parser's errors in plain words.
import { Composer, CST, Lexer, Parser, Scalar, type Node, type Tags, type YAMLError } from 'yaml'
import type { ProblemId } from '../problems.ts'
import type { TextProblems } from '../text-problems.ts'
import type { Span } from '../span.ts'
import type { Dialect } from './dialect.ts'

/** Deepest nesting of maps and lists. */
export const depthLimit = 64

/** Most lines with errors: later errors usually follow from the first ones. */
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
  // The check of the parser is quadratic in the number of keys; `tree.ts` uses a map.
  uniqueKeys: false,
} as const

/** More booleans of kubectl: goyaml.v2, resolve.go. */
const kubectlBooleans = [
  { value: true, test: /^(?:[yY]|[yY]es|YES|[oO]n|ON)$/ },
  { value: false, test: /^(?:[nN]|[nN]o|NO|[oO]ff|OFF)$/ },
].map(({ value, test }) => ({
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:bool',
  test,
  resolve: () => new Scalar(value),
}))

/** Octal numbers, such as file modes. */
const kubectlOctal = {
  identify: () => false,
  default: true,
  tag: 'tag:yaml.org,2002:int',
  test: /^0[0-7]+$/,
  resolve: (text: string) => new Scalar(parseInt(text, 8)),
}

/** The documents of the text; `undefined` if it is not YAML, with the reason in `problems`. */
export function parse(
  text: string,
  problems: TextProblems,
  dialect: Dialect,
): readonly (Node | null)[] | undefined {
  // A hostile file can cause 400,000 errors, whose stack traces take seconds.
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    const tokens = tokensOf(text, problems, dialect)
    return tokens && compose(tokens, text, problems, dialect)
  } finally {
    Error.stackTraceLimit = limit
  }
}

function compose(
  tokens: readonly CST.Token[],
  text: string,
  problems: TextProblems,
  { kubectl }: Dialect,
) {
  const customTags = (tags: Tags) => (kubectl ? [...kubectlBooleans, kubectlOctal, ...tags] : tags)
  const composer = new Composer({ ...options, customTags })
  const documents = [...composer.compose(tokens, true, text.length)]
  const [document, second] = documents
  const { errors = [], warnings = [] } = document ?? {}
  const addError = ({ code, message, pos: [start, end] }: YAMLError) => {
    const key = all.find(
      (other) => code === 'BLOCK_AS_IMPLICIT_KEY' && isKeyOnLaterLine(other, start),
    )
    if (key) {
      problems.add('key-indented-too-far', lastLine(text, key.pos))
      return
    }
    const id = ids[code] ?? 'yaml-syntax'
    const about = id === 'unsupported-tag' ? text.slice(start, end) : reword(message)
    problems.add(id, { start, end }, about)
  }
  const all = kubectl ? documents.flatMap((one) => one.errors) : errors
  firstOfLines(all, problems).forEach(addError)
  if (kubectl) return all.length > 0 ? undefined : documents.map(({ contents }) => contents)
  warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED').forEach(addError)
  // After an error, the start of a second document may be an artifact of recovery.
  if (second && errors.length === 0)
    problems.add('many-documents', { start: second.range[0], end: second.range[1] })
  return errors.length > 0 || second ? undefined : [document?.contents ?? null]
}

/** A value and a key below it, which is indented farther, are one key of several lines to the parser. */
function isKeyOnLaterLine({ code, pos }: YAMLError, start: number): boolean {
  return code === 'MULTILINE_IMPLICIT_KEY' && pos[0] === start
}

function lastLine(text: string, [from, end]: YAMLError['pos']): Span {
  const start = Math.max(from, text.lastIndexOf('\n', end - 1) + 1)
  return { start: start + text.slice(start, end).search(/\S|$/), end }
}

function firstOfLines(errors: readonly YAMLError[], problems: TextProblems): readonly YAMLError[] {
  const lines = new Map<number, YAMLError>()
  for (const error of errors) {
    if (lines.size === errorLines) break
    const { line } = problems.locate({ start: error.pos[0], end: error.pos[1] })
    if (!lines.has(line)) lines.set(line, error)
  }
  return [...lines.values()]
}

/** The parser's composer recurses, so it gets no text that is nested too deeply. */
function tokensOf(
  text: string,
  problems: TextProblems,
  { tokens: tokenLimit, kubectl }: Dialect,
): readonly CST.Token[] | undefined {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let count = 0
  for (const token of new Lexer().lex(text)) {
    const span = { start: parser.offset, end: parser.offset + token.length }
    count += 1
    if (count > tokenLimit) {
      problems.add('too-large', span, `${tokenLimit} words and signs`)
      return undefined
    }
    tokens.push(...parser.next(token))
    if (parser.stack.filter(CST.isCollection).length > depthLimit) {
      problems.add('too-deep', span, String(depthLimit))
      return undefined
    }
  }
  tokens.push(...parser.end())
  for (const token of tokens)
    if (token.type === 'directive' && !kubectl) {
      const span = { start: token.offset, end: token.offset + token.source.length }
      problems.add('unsupported-directive', span, token.source)
    }
  return tokens
}

/** Rewords the parser's messages and its names of characters. All matches are replaced in turn. */
const wording: readonly (readonly [pattern: RegExp, words: string])[] = [
  [/^Plain value cannot start with .* (\S)$/, 'a value that starts with $1 needs quotes'],
  [
    /^Flow (?:sequence|map) .*end with a ([\]}])$/,
    'no $1 ends it, or a line of it is not indented',
  ],
  [/^Implicit (?:map )?keys.*(?:line|values)$/, 'a key needs a colon on its line'],
  [/^The : indicator must be .*1024 chars.*/, 'a key has more than 1024 characters'],
  [/^All mapping items/, 'all keys of a map'],
  [/^All sequence items/, 'all items of a list'],
  [/^Sequence item without - indicator/, 'list item without -'],
  [/^Block scalar header includes .*: (.).*/s, 'only a digit, + or - may follow $1'],
  [/^Block scalar (?:lines|values in collections)/, 'lines of a text block'],
  [/^Block scalars with .*/, 'the blank lines above a text block are indented more than it is'],
  [/^Block collection cannot .*/, 'a map or list cannot start on the line of ---'],
  [/^Block collections .*/, 'lists and maps by lines cannot be within brackets'],
  [/^Missing newline after block sequence props/, 'a list starts on a separate line'],
  [/^(?:Not a YAML token|Unsupported token).*/s, 'unexpected text'],
  [/^Missing directives-end.*/, 'no --- follows the directives'],
  [/^Unexpected doc-end .*/, 'unexpected ... here'],
  [/^Comments must be separated .*/, 'a comment needs a space before #'],
  [/^Tags and anchors must be separated .*/, 'tags and anchors need a space after them'],
  [/^A node can/, 'a value can'],
  [/^An alias node must not specify any properties/, 'an alias can have no anchor or tag'],
  [/\bexplicit indentation indicator\b/, 'the indent that its first line names'],
  [/\b(?:block-seq-ind|seq-item-ind)\b/, '-'],
  [/\bflow-seq-start\b/, '['],
  [/\bflow-seq-end\b/, ']'],
  [/\bflow-map-start\b/, '{'],
  [/\bflow-map-end\b/, '}'],
  [/\bmap-value-ind\b/, ':'],
  [/\bexplicit-key-ind\b/, '?'],
  [/\bdoc-start\b/, '---'],
  [/\bdoc-end\b/, '...'],
  [/\bflow-error-end\b/, 'end of a list or map'],
  [/\bdirective-line\b/, 'directive'],
  [/\bblock-scalar-header\b/, 'text block'],
  [/\b(?:double-quoted-|single-quoted-|block-)scalar\b/, 'quoted text'],
  [/\bscalar\b/, 'text'],
  [/\bflow sequence\b/, 'list'],
  [/\bflow map\b/, 'map'],
  [/\bat node end\b/, 'after a value'],
  [/ token(?: in YAML (?:document|stream)(?:: .*)?)?$/s, ' here'],
  [/closing ["']quote/, 'closing quote'],
  [/\.$/, ''],
]

/** The message with a lower-case first letter, and without a full stop. */
function reword(message: string): string {
  const text = wording.reduce((before, [pattern, after]) => before.replace(pattern, after), message)
  return text.charAt(0).toLowerCase() + text.slice(1)
}
