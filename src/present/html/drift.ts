// The HTML page of drift, in a single self-contained file: by difference, and by node.
import type { Drift } from '../../model/drift.ts'
import { compareFindings, severities, type Severity } from '../../model/finding.ts'
import { needWords } from '../../model/need.ts'
import { formatPath } from '../../model/path.ts'
import { needLines, nodeCount, share, standing, thing } from '../fleet.ts'
import { xmlText } from '../formats/xml.ts'
import { oneLine } from '../one-line.ts'
import { counts, severityWords } from '../summary.ts'
import { script } from './script.ts'
import { style } from './style.ts'

export interface PageOfDrift {
  readonly profile: string
  readonly version: string
  readonly drifts: readonly Drift[]
  /** Names of those that could be read. */
  readonly nodes: readonly string[]
  readonly ignored: readonly unknown[]
}

const text = (of: string) => xmlText(oneLine(of))

export function* htmlDrift(page: PageOfDrift): Generator<string> {
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
    `<title>Drift of ${text(profile)}</title>`,
    `<style>${style}</style>`,
    '</head>',
    '<body>',
    '<header>',
    `<h1>Drift of ${text(profile)}</h1>`,
    ...totals(page, drifts).map((line) => `<p>${text(line)}</p>`),
    '</header>',
    filter(),
    '<main>',
    '<section aria-labelledby="by-difference">',
    '<h2 id="by-difference">By difference</h2>',
    ...(drifts.length > 0 ? [] : ['<p>There is none.</p>']),
  ])
  for (const [at, drift] of drifts.entries()) yield `${difference(drift, at, nodes)}\n`
  yield '</section>\n'
  if (nodes.length > 0) yield* lines(byNode(drifts, nodes))
  yield* lines([
    '</main>',
    `<footer><p class="soft">winnode ${text(version)}</p></footer>`,
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
  const many = ({ nodes = [] }: Drift) => nodes.length
  const rank = ({ severity }: Drift) => severities.indexOf(severity)
  return rank(a) - rank(b) || many(b) - many(a) || compareFindings(a, b)
}

function totals({ ignored, nodes }: PageOfDrift, drifts: readonly Drift[]): readonly string[] {
  return [
    ...standing(drifts, nodes),
    [...counts(drifts), ...(ignored.length > 0 ? [`${ignored.length} accepted`] : [])].join(', ') ||
      'No drift.',
    ...needLines(drifts, nodes).map((line) => `To fix: ${line}.`),
  ]
}

/** Hidden until the script, which filters, has loaded. */
function filter(): string {
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

const item = (id: string, found: readonly Severity[], summary: string, body: readonly string[]) =>
  [
    `<details data-severities="${[...new Set(found)].join(' ')}">`,
    // A browser gives the focus to what a link leads to, where that can have it.
    `<summary id="${id}">${summary}</summary>`,
    '<div>',
    ...body,
    '</div>',
    '</details>',
  ].join('\n')

const severityOf = (severity: Severity) =>
  `<span class="severity ${severity}">${severityWords[severity]}</span>`

function difference(drift: Drift, at: number, all: readonly string[]): string {
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
  const whose =
    place === undefined || place.file === subject ? '' : `in ${place.file}:${place.line}`
  const where = nodes ? `on ${share(nodes.length, all.length)}` : whose
  const looks =
    nodes && variants.length > 0
      ? variants.map(
          (one) => `<p>${text(one.message)}</p><p class="soft">${text(one.nodes.join(', '))}</p>`,
        )
      : [`<p>${text(message)}</p>`]
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['is', nodes ? undefined : value(drift.was, 'is')],
    ['should be', nodes ? undefined : value(drift.should, 'should')],
    ['at', place && !nodes ? text(`${place.file}:${place.line}:${place.column}`) : undefined],
    ['what to do', remedy && text(remedy)],
    ['needs', need && text(needWords[need])],
    ['profile', field && `<code>${text(formatPath(field))}</code>`],
    ['why', why && text(why)],
    ['source', see && `<a href="${text(see)}">${text(see)}</a>`],
    ['kind', `<code>${text(id)}</code>`],
  ]
  const told = rows.flatMap(([name, said]) =>
    said === undefined ? [] : [`<dt>${name}</dt><dd>${said}</dd>`],
  )
  const head = `${severityOf(severity)} ${text(thing(subject))} <span class="soft">${text(where)}</span>`
  return item(`d${at}`, [severity], head, [...looks, '<dl>', ...told, '</dl>'])
}

function value(of: Drift['was'], name: string): string | undefined {
  if (of === undefined) return undefined
  return `<code class="${name}">${text(typeof of === 'string' ? of : JSON.stringify(of))}</code>`
}

function* byNode(drifts: readonly Drift[], nodes: readonly string[]): Generator<string> {
  const found = new Map<string, number[]>(nodes.map((name) => [name, []]))
  for (const [at, { nodes: some = [] }] of drifts.entries())
    for (const name of some) found.get(name)?.push(at)
  const links = drifts.map(({ severity, subject }, index) => {
    return `<li>${severityOf(severity)} <a href="#d${index}">${text(thing(subject))}</a></li>`
  })
  yield '<section aria-labelledby="by-node">'
  yield '<h2 id="by-node">By node</h2>'
  let at = 0
  for (const [name, list] of found) {
    if (list.length === 0) continue
    const severitiesOf = list.flatMap((index) => drifts[index]?.severity ?? [])
    const head = `${text(name)} <span class="soft">${counted(list.length)}</span>`
    const own = list.flatMap((index) => links[index] ?? [])
    yield item(`n${at}`, severitiesOf, head, ['<ul>', ...own, '</ul>'])
    at += 1
  }
  const rest = nodes.length - at
  if (rest > 0) yield `<p class="soft">${nothing(rest, at > 0)}</p>`
  yield '</section>'
}

const nothing = (nodes: number, others: boolean) =>
  `Nothing on the ${others ? 'other ' : ''}${nodes === 1 ? 'node' : nodeCount(nodes)}.`

const counted = (some: number) => (some === 1 ? '1 difference' : `${some} differences`)
