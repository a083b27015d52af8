// Parse: text to the nodes of YAML 1.2, with the parser's complaints in our words.
import type { Node, YAMLError } from 'yaml'
import { parseDocument } from 'yaml'
import type { ProblemId } from '../problems.ts'
import type { Report } from '../report.ts'
import { depthLimit } from './scan.ts'
import { reword } from './wording.ts'

/** After the first few, the parser complains about its own confusion. */
const most = 3

interface Complaint {
  readonly id: ProblemId
  readonly about: (text: string, message: string) => string
}

const complaints: Readonly<Partial<Record<YAMLError['code'], Complaint>>> = {
  TAB_AS_INDENT: { id: 'tab-indentation', about: () => '' },
  MULTIPLE_DOCS: { id: 'many-documents', about: () => '' },
  RESOURCE_EXHAUSTION: { id: 'too-deep', about: () => String(depthLimit) },
  BLOCK_AS_IMPLICIT_KEY: { id: 'colon-in-value', about: () => '' },
  TAG_RESOLVE_FAILED: { id: 'unsupported-tag', about: (text) => text },
}

const syntax: Complaint = { id: 'yaml-syntax', about: (_, message) => reword(message) }

const options = {
  version: '1.2',
  schema: 'core',
  resolveKnownTags: false,
  prettyErrors: false,
  // The parser compares every key with every other; `key.ts` looks them up.
  uniqueKeys: false,
  // `silent` would hide a second document.
  logLevel: 'error',
} as const

/** Nothing where the text is not YAML; the report says why then. */
export function parse(text: string, report: Report): { readonly root: Node | null } | undefined {
  const document = withoutTraces(() => parseDocument(text, options))
  for (const error of firstOfLines(document.errors, report)) complain(error, text, report)
  for (const warning of document.warnings) {
    if (warning.code === 'TAG_RESOLVE_FAILED') complain(warning, text, report)
  }
  return document.errors.length > 0 ? undefined : { root: document.contents }
}

function firstOfLines(errors: readonly YAMLError[], report: Report): readonly YAMLError[] {
  const lines = new Map<number, YAMLError>()
  for (const error of errors) {
    if (lines.size === most) break
    const { line } = report.locate({ start: error.pos[0], end: error.pos[1] })
    if (!lines.has(line)) lines.set(line, error)
  }
  return [...lines.values()]
}

function complain(error: YAMLError, text: string, report: Report): void {
  const [start, end] = error.pos
  const { id, about } = complaints[error.code] ?? syntax
  report.add(id, { start, end }, about(text.slice(start, end), error.message))
}

/** Stack traces of a hostile file's million complaints take seconds, and nobody reads them. */
function withoutTraces<T>(work: () => T): T {
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = limit
  }
}
