// The HTML page of drift, in a single self-contained file: by difference, and by node.
import type { Drift } from '../../model/drift.ts'
import { compareFindings, severities, type Severity } from '../../model/finding.ts'
import { toText } from '../../model/json.ts'
import { needWords } from '../../model/need.ts'
import { formatPath } from '../../model/path.ts'
import { fixLines, nodeCount, nodeShare, matchingNodesText, subjectLabel } from '../fleet.ts'
import { xmlText } from '../formats/xml.ts'
import { oneLine } from '../one-line.ts'
import { detailsIn } from '../pretty.ts'
import { counts, severityWords } from '../summary.ts'
import { script } from './script.ts'
import { style } from './style.ts'

interface DriftPage {
  readonly profile: string
  readonly version: string
  readonly drifts: readonly Drift[]
  /** Names of those that could be read. */
  readonly nodes: readonly string[]
  readonly ignored: readonly unknown[]
}

const escape = (of: string) => xmlText(oneLine(of))

export function* htmlDrift(page: DriftPage): Generator<string> {
  const { profile, version, nodes } = page
  const drifts = page.drifts.toSorted(worstFirst)
  const policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
  yield* lines([
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Drift of ${escape(profile)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<header>',
    `<h1>Drift of ${escape(profile)}</h1>`,
    ...totals(page, drifts).map((line) => `<p>${escape(line)}</p>`),
    '</header>',
    filterForm(),
    '<main>',
    '<section aria-labelledby="by-difference">',
    '<h2 id="by-difference">By difference</h2>',
    ...(drifts.length > 0 ? [] : ['<p>There is none.</p>']),
  ])
  for (const [at, drift] of drifts.entries()) yield `${differenceHtml(drift, at, nodes)}\n`
  yield '</section>\n'
  if (nodes.length > 0) yield* lines(byNode(drifts, nodes))
  yield* lines([
    '</main>',
    `<footer><p class="soft">winnode ${escape(version)}</p></footer>`,
    `<script>${script}</script>`,
    '</body>',
    '</html>',
  ])
}

function* lines(some: Iterable<string>): Generator<string> {
  for (const line of some) yield `${line}\n`
}

/** By severity, then by number of nodes. */
function worstFirst(a: Drift, b: Drift): number {
  const nodeCountOf = ({ nodes = [] }: Drift) => nodes.length
  const rank = ({ severity }: Drift) => severities.indexOf(severity)
  return rank(a) - rank(b) || nodeCountOf(b) - nodeCountOf(a) || compareFindings(a, b)
}

function totals({ ignored, nodes }: DriftPage, drifts: readonly Drift[]): readonly string[] {
  return [
    ...matchingNodesText(drifts, nodes),
    [...counts(drifts), ...(ignored.length > 0 ? [`${ignored.length} accepted`] : [])].join(', ') ||
      'No drift.',
    ...fixLines(drifts, nodes).map((line) => `To fix: ${line}.`),
  ]
}

/** Hidden until the script has loaded, because the form does nothing without it. */
function filterForm(): string {
  const boxes = severities.map(
    (severity) =>
      `<label><input type="checkbox" value="${severity}" checked> ${severityWords[severity]}s</label>`,
  )
  return [
    '<form role="search" hidden>',
    '<label>Filter by node, field or word <input type="search" autocomplete="off"></label>',
    ...boxes,
    '<output role="status"></output>',
    '</form>',
  ].join('\n')
}

const detailsHtml = (
  id: string,
  found: readonly Severity[],
  summary: string,
  body: readonly string[],
) =>
  [
    `<details data-severities="${[...new Set(found)].join(' ')}">`,
    // A summary can have the focus, so the browser focuses it when a link to it is followed.
    `<summary id="${id}">${summary}</summary>`,
    '<div>',
    ...body,
    '</div>',
    '</details>',
  ].join('\n')

const severityHtml = (severity: Severity) =>
  `<span class="severity ${severity}">${severityWords[severity]}</span>`

function differenceHtml(drift: Drift, at: number, all: readonly string[]): string {
  const {
    severity,
    subject,
    nodes,
    variants = [],
    message,
    place,
    remedy,
    need,
    why,
    see,
    field,
    id,
  } = drift
  const fileText =
    place === undefined || place.file === subject ? '' : `in ${place.file}:${place.line}`
  const where = nodes ? `on ${nodeShare(nodes.length, all.length)}` : fileText
  const messages =
    nodes && variants.length > 0
      ? variants.map(
          (one) =>
            `<p>${escape(one.message)}</p><p class="soft">${escape(one.nodes.join(', '))}</p>`,
        )
      : [`<p>${escape(message)}</p>`]
  const rows = detailsIn({
    is: nodes ? undefined : valueHtml(drift.was, 'is'),
    'should be': nodes ? undefined : valueHtml(drift.should, 'should'),
    at: place && !nodes ? escape(`${place.file}:${place.line}:${place.column}`) : undefined,
    'what to do': remedy && escape(remedy),
    needs: need && escape(needWords[need]),
    profile: field && `<code>${escape(formatPath(field))}</code>`,
    why: why && escape(why),
    source: see && `<a href="${escape(see)}">${escape(see)}</a>`,
    kind: `<code>${escape(id)}</code>`,
  })
  const rowsHtml = rows.map(([name, html]) => `<dt>${name}</dt><dd>${html}</dd>`)
  const head = `${severityHtml(severity)} ${escape(subjectLabel(subject))} <span class="soft">${escape(where)}</span>`
  return detailsHtml(`d${at}`, [severity], head, [...messages, '<dl>', ...rowsHtml, '</dl>'])
}

function valueHtml(of: Drift['was'], name: string): string | undefined {
  if (of === undefined) return undefined
  return `<code class="${name}">${escape(toText(of))}</code>`
}

function* byNode(drifts: readonly Drift[], nodes: readonly string[]): Generator<string> {
  const found = new Map<string, number[]>(nodes.map((name) => [name, []]))
  for (const [at, { nodes: some = [] }] of drifts.entries())
    for (const name of some) found.get(name)?.push(at)
  const links = drifts.map(({ severity, subject }, index) => {
    return `<li>${severityHtml(severity)} <a href="#d${index}">${escape(subjectLabel(subject))}</a></li>`
  })
  yield '<section aria-labelledby="by-node">'
  yield '<h2 id="by-node">By node</h2>'
  let at = 0
  for (const [name, list] of found) {
    if (list.length === 0) continue
    const severitiesOf = list.flatMap((index) => drifts[index]?.severity ?? [])
    const head = `${escape(name)} <span class="soft">${differenceCount(list.length)}</span>`
    const own = list.flatMap((index) => links[index] ?? [])
    yield detailsHtml(`n${at}`, severitiesOf, head, ['<ul>', ...own, '</ul>'])
    at += 1
  }
  const rest = nodes.length - at
  if (rest > 0) yield `<p class="soft">${nodesWithoutDrift(rest, at > 0)}</p>`
  yield '</section>'
}

const nodesWithoutDrift = (nodes: number, others: boolean) =>
  `Nothing on the ${others ? 'other ' : ''}${nodes === 1 ? 'node' : nodeCount(nodes)}.`

const differenceCount = (some: number) => (some === 1 ? '1 difference' : `${some} differences`)
