// One difference on many nodes as text: how many nodes have it, its variants, and the nodes with a rare variant.
import type { Drift, Variant } from '../model/drift.ts'
import { largestNeed, type Need, needs, needWords } from '../model/need.ts'
import { oneLine } from './one-line.ts'
import { type Detail, detailLines, detailsIn, headLines } from './pretty.ts'
import type { Screen } from './screen.ts'
import { cut } from './width.ts'
import { fold } from './wrap.ts'

/** Most node names listed; the rest is counted. */
const maxNames = 3
const maxVariants = 4

export function fleetBlock(
  drift: Drift,
  all: readonly string[],
  details: readonly Detail[],
  screen: Screen,
): string {
  const { nodes = [], variants = [], subject, message } = drift
  const where = `${subjectLabel(subject)} on ${nodeShare(nodes.length, all.length)}`
  const messages =
    variants.length > 1 ? variantLines(variants, screen) : fold(oneLine(message), 2, screen.columns)
  const affected = new Set(nodes)
  const unaffected = all.filter((name) => !affected.has(name))
  const isRest = unaffected.length > 0 && unaffected.length <= maxNames && all.length > 2 * maxNames
  const names = detailsIn({
    nodes: variants.length > 1 ? undefined : namesOf(nodes),
    not: isRest ? namesOf(unaffected) : undefined,
  })
  const facts = [...names, ...details].flatMap(([name, text]) => detailLines(name, text, screen))
  const lines = [...messages, ...facts].map((line) => `  ${line}`)
  return [...headLines(drift, where, screen), ...lines].join('\n')
}

function variantLines(variants: readonly Variant[], screen: Screen): readonly string[] {
  const width = String(variants[0]?.nodes.length ?? 0).length
  const lines = variants.slice(0, maxVariants).flatMap(({ message, nodes }) => {
    const count = String(nodes.length).padStart(width)
    const [first = '', ...more] = fold(oneLine(message), width + 4, screen.columns)
    const blank = ' '.repeat(width + 2)
    return [
      `${screen.paint('bold', count)}  ${first}`,
      ...more.map((line) => blank + line),
      cut(`${blank}${namesOf(nodes)}`, screen.columns - 2),
    ]
  })
  const rest = variants.slice(maxVariants)
  const others = rest.reduce((sum, { nodes }) => sum + nodes.length, 0)
  return rest.length > 0 ? [...lines, `${others} in ${rest.length} other ways`] : lines
}

/** The label of the subject: `step image-sandbox`, `exit code`. */
export function subjectLabel(subject: string): string {
  const [, kind = '', name = ''] = /^node\.json#(steps|preflight|health)\.(.*)$/.exec(subject) ?? []
  if (kind !== '') return oneLine(`${subjectKinds[kind] ?? ''} ${name}`)
  const [, part = ''] = /^node\.json#(\w+)$/.exec(subject) ?? []
  return oneLine(partLabels[part] ?? subject)
}

const subjectKinds: Readonly<Record<string, string>> = {
  steps: 'step',
  preflight: 'check',
  health: 'health',
}

/** Parts of a snapshot or report that are no list of results. */
const partLabels: Readonly<Record<string, string>> = {
  configuration: 'configuration',
  exitCode: 'exit code',
  health: 'health',
  name: 'bundle name',
  node: 'node name',
  preflight: 'checks',
  steps: 'steps',
  suspended: 'reconcile loop',
}

/** `win-1, win-2 and 310 more`; a last one is named. */
export function namesOf(nodes: readonly string[], most = maxNames): string {
  const shown = nodes.length === most + 1 ? most + 1 : most
  const some = nodes.slice(0, shown).map(oneLine).join(', ')
  const more = nodes.length - shown
  return more > 0 ? `${some} and ${more} more` : some
}

/** Most node names listed in formats for other programs. */
const maxNamesInFormats = 10

