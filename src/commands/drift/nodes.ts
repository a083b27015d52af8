// Compares nodes with the profile, from their snapshots and reports.
import type { Desired } from '../../drift/desired.ts'
import { installedDigest } from '../../render/bundle-digest.ts'
import { newFleet } from '../../drift/fleet.ts'
import { openReportFiles, type ReadText } from '../../drift/report-files.ts'
import { formatValue } from '../../drift/format-value.ts'
import {
  driftOfNode,
  isOfNode,
  madeAt,
  type Source,
  twiceDrift,
  compareProblem,
} from '../../drift/snapshot.ts'
import { unreadableDocument } from '../../drift/unreadable.ts'
import { readContent } from '../../io/drift/document.ts'
import type { Filter } from '../../io/drift/node-files.ts'
import type { Drift } from '../../model/drift.ts'
import type { JsonObject } from '../../model/json.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { digestFiles } from '../../render/digest.ts'
import { addFileDigests } from '../../render/step-digests.ts'
import { type NodeEvidence, readEvidence } from './evidence.ts'
import { openProgress } from './progress.ts'

export interface NodesDrift {
  readonly drifts: readonly Drift[]
  /** Names of the nodes that could be read. */
  readonly nodes: readonly string[]
}

const bytes = new TextEncoder()
const read: ReadText = (text, path, shown) => readContent(bytes.encode(text), path, shown)

/** What is known of one document: the bundle and the differences of its node, or why it could not be read. */
export type Answer =
  | { readonly source: string; readonly file?: string | undefined; readonly unread: string }
  | {
      readonly source: string
      readonly bundle: string
      readonly node: string
      readonly made?: string | undefined
      readonly drifts: readonly Drift[]
    }

/** In the order of the evidence. */
export async function* answersOf(
  evidence: readonly NodeEvidence[],
  desired: readonly Desired[],
  {
    terminal,
    take,
  }: { readonly terminal?: NodeJS.WritableStream | undefined; readonly take?: Filter },
): AsyncGenerator<Answer> {
  const groups = desired.map((one) => ({ desired: one, filesOf: openReportFiles(one, read) }))
  const progress = openProgress(terminal)
  for (const one of evidence) {
    for await (const { document, source, file, name, unread } of readEvidence(
      one,
      compareProblem,
      take,
    )) {
      progress.step()
      if (isStray(one, document)) continue
      const wrong = document ? compareProblem(document) : (unread ?? '')
      const group =
        groups.length === 1
          ? groups[0]
          : groups.find((some) => some.desired.name === document?.['name'])
      if (!document || wrong !== '') yield { source, file, unread: wrong }
      else if (!group) yield { source, file, unread: ofNoProfile(document) }
      else {
        const answer = driftOfNode(document, group.desired, await group.filesOf(document))
        const { node = name, drifts } = answer
        yield { source, bundle: group.desired.name, node, made: madeAt(document), drifts }
      }
    }
  }
  progress.end()
}

/** By the name of the bundle that each node has; what could not be read is with the last. */
export async function nodesDrift(
  answers: AsyncIterable<Answer> | Iterable<Answer>,
  bundles: readonly string[],
): Promise<ReadonlyMap<string, NodesDrift>> {
  const fleets = new Map(bundles.map((name) => [name, newFleet()]))
  const unread: Drift[] = []
  const first = new Map<string, Source>()
  for await (const one of answers) {
    const { source } = one
    if ('unread' in one) {
      unread.push(unreadableDocument(one))
      continue
    }
    const { node, drifts } = one
    const fleet = fleets.get(one.bundle)
    const other = first.get(node)
    if (other) fleet?.add(`${node} (${source})`, [...drifts, twiceDrift(other, one)])
    else {
      fleet?.add(node, drifts)
      first.set(node, { source, made: one.made })
    }
  }
  return new Map(
    Array.from(fleets, ([name, fleet]) => {
      const lost = name === bundles.at(-1) ? unread : []
      return [name, { drifts: [...fleet.drifts(), ...lost], nodes: fleet.nodes() }]
    }),
  )
}

function ofNoProfile({ name }: JsonObject): string {
  return `its bundle is ${formatValue(name ?? null)}, and no profile of this run has that name`
}

/** A JSON file beside a bundle that is no snapshot of a node. */
function isStray(evidence: NodeEvidence, document: JsonObject | undefined): boolean {
  if (evidence.kind !== 'nodes' || !evidence.stray) return false
  return !document || !isOfNode(document)
}

/** The desired state of the nodes of each bundle. */
export async function allDesired(
  plans: readonly { readonly plan: Plan; readonly files: readonly RenderedFile[] }[],
): Promise<readonly Desired[]> {
  return Promise.all(plans.map(({ plan, files }) => desiredOf(plan, files)))
}

async function desiredOf(plan: Plan, files: readonly RenderedFile[]): Promise<Desired> {
  const contents = new Map(files.map(({ path, content }) => [path, content]))
  const sealed = addFileDigests(plan.steps, digestFiles(files))
  const steps = new Map(sealed.map((step) => [step.id, step]))
  const installed = await Promise.all(
    plan.files.map(async (file) => {
      const content = contents.get(file.path)
      const step = steps.get(`file-${file.id}`)
      if (!file.install || !content || !step) return []
      const key = file.install.path.toLowerCase()
      const should = await readContent(content, file.path, file.path)
      const text = new TextDecoder().decode(content)
      return [[key, { plan: file, step, content: should, text }] as const]
    }),
  )
  const digest = installedDigest(files)
  return { name: plan.name, digest, steps, files: new Map(installed.flat()) }
}
