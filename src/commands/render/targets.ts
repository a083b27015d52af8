// Makes the outputs of --for; the code of targets is loaded only when one is named.
import { renderFile, type ReadStatic } from '../../render/render-file.ts'
import { loadTemplate } from '../../render/templates.ts'
import { plain } from '../../targets/index.ts'
import type { Output } from '../../targets/output.ts'
import type { Input } from '../../targets/target.ts'
import { Failure } from '../failure.ts'

/** Throws a failure where a target refuses the profile. */
export async function makeTargets(
  names: readonly string[],
  input: Omit<Input, 'render'>,
  readStatic: ReadStatic,
): Promise<Output> {
  if (names.join() === plain)
    return { kind: 'made', files: input.bundle, next: [], single: undefined }
  const { outputOf } = await import('../../targets/output.ts')
  const render: Input['render'] = (file) => renderFile(file, { readStatic, loadTemplate })
  const made = await outputOf(names, { ...input, render })
  if (made.kind === 'made') return made
  throw new Failure('rejected', made.message, made.hints)
}
