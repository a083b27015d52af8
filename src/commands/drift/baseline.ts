// Reads and writes baselines: files of accepted differences.
import { lstatSync } from 'node:fs'
import { baselineOf, type Entry } from '../../drift/accepted.ts'
import type { Drift } from '../../model/drift.ts'
import { isList, type JsonObject, parseObject, textAt, itemsOf } from '../../model/json.ts'
import { type Destination, destinationOf, writeTo } from '../destination.ts'
import { Failure } from '../failure.ts'
import { readFileArgument } from '../file-argument.ts'
import { jsonText } from '../output-text.ts'

const header = { apiVersion: 'winnode/v1', kind: 'DriftBaseline' }

export function readBaseline(file: string): readonly Entry[] {
  const document = parsedBaseline(file)
  if (!document)
    throw new Failure('usage', `${file} is no baseline`, ['--write-baseline writes one'])
  return itemsOf(document['accepted']).map((item) => {
    const list = isList(item['messages']) ? item['messages'] : []
    const messages = list.filter((one) => typeof one === 'string')
    return { id: textAt(item, ['id']), subject: textAt(item, ['subject']), messages }
  })
}

/** `undefined` where the file is not a baseline. */
function parsedBaseline(file: string): JsonObject | undefined {
  const document = parseObject(readFileArgument(file))
  return document?.['kind'] === header.kind ? document : undefined
}

/** Throws for an existing file that is not a baseline, unless `force` and not behind a link. */
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
  if (before === undefined || parsedBaseline(file)) return destination
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

/** Returns the number of accepted differences. */
export function writeBaseline(destination: Destination, drifts: readonly Drift[]): number {
  const accepted = baselineOf(drifts)
  writeTo(destination, jsonText({ ...header, accepted }))
  return accepted.length
}
