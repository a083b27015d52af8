// Evidence: what a person named to compare a profile with.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isNodeFile } from '../../io/drift/node-files.ts'
import { manifestNames } from '../../model/bundle-path.ts'
import { Failure } from '../failure.ts'

export type Evidence =
  /** A folder that render wrote, for a target too; `folder` is as a person typed it. */
  | { readonly kind: 'bundle'; readonly folder: string; readonly place: string }
  /** A file or a folder of snapshots and reports. */
  | {
      readonly kind: 'nodes'
      readonly shown: string
      readonly place: string
      /** It lies beside a bundle, where other files lie too. */
      readonly stray?: true
    }
  /** The same, from standard input. */
  | { readonly kind: 'stream' }

/** Standard input can be read once. */
export function allEvidence(names: readonly unknown[]): readonly Evidence[] {
  if (names.filter((name) => name === '-').length > 1)
    throw new Failure('usage', 'standard input is named twice', ['- stands for all of it'])
  return names.flatMap((name) => evidenceOf(String(name)))
}

function evidenceOf(name: string): readonly Evidence[] {
  if (name === '-') return [{ kind: 'stream' }]
  const place = resolve(name)
  if (isNowhere(place)) throw new Failure('usage', `there is no ${name}`)
  const isFolder = existsSync(place) && statSync(place).isDirectory()
  const bundle = ['.', 'bundle'].find(
    (one) => isFolder && existsSync(join(place, one, manifestNames.bundle)),
  )
  if (bundle === undefined) return [{ kind: 'nodes', shown: name, place }]
  const strays = readdirSync(place).filter(
    (file) => isNodeFile(file) && file !== manifestNames.bundle,
  )
  return [
    { kind: 'bundle', folder: join(name, bundle), place: join(place, bundle) },
    ...strays.map((file) => {
      return {
        kind: 'nodes',
        shown: join(name, file),
        place: join(place, file),
        stray: true,
      } as const
    }),
  ]
}

/** Not so where something may be that this run is not let to. */
function isNowhere(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return ['ENOTDIR', 'ENAMETOOLONG'].includes(code)
  }
}
