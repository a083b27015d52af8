// Shards: a run of drift in several processes, each with its share of the files, and the merge of their outputs.
import { manifestNames } from '../../model/bundle-path.ts'
import type { Drift } from '../../model/drift.ts'
import { isList, isObject, isSameJson, type JsonObject } from '../../model/json.ts'
import type { NodeText } from '../../io/drift/node-files.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { digestOf } from '../../render/digest.ts'
import { Failure } from '../failure.ts'
import { allEvidence, type Evidence, type NodeEvidence, readEvidence } from './evidence.ts'
import type { Answer } from './nodes.ts'

export interface Shard {
  /** From 1. */
  readonly part: number
  readonly of: number
  readonly header: JsonObject
}

/** `text` is I/N, or N with the I of an Indexed Job, which counts from 0. */
export function shardOf(text: string, job: string | undefined): Pick<Shard, 'part' | 'of'> {
  const [, given = String(Number(job ?? 'none') + 1), all] = /^(?:(\d+)\/)?(\d+)$/.exec(text) ?? []
  const [part, of] = [Number(given), Number(all)]
  if (Number.isSafeInteger(part) && Number.isSafeInteger(of) && part >= 1 && part <= of)
    return { part, of }
  throw new Failure('usage', `--shard ${text}: expected I/N, from 1/N to N/N`, [
    'N alone takes I from JOB_COMPLETION_INDEX, which Kubernetes sets in the pods of an Indexed Job',
  ])
}

/** What all shards of a run, and their merge, must have in common. */
export function headerOf(
  version: string,
  names: readonly string[],
  plans: readonly { readonly plan: Plan; readonly files: readonly RenderedFile[] }[],
): JsonObject {
  const bundles = plans.map(({ plan, files }) => {
    const manifest = files.find(({ path }) => path === manifestNames.bundle)?.content ?? ''
    return [plan.name, digestOf(manifest)] as const
  })
  const kind = { apiVersion: 'winnode/v1', kind: 'DriftShard' }
  return { ...kind, version, evidence: names, bundles: Object.fromEntries(bundles) }
}

/** Throws for what cannot be divided. */
export function filesIn(evidence: readonly Evidence[]): readonly NodeEvidence[] {
  return evidence.flatMap((one) => {
    if (one.kind === 'nodes') return [one]
    const what = one.kind === 'bundle' ? `${one.folder} is a bundle` : 'a pipe has no files'
    throw new Failure('usage', `--shard divides the files of snapshots and reports: ${what}`)
  })
}

/** Which files a shard reads: every Nth, in the order in which each process finds them. */
export function newShare({ part, of }: Pick<Shard, 'part' | 'of'>) {
  const names: string[] = []
  return {
    take: (source: string): boolean => {
      names.push(source)
      return (names.length - 1) % of === part - 1
    },
    /** The number of the file that was taken last. */
    at: () => names.length - 1,
    /** Different if two shards found different files. */
    end: () => ({ files: names.length, digest: digestOf(names.join('\n')) }),
  }
}

