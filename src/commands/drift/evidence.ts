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

export function evidenceOf(name: string): Evidence {
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
