// Collects the problems of one text, each with its location.
import type { Finding } from '../model/finding.ts'
import type { Path } from '../model/path.ts'
import type { ProblemId } from './problems.ts'
import { problem } from './problems.ts'
import type { Locate, Span } from './span.ts'
import { locator, start } from './span.ts'

/** Most problems: users fix a few at a time, and a hostile file could cause a million. */
const limit = 100

/** Most characters of a name from a file; the excerpt shows the rest. */
const longestAbout = 200

export interface TextProblems {
  readonly locate: Locate
  readonly add: (id: ProblemId, span: Span, about?: string, path?: Path) => void
  readonly findings: () => readonly Finding[]
}

/** `shows` is whether findings quote the line. */
export function textProblems(file: string, text: string, shows = true): TextProblems {
  const locate = locator(file, text, shows)
  const findings: Finding[] = []
  let more = 0
  return {
    locate,
    add: (id, span, about = '', path = []) => {
      const spot = { place: locate(span), path }
      if (findings.length < limit) findings.push(problem(id, spot, clip(about)))
      else more += 1
    },
    findings: () =>
      more === 0
        ? findings
        : [...findings, problem('more-findings', { place: locate(start) }, String(more))],
  }
}

function clip(about: string): string {
  return about.length > longestAbout ? `${about.slice(0, longestAbout)}…` : about
}
