// Shards: a run of drift in several processes, each with its share of the files, and the merge of their outputs.
import { manifestNames } from '../../model/bundle-path.ts'
import type { Drift } from '../../model/drift.ts'
import { isList, isObject, type JsonObject, parseObject } from '../../model/json.ts'
import type { Plan, RenderedFile } from '../../model/plan.ts'
import { digestOf } from '../../render/digest.ts'
import { Failure } from '../failure.ts'
import { readFileArgument } from '../file-argument.ts'
import type { Evidence, NodeEvidence } from './evidence.ts'
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
export function openShare({ part, of }: Pick<Shard, 'part' | 'of'>) {
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
  share: ReturnType<typeof openShare>,
): AsyncGenerator<string> {
  yield `${JSON.stringify({ ...header, part, of })}\n`
  for await (const answer of answers) yield `${JSON.stringify({ file: share.at(), answer })}\n`
  yield `${JSON.stringify(share.end())}\n`
}

export interface Merged {
  readonly answers: readonly Answer[]
  /** As typed for the shards. */
  readonly evidence: readonly string[]
}

/** The answers in the order of one run. Throws unless the shards are all of one run of this profile. */
export function mergedShards(files: readonly string[], expected: JsonObject): Merged {
  const shards = files.map((file) => readShard(file, expected))
  const [first] = shards
  if (!first) throw new Failure('usage', 'missing argument: the outputs of winnode drift --shard')
  const { of } = first
  for (const { file, ...shard } of shards)
    if (shard.of !== of || shard.end !== first.end || shard.evidence !== first.evidence)
      throw new Failure('incomplete', `${file} and ${first.file} are shards of different runs`, [
        'all shards need the same evidence, which must not change between them',
      ])
  for (let part = 1; part <= of; part += 1) {
    const [one, other] = shards.filter((shard) => shard.part === part)
    if (!one) throw new Failure('incomplete', `shard ${part}/${of} is missing`)
    if (other) throw new Failure('usage', `shard ${part}/${of} twice: ${one.file}, ${other.file}`)
  }
  const all = shards.flatMap(({ answers }) => answers).sort((a, b) => a.file - b.file)
  const evidence: unknown = JSON.parse(first.evidence)
  return {
    answers: all.map(({ answer }) => answer),
    evidence: isList(evidence) ? evidence.map(String) : [],
  }
}

function readShard(file: string, expected: JsonObject) {
  const [head = '', ...lines] = readFileArgument(file).split('\n')
  const header = parseObject(head)
  if (!header || header['kind'] !== expected['kind'])
    throw new Failure('usage', `${file} is not the output of winnode drift --shard`)
  for (const key of ['version', 'bundles'])
    if (JSON.stringify(header[key]) !== JSON.stringify(expected[key]))
      throw new Failure(
        'usage',
        `${file} is of another ${key === 'version' ? 'winnode' : 'profile'}`,
      )
  const end = lines.at(-2)
  const documents = lines.slice(0, -2).map(parseObject)
  const answers = documents.flatMap((one) => {
    const { file: number, answer } = one ?? {}
    return typeof number === 'number' && isAnswer(answer) ? [{ file: number, answer }] : []
  })
  const ended = lines.at(-1) === '' && parseObject(end ?? '')?.['digest'] !== undefined
  if (!ended || answers.length < documents.length)
    throw new Failure('incomplete', `${file} is cut off, or was modified`)
  const evidence = JSON.stringify(header['evidence'] ?? [])
  return { file, part: Number(header['part']), of: Number(header['of']), evidence, end, answers }
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
