// Manifests: the bytes of a file to the objects of Kubernetes in it, with all that is wrong with its text.
import type { Finding, Place } from '../model/finding.ts'
import { type Manifest, manifestsOf, type PlaceOf, textAt } from '../workloads/manifest.ts'
import { workloadKinds } from '../workloads/workload.ts'
import { type Located, spanOf } from './located.ts'
import { problem } from './problems.ts'
import { openReport, type Report } from './report.ts'
import { replaceUnprintable } from './source/characters.ts'
import { decode } from './source/decode.ts'
import { manifestDialect } from './source/dialect.ts'
import { parse } from './source/parse.ts'
import { type Part, partsOf } from './source/parts.ts'
import { readTree } from './source/tree.ts'
import { locator, start } from './span.ts'

/** Bytes of a file; the objects of a large cluster have some ten million. */
export const manifestLimit = 64 * 1024 * 1024

export interface ReadManifests {
  readonly manifests: readonly Manifest[]
  readonly findings: readonly Finding[]
}

/** Where the remedy for a profile does not fit. */
const remedies: Readonly<Record<string, string>> = {
  'too-large': 'Split the file.',
  'too-deep': 'Nest less.',
  'too-many-entries': 'Split the list.',
}

/** A template of Helm is no YAML before it is rendered. */
const template = /\{\{[-\s]/
const renderFirst = 'Render the chart first: helm template CHART | winnode lint -'

/** `file` is what a person calls the file. Never throws on what can be in one. */
export function readManifests(bytes: Uint8Array, file: string): ReadManifests {
  const { text, fault } = decode(bytes, manifestLimit)
  const place = locator(file, text, false)(fault?.span ?? start)
  if (fault)
    return {
      manifests: [],
      findings: [problem(fault.id, { place }, fault.about, remedies[fault.id])],
    }
  const parts = partsOf(text)
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

/** Another file, such as a secret that a link leads to, is quoted nowhere. */
function isShown(text: string): boolean {
  return shownKinds.test(text) && !secret.test(text)
}

function readPart({ part, above }: Part, file: string): ReadManifests {
  const report = openReport(file, part, isShown(part))
  const inWhole = (place: Place): Place => ({ ...place, line: place.line + above })
  const manifests = rootsOf(part, report).flatMap((root): readonly Manifest[] => {
    const place: PlaceOf = (path, at) => inWhole(report.locate(spanOf(root, path, at)))
    const found = manifestsOf(root.value, place)
    const missing = found.length === 0 ? missingIn(root) : undefined
    if (missing !== undefined) report.add('no-object', root.span, missing)
    return found
  })
  const findings = report.findings().map((one) => {
    const remedy = template.test(part) ? renderFirst : (remedies[one.id] ?? one.remedy)
    return {
      ...one,
      ...(one.place && { place: inWhole(one.place) }),
      ...(remedy !== undefined && { remedy }),
    }
  })
  return { manifests, findings }
}

function rootsOf(part: string, report: Report): readonly Located[] {
  const roots = parse(replaceUnprintable(part, report), report, manifestDialect) ?? []
  return roots.flatMap((root) => (root ? [readTree(root, report, manifestDialect)] : []))
}

/** What keeps a document from being an object; an empty List is one. */
function missingIn({ value }: Located): string | undefined {
  if (value === null) return undefined
  return ['apiVersion', 'kind'].find((key) => textAt(value, [key]) === '')
}
