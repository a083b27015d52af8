// Evidence: what a person named to compare a profile with.
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../failure.ts'

export interface Evidence {
  readonly kind: 'bundle'
  /** As a person typed it. */
  readonly folder: string
  readonly place: string
}

export function evidenceOf(name: string): Evidence {
  const place = resolve(name)
  if (!existsSync(place)) throw new Failure('usage', `there is no ${name}`)
  if (!statSync(place).isDirectory() || !existsSync(join(place, 'node.json')))
    throw new Failure('usage', `${name} is no bundle: it has no node.json`)
  return { kind: 'bundle', folder: name, place }
}
