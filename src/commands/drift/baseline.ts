// Baseline: a file of differences that are accepted, read and written.
import { lstatSync } from 'node:fs'
import { baselineOf, type Entry } from '../../drift/accepted.ts'
import { itemsOf, itemText } from '../../drift/node-text.ts'
import type { Drift } from '../../model/drift.ts'
import { isList, isObject, type JsonObject } from '../../model/json.ts'
import { type Destination, destinationOf, writeTo } from '../destination.ts'
import { Failure } from '../failure.ts'
import { namedText } from '../named-text.ts'
import { jsonText } from '../report.ts'

const head = { apiVersion: 'winnode/v1', kind: 'DriftBaseline' }

export function readBaseline(file: string): readonly Entry[] {
  const document = parsed(file)
  if (!document)
    throw new Failure('usage', `${file} is no baseline`, ['--write-baseline writes one'])
  return itemsOf(document['accepted']).map((item) => {
    const { says } = item
    const texts = isList(says) ? says.filter((one) => typeof one === 'string') : []
    return { id: itemText(item, 'id'), subject: itemText(item, 'subject'), says: texts }
  })
}

/** `undefined` for what is no baseline. */
function parsed(file: string): JsonObject | undefined {
  const text = namedText(file)
  try {
    const document: unknown = JSON.parse(text)
    return isObject(document) && document['kind'] === head.kind ? document : undefined
  } catch {
    return undefined
  }
}

/** Throws for a file that is not a baseline; `force` replaces it, but not through a link. */
export function baselineDestination(
  out: string | undefined,
  force: boolean,
): Destination | undefined {
  if (out === undefined) return undefined
  if (out === '-')
    throw new Failure('usage', '--write-baseline takes the name of a file, not stdout', [
      'a file named -: ./-',
    ])
  const wanted = { name: 'baseline.json', instead: 'name another file' }
  const destination = destinationOf(out, wanted)
  const { file, before } = destination
  if (before === undefined || parsed(file)) return destination
  if (lstatSync(out).isSymbolicLink())
    throw new Failure(
      'conflict',
      `${out} is a link to ${file}, which is not a baseline; nothing was written`,
      ['name the file itself'],
    )
  if (force) return destination
  throw new Failure('conflict', `${out} is not a baseline; nothing was written`, [
    'use --force to replace it',
  ])
}

/** The only file that drift ever writes. Gives how many differences it holds. */
export function writeBaseline(destination: Destination, drifts: readonly Drift[]): number {
  const accepted = baselineOf(drifts)
  writeTo(destination, jsonText({ ...head, accepted }))
  return accepted.length
}
