// Evidence: what a person named to compare a profile with.
import { existsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Failure } from '../failure.ts'

export type Evidence =
  /** A folder that render wrote, for a target too; `folder` is as a person typed it. */
  | { readonly kind: 'bundle'; readonly folder: string; readonly place: string }
  /** A file or a folder of snapshots and reports. */
  | { readonly kind: 'nodes'; readonly shown: string; readonly place: string }
  /** The same, from standard input. */
  | { readonly kind: 'stream' }

/** Standard input can be read once. */
export function allEvidence(names: readonly unknown[]): readonly Evidence[] {
  if (names.filter((name) => name === '-').length > 1)
    throw new Failure('usage', 'standard input is named twice', ['- stands for all of it'])
  return names.map((name) => evidenceOf(String(name)))
}

function evidenceOf(name: string): Evidence {
  if (name === '-') return { kind: 'stream' }
  const place = resolve(name)
  if (!existsSync(place)) throw new Failure('usage', `there is no ${name}`)
  const isFolder = statSync(place).isDirectory()
  const bundle = ['.', 'bundle'].find(
    (one) => isFolder && existsSync(join(place, one, 'node.json')),
  )
  if (bundle === undefined) return { kind: 'nodes', shown: name, place }
  return { kind: 'bundle', folder: join(name, bundle), place: join(place, bundle) }
}
