// Nodes: the differences of many nodes, from what they wrote of themselves.
import type { Desired } from '../../drift/desired.ts'
import { openFleet } from '../../drift/fleet.ts'
import { filesDrift, type ReadText } from '../../drift/report-files.ts'
import { driftOfNode } from '../../drift/snapshot.ts'
import { unreadDrift } from '../../drift/unread.ts'
import { readContent } from '../../io/drift/document.ts'
import { type NodeText, nodesAt, nodesOf } from '../../io/drift/node-files.ts'
import type { Drift } from '../../model/drift.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { digestFiles } from '../../render/digest.ts'
import { sealSteps } from '../../render/seal.ts'
import type { Evidence } from './evidence.ts'

export interface FleetFound {
  readonly drifts: readonly Drift[]
  /** Names of all that could be read. */
  readonly nodes: readonly string[]
}

type Named = Extract<Evidence, { readonly kind: 'nodes' | 'stream' }>

const bytes = new TextEncoder()
const read: ReadText = (text, path, shown) => readContent(bytes.encode(text), path, shown)

export async function nodesDrift(
  evidence: readonly Named[],
  desired: Desired,
): Promise<FleetFound> {
  const fleet = openFleet()
  const unread: Drift[] = []
  for (const one of evidence) {
    const texts = one.kind === 'stream' ? nodesOf(process.stdin) : nodesAt(one.shown, one.place)
    for await (const text of texts) {
      const answer = await answerOf(text, desired)
      if ('unread' in answer) unread.push(unreadDrift(text.source, answer.unread))
      else fleet.add(answer.node ?? text.name, answer.drifts)
    }
  }
  return { drifts: [...fleet.drifts(), ...unread], nodes: fleet.nodes() }
}

async function answerOf({ document, unread = '' }: NodeText, desired: Desired) {
  if (!document) return { unread }
  return driftOfNode(document, desired, await filesDrift(document, desired, read))
}

/** What the profile wants of each node. */
export async function desiredOf(plan: Plan, files: readonly RenderedFile[]): Promise<Desired> {
  const contents = new Map(files.map(({ path, content }) => [path, content]))
  const sealed = sealSteps(plan.steps, digestFiles(files))
  const steps = new Map(sealed.map((step) => [step.id, step]))
  const installed = await Promise.all(
    plan.files.map(async (file) => {
      const content = contents.get(file.path)
      const step = steps.get(`file-${file.id}`)
      if (!file.install || !content || !step) return []
      const key = file.install.path.toLowerCase()
      const should = await readContent(content, file.path, file.path)
      return [[key, { plan: file, step, content: should }] as const]
    }),
  )
  return { name: plan.name, steps, files: new Map(installed.flat()) }
}