/** `3 of 50 nodes (win-1, win-2, win-3)`. */
export function nodeShareWithNames(some: readonly string[], all: number): string {
  return `${nodeShare(some.length, all)} (${namesOf(some, maxNamesInFormats)})`
}

/** `312 of 900 nodes`, `all 900 nodes`, `the node`. */
export function nodeShare(some: number, all: number): string {
  if (some === all) return allNodes[all] ?? `all ${all} nodes`
  return `${some} of ${nodeCount(all)}`
}

const allNodes: Readonly<Record<number, string>> = { 1: 'the node', 2: 'both nodes' }

export function nodeCount(count: number): string {
  return `${count} ${count === 1 ? 'node' : 'nodes'}`
}

/** The remedies of differences; for nodes, what each node needs, the most frequent first. */
export function fixLines(drifts: readonly Drift[], all: readonly string[]): readonly string[] {
  const most = new Map<string, Need>()
  const others = drifts.filter(({ need, nodes }) => need !== undefined && !nodes)
  for (const { need, nodes } of drifts) {
    if (need === undefined) continue
    for (const node of nodes ?? []) most.set(node, largestNeed([most.get(node) ?? need, need]))
  }
  const ofNodes = needs.toReversed().flatMap((need) => {
    const some = all.filter((node) => most.get(node) === need)
    if (some.length === 0 || need === 'nothing') return []
    return `${prefixOf(some, all)}${needWords[need]}`
  })
  return [
    ...ofNodes,
    ...fixesFromOutside(drifts, all),
    ...(others.length > 0 ? fixWithoutNodes(others) : []),
  ]
}

/** Of differences that need nothing on the node: kubectl changes labels and taints. */
function fixesFromOutside(drifts: readonly Drift[], all: readonly string[]): readonly string[] {
  return drifts.flatMap(({ need, weight, nodes, remedy }) => {
    if (need !== 'nothing' || weight !== 'drift' || !nodes || remedy === undefined) return []
    const fix = remedy.charAt(0).toLowerCase() + withoutPeriod(remedy.slice(1))
    return [`${prefixOf(nodes, all)}${fix}`]
  })
}

function prefixOf(some: readonly string[], all: readonly string[]): string {
  return some.length === all.length ? '' : `on ${namesOf(some)}: `
}

const withoutPeriod = (remedy: string) => remedy.replace(/\.$/, '')

/** In order: render, apply, then the node. If nodes need nothing, such as after an edit of README.md: the remedies. */
function fixWithoutNodes(drifts: readonly Drift[]): readonly string[] {
  const some = drifts.flatMap((drift) => drift.need ?? [])
  const most = largestNeed(some)
  if (most === 'nothing')
    return [
      ...new Set(
        drifts.flatMap(({ remedy }) => (remedy === undefined ? [] : withoutPeriod(remedy))),
      ),
    ]
  const owners = drifts.flatMap((drift) => drift.owner ?? [])
  const force = owners.some((owner) => owner !== 'ours') ? ' with --force' : ''
  const steps = [
    ...(owners.length > 0 ? [`render the bundle again${force}`] : []),
    ...(some.includes('apply') && most !== 'apply' ? ['kubectl apply'] : []),
    needWords[most],
  ]
  return [steps.join(', then ')]
}

/** How many nodes match the profile; nothing if no node was compared. */
export function matchingNodesText(
  drifts: readonly Drift[],
  all: readonly string[],
): readonly string[] {
  if (all.length === 0) return []
  const nodesWith = (...weights: readonly Drift['weight'][]) =>
    new Set(
      drifts.filter(({ weight }) => weights.includes(weight)).flatMap(({ nodes = [] }) => nodes),
    )
  const differing = nodesWith('drift', 'incomplete')
  const notWorking = nodesWith('not-working').size
  const matching = all.length - differing.size
  return [
    `${matching} of ${nodeCount(all.length)} as described${notWorking > 0 ? `, ${notWorking} not working` : ''}`,
  ]
}