/** A header, a line for each node, and an end, without which the output is cut off. */
export async function* shardLines(
  { header, part, of }: Shard,
  answers: AsyncIterable<Answer>,
  share: ReturnType<typeof newShare>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ ...header, part, of })}\n`
  for await (const answer of answers) yield `${JSON.stringify({ file: share.at(), answer })}\n`
  yield `${JSON.stringify(share.end())}\n`
}

/**
 * In the order of one run. Throws unless the outputs are all of one run of this profile; the answers throw where an
 * output is cut off, and if two shards found different files.
 */
export async function mergedShards(
  names: readonly string[],
  expected: JsonObject,
): Promise<AsyncIterable<Answer>> {
  const shards = await Promise.all(allEvidence(names).map((one) => openOutput(one, expected)))
  const [first] = shards
  if (!first) throw new Failure('usage', 'missing argument: the outputs of winnode drift --shard')
  const { of } = first
  const evidence = JSON.stringify(first.evidence)
  for (const shard of shards)
    if (shard.of !== of || JSON.stringify(shard.evidence) !== evidence)
      throw ofTwoRuns(shard, first)
  for (let part = 1; part <= of; part += 1) {
    const [one, other] = shards.filter((shard) => shard.part === part)
    if (!one) throw new Failure('incomplete', `shard ${part}/${of} is missing`)
    if (other) throw new Failure('usage', `shard ${part}/${of} twice: ${one.file}, ${other.file}`)
  }
  return answersInOrder(shards, first)
}

interface Output {
  readonly file: string
  readonly part: number
  readonly of: number
  readonly evidence: readonly string[]
  /** Returns the last line. */
  readonly lines: AsyncGenerator<Line, string>
}

interface Line {
  readonly number: number
  readonly answer: Answer
}

/** Reads the header. */
async function openOutput(evidence: Evidence, expected: JsonObject): Promise<Output> {
  const file = evidence.kind === 'stream' ? 'standard input' : shownName(evidence)
  const documents = evidence.kind === 'bundle' ? undefined : readEvidence(evidence, () => '')
  const read = await documents?.next()
  const header = read?.done === false ? read.value.document : undefined
  if (!documents || !header || header['kind'] !== expected['kind'])
    throw new Failure('usage', `${file} is not the output of winnode drift --shard`)
  for (const key of ['version', 'bundles'])
    if (!isSameJson(header[key], expected[key]))
      throw new Failure(
        'usage',
        `${file} is of another ${key === 'version' ? 'winnode' : 'profile'}`,
      )
  const { part, of, evidence: typed } = header
  return {
    file,
    part: Number(part),
    of: Number(of),
    evidence: isList(typed) ? typed.map(String) : [],
    lines: linesOf(documents, file),
  }
}

async function* linesOf(
  documents: AsyncGenerator<NodeText>,
  file: string,
): AsyncGenerator<Line, string> {
  let end = ''
  for await (const { document } of documents) {
    const { file: number, answer, digest } = document ?? {}
    const isLine = typeof number === 'number' && isAnswer(answer)
    if (end !== '' || (!isLine && digest === undefined)) throw cutOff(file)
    if (isLine) yield { number, answer }
    else end = JSON.stringify(document)
  }
  if (end === '') throw cutOff(file)
  return end
}

/** Keeps one line of each shard in memory. */
async function* answersInOrder(shards: readonly Output[], first: Output): AsyncGenerator<Answer> {
  const next = new Map<Output, Line>()
  const ends = new Map<Output, string>()
  const advance = async (shard: Output) => {
    const { done, value } = await shard.lines.next()
    if (done) {
      next.delete(shard)
      ends.set(shard, value)
    } else next.set(shard, value)
  }
  for (const shard of shards) await advance(shard)
  while (next.size > 0) {
    const [shard, line] = [...next].reduce((a, b) => (b[1].number < a[1].number ? b : a))
    yield line.answer
    await advance(shard)
  }
  const other = shards.find((shard) => ends.get(shard) !== ends.get(first))
  if (other) throw ofTwoRuns(other, first)
}

function shownName(one: Exclude<Evidence, { readonly kind: 'stream' }>): string {
  return one.kind === 'bundle' ? one.folder : one.shown
}

function cutOff(file: string): Failure {
  return new Failure('incomplete', `${file} is cut off, or was modified`)
}

function ofTwoRuns({ file }: Output, first: Output): Failure {
  return new Failure('incomplete', `${file} and ${first.file} are shards of different runs`, [
    'all shards need the same evidence, which must not change between them',
  ])
}

function isAnswer(value: unknown): value is Answer {
  if (!isObject(value) || typeof value['source'] !== 'string') return false
  const { unread, bundle, node, drifts } = value
  if (typeof unread === 'string') return true
  const isNamed = typeof bundle === 'string' && typeof node === 'string'
  return isNamed && isList(drifts) && drifts.every(isDrift)
}

function isDrift(value: unknown): value is Drift {
  if (!isObject(value) || !isList(value['path'])) return false
  return ['id', 'subject', 'weight', 'severity', 'message'].every(
    (key) => typeof value[key] === 'string',
  )
}
