// Checks the flags of render, and selects the file that goes to stdout.
import type { RenderedFile } from '../../model/plan.ts'
import { plain, targetsOf } from '../../targets/index.ts'
import type { Output } from '../../targets/output.ts'
import { fileOfBundle } from './changes.ts'
import { Failure } from '../failure.ts'

interface RenderFlags {
  readonly out: string
  readonly 'dry-run': boolean
  readonly diff: boolean
  readonly check: boolean
  readonly force: boolean
  readonly strict: boolean
  readonly quiet: boolean
  readonly only?: string | undefined
  readonly format: string
  readonly for?: readonly string[] | undefined
}

export interface RenderRequest extends RenderFlags {
  /** Without duplicates, in the order of the table; `plain` where none is named. */
  readonly targets: readonly string[]
  /** Whether each profile has its own folder below --out. */
  readonly several: boolean
}

export function checkRequest(flags: RenderFlags, several: boolean): RenderRequest {
  const targets = targetsOf(flags.for ?? [plain])
  if (flags.out === '-' && several)
    throw new Failure('usage', '--out - takes one profile; several need a folder')
  if (flags.out === '-' && flags.check)
    throw new Failure('usage', '--check compares a folder, and --out - names none')
  if (flags.only !== undefined && flags.out !== '-')
    throw new Failure('usage', '--only FILE goes with --out -')
  if (flags.out === '-' && flags.only === undefined && (targets.length > 1 || targets[0] === plain))
    throw new Failure('usage', '--out - needs --only FILE, or a target of one file', [
      'a bundle has many files, and stdout takes one',
    ])
  if (flags.out === '-' && flags.format !== 'pretty')
    throw new Failure('usage', `--out - and --format ${flags.format} both go to stdout`)
  return { ...flags, targets, several }
}

export function fileForStdout(
  { files, single }: Output,
  { only, targets }: RenderRequest,
): RenderedFile {
  if (only === undefined) {
    if (single) return single
    throw new Failure('usage', `--out - needs --only FILE: ${targets.join()} makes several files`)
  }
  return fileOfBundle(only, files)
}
