// The texts in a file that a person reads: comments, strings, prose; without code, keys, addresses and placeholders.
import ts from 'typescript'

/** A piece of text; each of its lines is a line of the file. */
export interface Text {
  /** The line where it begins, from 1. */
  readonly line: number
  readonly text: string
}

type Reader = (source: string, name: string) => readonly Text[]

const readers: readonly (readonly [names: RegExp, reader: Reader])[] = [
  [/\.schema\.json$/, () => []],
  [/\.(ts|mts|mjs|cjs|js|json)$/, ofScript],
  [
    /\.(ps1|psm1|psd1)(\.hbs)?$/,
    tokens(/<#[^]*?#>|#.*|@'\n[^]*?\n'@|@"\n[^]*?\n"@|'(?:[^']|'')*'|"(?:[^"`]|`[^]|"")*"/g),
  ],
  [/\.cs$/, tokens(/\/\*[^]*?\*\/|\/\/.*|@"(?:[^"]|"")*"|"(?:[^"\\\n]|\\.)*"/g)],
  [/\.md(\.hbs)?$/, (source) => whole(source.replace(/^ *(```+|~~~+)[^]*?^ *\1 *$/gm, blank))],
  [/\.ya?ml(\.hbs)?$/, (source) => whole(source.replace(/^ *(- )?[\w.$/-]+:(?= |$)/gm, blank))],
  [/(\.(xml|pkrtpl|html|hbs|sh)|Dockerfile)$/, whole],
]

/** What is no prose, in any language: code spans, addresses, targets of links, placeholders, interpolated values, paths. */
const code =
  /\{\{[^]*?\}\}|`[^`\n]*(?:\n[^`\n]+)?`|https?:\/\/[^\s)>\]]+|(?<=\])\([^\s)]+\)|\$\([^()]*(?:\([^()]*\)[^()]*)*\)|\$\{[^}]*\}|\$[\w:]+(?:\.\w+|\[[^\]]*\])*|(?:[\w.-]+\/)+[\w.-]+/g

/** Texts of a file, or undefined where its kind has none. */
export function textsOf(name: string, source: string): readonly Text[] | undefined {
  const reader = readers.find(([names]) => names.test(name))?.[1]
  return reader?.(source, name).map(({ line, text }) => ({ line, text: text.replace(code, blank) }))
}

/** Keeps the line breaks, so that lines can be counted. */
function blank(text: string): string {
  return `…${text.replace(/[^\n]/g, '')}`
}

function whole(source: string): readonly Text[] {
  return paragraphs({ line: 1, text: source })
}

/** Sentences are wrapped inside a paragraph, never across an empty line. */
function paragraphs({ line, text }: Text): readonly Text[] {
  let next = line
  return text.split(/\n(?=[ \t#*/]*\n)/).map((part) => {
    const found = { line: next, text: part }
    next += part.split('\n').length
    return found
  })
}

function tokens(token: RegExp): Reader {
  return (source) =>
    joined(
      source,
      [...source.matchAll(token)].map((match) => [match.index, match[0]]),
    )
}

/** Comments on successive lines are one text. A string without a space is a key, a name or a value. */
function joined(
  source: string,
  found: readonly (readonly [start: number, text: string])[],
): readonly Text[] {
  const texts: { line: number; text: string; end: number }[] = []
  for (const [start, text] of found) {
    const isComment = /^(#|<#|\/\/|\/\*)/.test(text)
    if (!isComment && !text.trim().includes(' ')) continue
    const last = texts.at(-1)
    if (
      last &&
      isComment &&
      /^\s*\n\s*$/.test(source.slice(last.end, start)) &&
      /^(#|\/\/)/.test(last.text)
    ) {
      last.text += `\n${text}`
      last.end = start + text.length
    } else
      texts.push({
        line: source.slice(0, start).split('\n').length,
        text,
        end: start + text.length,
      })
  }
  return texts.flatMap(paragraphs)
}

function ofScript(source: string, name: string): readonly Text[] {
  const kind = name.endsWith('.json') ? ts.ScriptKind.JSON : ts.ScriptKind.TS
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, kind)
  const found = new Map<number, string>()
  const visit = (node: ts.Node): void => {
    for (const { pos, end } of ts.getLeadingCommentRanges(source, node.pos) ?? [])
      found.set(pos, source.slice(pos, end))
    for (const { pos, end } of ts.getTrailingCommentRanges(source, node.end) ?? [])
      found.set(pos, source.slice(pos, end))
    const start = node.getStart(file)
    if (ts.isTemplateExpression(node)) {
      const parts = [node.head, ...node.templateSpans.map(({ literal }) => literal)]
      found.set(start, parts.map((part) => unquoted(part.getText(file))).join('…'))
    } else if (ts.isStringLiteralLike(node) && !isKey(node))
      found.set(start, unquoted(node.getText(file)))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return joined(
    source,
    [...found].sort(([one], [other]) => one - other),
  )
}

function isKey(node: ts.Node): boolean {
  return ts.isPropertyAssignment(node.parent) && node.parent.name === node
}

/** Of a literal or a part of one; each of its lines stays a line. */
function unquoted(literal: string): string {
  return ` ${literal
    .replace(/^['"`}]|(['"`]|\$\{)$/g, '')
    .replace(/\\n/g, ' ')
    .replace(/\\(.)/g, '$1')}`
}
