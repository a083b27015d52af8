// Evidence: the bundles, snapshots and reports that the command line names.
import { closeSync, existsSync, openSync, readdirSync, type Stats, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { codeOf, isDescriptor } from '../../io/disk.ts'
import {
  isNodeFile,
  type ProblemOf,
  nodeNameOf,
  nodesAt,
  nodesOf,
  nodesOfInput,
  type NodeText,
  type Filter,
} from '../../io/drift/node-files.ts'
import { manifestFiles, manifestsIn } from '../../io/bundle-manifest.ts'
import { readSome } from '../../io/profiles/read-file.ts'
import { manifestNames } from '../../model/bundle-path.ts'
import { Failure } from '../failure.ts'
import { withDefaultSignals } from '../signals.ts'

export type Evidence =
  /** A folder that render wrote; `folder` is as typed. */
  | {
      readonly kind: 'bundle'
      readonly folder: string
      readonly place: string
      /** Written for targets: it has a winnode.json. */
      readonly output?: true
    }
  /** A file or a folder of snapshots and reports. */
  | {
      readonly kind: 'nodes'
      readonly shown: string
      readonly place: string
      /** Found in a folder that holds a bundle; it may be an unrelated file. */
      readonly stray?: true
    }
  /** The same, from standard input. */
  | { readonly kind: 'stream' }
  /** The same, from a pipe of the shell: `<(command)`. */
  | { readonly kind: 'pipe'; readonly shown: string; readonly place: string }

export type NodeEvidence = Exclude<Evidence, { readonly kind: 'bundle' }>

/** Yields each document as soon as it is read; of several in one file, `problemOf` rejects the unusable ones. */
export function readEvidence(
  evidence: NodeEvidence,
  problemOf: ProblemOf,
  filter?: Filter,
): AsyncGenerator<NodeText> {
  if (evidence.kind === 'stream') return nodesOfInput(problemOf)
  const { kind, shown, place } = evidence
  return kind === 'pipe'
    ? nodesOf(chunksOf(place), { source: shown, name: nodeNameOf(place), problemOf })
    : nodesAt(shown, place, problemOf, filter)
}

/** The read blocks while the pipe is empty; a signal ends the run meanwhile. */
async function* chunksOf(pipe: string): AsyncGenerator<Uint8Array> {
  const file = withDefaultSignals(() => openSync(pipe, 'r'))
  try {
    for (;;) {
      const piece = new Uint8Array(64 * 1024)
      // Lets a pending signal end the run.
      await setImmediate()
      const length = withDefaultSignals(() => readSome(file, piece))
      if (length === 0) return
      yield piece.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** Throws a usage failure for a path that does not exist. */
export function allEvidence(names: readonly unknown[]): readonly Evidence[] {
  return names.flatMap((name) => evidenceOf(String(name)))
}

/** The same for several profiles, for which a folder may hold a bundle of each, as render writes them. */
export function evidenceByName(
  names: readonly string[],
  profiles: readonly string[],
): readonly Evidence[] {
  return allEvidence(
    names.flatMap((name) => {
      const bundles = profiles.map((one) => join(name, one)).filter((one) => bundleIn(resolve(one)))
      return bundles.length > 0 ? bundles : [name]
    }),
  )
}

/** Where in a folder its manifest is: `bundle` if that of a target is missing. */
function bundleIn(folder: string): string | undefined {
  return ['.', 'bundle'].find((one) =>
    manifestFiles.some((name) => existsSync(join(folder, one, name))),
  )
}

function evidenceOf(name: string): readonly Evidence[] {
  if (name === '-') return [{ kind: 'stream' }]
  const place = resolve(name)
  if (isMissing(place)) throw new Failure('usage', `${name}: no such file or directory`)
  if (isDescriptor(place) && isPipe(statSync(place))) return [{ kind: 'pipe', shown: name, place }]
  const isFolder = existsSync(place) && statSync(place).isDirectory()
  const bundle = isFolder ? bundleIn(place) : undefined
  if (bundle === undefined) return [{ kind: 'nodes', shown: name, place }]
  // Otherwise drift of the files beside the bundle would go unseen; evidence of nodes may be beside it.
  if (bundle === 'bundle' && readdirSync(place).some((one) => one !== bundle && !isNodeFile(one)))
    throw new Failure('usage', `${name}: a bundle, but no ${manifestNames.output}`, [
      `to compare the bundle alone, name ${join(name, bundle)}`,
      'to compare the files of a target, name the folder that render wrote',
    ])
  const folder = { folder: join(name, bundle), place: join(place, bundle) }
  const isOutput = existsSync(join(folder.place, manifestNames.output))
  const ours = new Set(manifestsIn(place).flatMap(({ files }) => [...files.keys()]))
  const strays = readdirSync(place).filter(
    (file) => isNodeFile(file) && !ours.has(file) && !manifestFiles.includes(file),
  )
  return [
    { kind: 'bundle', ...folder, ...(isOutput && { output: true }) },
    ...strays.map((file): Evidence => {
      return { kind: 'nodes', shown: join(name, file), place: join(place, file), stray: true }
    }),
  ]
}

/** Neither a file nor a folder: a terminal and a device too. */
const isPipe = (found: Stats) => !found.isFile() && !found.isDirectory()

/** False for a path that this user may not inspect. */
function isMissing(place: string): boolean {
  try {
    return statSync(place, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    return ['ENOTDIR', 'ENAMETOOLONG'].includes(codeOf(error) ?? '')
  }
}
