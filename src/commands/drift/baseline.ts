// Baseline: a file of differences that are accepted, read and written.
import { readFileSync, writeFileSync } from 'node:fs'
import { baselineOf, type Entry } from '../../drift/accepted.ts'
import { itemsOf, itemText } from '../../drift/node-text.ts'
import type { Drift } from '../../model/drift.ts'
import { isList, isObject } from '../../model/json.ts'
import { Failure } from '../failure.ts'
import { jsonText } from '../report.ts'

const head = { apiVersion: 'winnode/v1', kind: 'DriftBaseline' }

export function readBaseline(file: string): readonly Entry[] {
  const document = parsed(file)
  if (!isObject(document) || document['kind'] !== head.kind)
    throw new Failure('usage', `${file} is no baseline`, ['--write-baseline writes one'])
  return itemsOf(document['accepted']).map((item) => {
    const { says } = item
    const texts = isList(says) ? says.filter((one) => typeof one === 'string') : []
    return { id: itemText(item, 'id'), subject: itemText(item, 'subject'), says: texts }
  })
}

function parsed(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw new Failure('usage', `the baseline ${file} cannot be read`, [
      '--write-baseline writes one',
    ])
  }
}

/** The only file that drift ever writes. Gives how many differences it holds. */
export function writeBaseline(file: string, drifts: readonly Drift[]): number {
  const accepted = baselineOf(drifts)
  writeFileSync(file, jsonText({ ...head, accepted }))
  return accepted.length
}
