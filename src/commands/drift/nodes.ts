// Compares nodes with the profile, from their snapshots and reports.
import type { Desired } from '../../drift/desired.ts'
import { openFleet } from '../../drift/fleet.ts'
import { openReportFiles, type ReadText } from '../../drift/report-files.ts'
import { shown as shownValue } from '../../drift/shown.ts'
import { driftOfNode, isOfNode, twiceDrift, whyUncompared } from '../../drift/snapshot.ts'
import { unreadDrift } from '../../drift/unread.ts'
import { readContent } from '../../io/drift/document.ts'
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

/** By the name of the bundle that each node has; what could not be read is with the last. */
export async function nodesDrift(
  evidence: readonly NodeEvidence[],
  desired: readonly Desired[],
  terminal?: NodeJS.WritableStream,
): Promise<ReadonlyMap<string, NodesDrift>> {
  const groups = desired.map((one) => ({
    name: one.name,
    desired: one,
    filesOf: openReportFiles(one, read),
    fleet: openFleet(),
  }))
  const unread: Drift[] = []
  const names = new Set<string>()
  const progress = openProgress(terminal)
  for (const one of evidence) {
    for await (const text of readEvidence(one, whyUncompared)) {
      progress.step()
      const { document } = text
      if (isStray(one, document)) continue
      const wrong = document ? whyUncompared(document) : (text.unread ?? '')
      const group =
        groups.length === 1 ? groups[0] : groups.find(({ name }) => name === document?.['name'])
      if (!document || wrong !== '') unread.push(unreadDrift(text.source, wrong))
      else if (!group) unread.push(unreadDrift(text.source, ofNoProfile(document)))
      else {
        const { fleet } = group
        const answer = driftOfNode(document, group.desired, await group.filesOf(document))
        const name = answer.node ?? text.name
        if (!names.has(name)) fleet.add(name, answer.drifts)
        else fleet.add(`${name} (${text.source})`, [...answer.drifts, twiceDrift(text.source)])
        names.add(name)
      }
    }
  }
  progress.end()
  return new Map(
    groups.map(({ name, fleet }, index) => {
      const lost = index === groups.length - 1 ? unread : []
      return [name, { drifts: [...fleet.drifts(), ...lost], nodes: fleet.nodes() }]
    }),
  )
}

function ofNoProfile({ name }: JsonObject): string {
  return `its bundle is ${shownValue(name ?? null)}, and no profile of this run has that name`
}

/** A JSON file beside a bundle that is no snapshot of a node. */
function isStray(evidence: NodeEvidence, document: JsonObject | undefined): boolean {
  if (evidence.kind !== 'nodes' || !evidence.stray) return false
  return !document || !isOfNode(document)
}

/** The desired state of each node. */
export async function desiredOf(plan: Plan, files: readonly RenderedFile[]): Promise<Desired> {
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
  return { name: plan.name, steps, files: new Map(installed.flat()) }
}
