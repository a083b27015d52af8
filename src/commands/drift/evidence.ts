// Evidence: what a person named to compare a profile with.
import { closeSync, existsSync, openSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { nodesOfInput } from '../../io/drift/input.ts'
import {
  isNodeFile,
  type Judge,
  nodeNameOf,
  nodesAt,
  nodesOf,
  type NodeText,
} from '../../io/drift/node-files.ts'
import { readSome } from '../../io/profiles/read-file.ts'
import { isDescriptor } from '../../io/regular-file.ts'
import { manifestNames } from '../../model/bundle-path.ts'
import { Failure } from '../failure.ts'
import { deaf, turn } from '../interruption.ts'

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
  /** The same, from a pipe of the shell: `<(command)`. */
  | { readonly kind: 'pipe'; readonly shown: string; readonly place: string }

export type NodeEvidence = Exclude<Evidence, { readonly kind: 'bundle' }>

/** The documents of evidence, each as soon as it is read; of many in one file `judge` tells which say nothing. */
export function textsOf(evidence: NodeEvidence, judge: Judge): AsyncIterable<NodeText> {
  if (evidence.kind === 'stream') return nodesOfInput(judge)
  const { kind, shown, place } = evidence
  return kind === 'pipe'
    ? nodesOf(piecesOf(place), { source: shown, name: nodeNameOf(place), judge })
    : nodesAt(shown, place, judge)
}

/** Where the pipe is empty the run waits, and a signal ends it. */
async function* piecesOf(pipe: string): AsyncGenerator<Uint8Array> {
  const file = deaf(() => openSync(pipe, 'r'))
  try {
    for (;;) {
      const piece = new Uint8Array(64 * 1024)
      // A signal that came meanwhile ends the run here.
      await turn()
      const length = deaf(() => readSome(file, piece))
      if (length === 0) return
      yield piece.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

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
  if (isDescriptor(place) && isPipe(statSync(place))) return [{ kind: 'pipe', shown: name, place }]
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

/** A terminal and a device too: what is neither a file nor a folder. */
const isPipe = (found: Stats) => !found.isFile() && !found.isDirectory()

/** Not so where something may be that this run is not let to. */
function isNowhere(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return ['ENOTDIR', 'ENAMETOOLONG'].includes(code)
  }
}
