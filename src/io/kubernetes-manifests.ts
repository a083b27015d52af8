// Parses a file with Kubernetes manifests, and collects the problems of its text.
import { textAt } from '../model/json.ts'
import type { Finding } from '../model/finding.ts'
import { type Manifest, manifestsOf, type PlaceOf } from '../workloads/manifest.ts'
import { workloadKinds } from '../workloads/workload.ts'
import { type Located, spanOf } from './located.ts'
import { problem } from './problems.ts'
import { textProblems, type TextProblems } from './text-problems.ts'
import { replaceUnprintable } from './source/characters.ts'
import { decode } from './source/decode.ts'
import { manifestDialect } from './source/dialect.ts'
import { parse } from './source/parse.ts'
import { inFile, type Part, splitDocuments } from './source/split-documents.ts'
import { readTree } from './source/tree.ts'
import { locator, start } from './span.ts'

/** Most bytes of a file: the objects of a large cluster have some ten million. */
export const manifestLimit = 64 * 1024 * 1024

export interface ReadManifests {
  readonly manifests: readonly Manifest[]
  readonly findings: readonly Finding[]
}

/** Remedies that replace those for a profile. */
const remedies: Readonly<Record<string, string>> = {
  'too-large': 'Split the file.',
  'too-deep': 'Nest less.',
  'too-many-entries': 'Split the list.',
}

/** A Helm template is not YAML before it is rendered. */
const template = /\{\{[-\s]/
const renderFirst = 'Render the chart first: helm template CHART | winnode lint -'

/** `file` is the path as the user typed it. Never throws, whatever the file holds. */
export function readManifests(bytes: Uint8Array, file: string): ReadManifests {
  const { text, fault } = decode(bytes, manifestLimit)
  const place = locator(file, text, false)(fault?.span ?? start)
  if (fault)
    return {
      manifests: [],
      findings: [problem(fault.id, { place }, fault.about, remedies[fault.id])],
    }
  const parts = splitDocuments(text)
  if (parts.length === 0)
    return { manifests: [], findings: [problem('no-object', { place }, 'apiVersion')] }
  const read = parts.map((part) => readPart(part, file))
  return {
    manifests: read.flatMap(({ manifests }) => manifests),
    findings: read.flatMap(({ findings }) => findings),
  }
}

const shownKinds = new RegExp(
  `^[-\\s]*["']?kind["']?: *["']?(?:${[...workloadKinds, 'Service'].join('|')})\\b`,
  'm',
)
const secret = /["']?kind["']?: *["']?Secret\b/

/** The text of a file of another type, such as a secret behind a link, is never quoted. */
function isShown(text: string): boolean {
  return shownKinds.test(text) && !secret.test(text)
}

function readPart(part: Part, file: string): ReadManifests {
  const { text } = part
  const problems = textProblems(file, text, isShown(text))
  const manifests = rootsOf(text, problems).flatMap((root): readonly Manifest[] => {
    const place: PlaceOf = (path, at) => inFile(part, problems.locate(spanOf(root, path, at)))
    const found = manifestsOf(root.value, place)
    const missing = found.length === 0 ? missingIn(root) : undefined
    if (missing !== undefined) problems.add('no-object', root.span, missing)
    return found
  })
  const findings = problems.findings().map((one) => {
    const remedy = template.test(text) ? renderFirst : (remedies[one.id] ?? one.remedy)
    return {
      ...one,
      ...(one.place && { place: inFile(part, one.place) }),
      ...(remedy !== undefined && { remedy }),
    }
  })
  return { manifests, findings }
}

function rootsOf(part: string, problems: TextProblems): readonly Located[] {
  const roots = parse(replaceUnprintable(part, problems), problems, manifestDialect) ?? []
  return roots.flatMap((root) => (root ? [readTree(root, problems, manifestDialect)] : []))
}

/** Why a document is not an object. An empty List is one. */
function missingIn({ value }: Located): string | undefined {
  if (value === null) return undefined
  return ['apiVersion', 'kind'].find((key) => textAt(value, [key]) === '')
}
