// The bundle of a profile in the forms of --for; the code of targets is loaded only when one is named.
import { readOwnScript } from '../../io/own-script.ts'
import { staticFiles } from '../../io/static-files.ts'
import { compareFindings } from '../../model/finding.ts'
import type { Path } from '../../model/path.ts'
import { isSetByUser } from '../../profile/assumed.ts'
import { renderFile } from '../../render/render-file.ts'
import { renderFiles } from '../../render/render.ts'
import { loadTemplate } from '../../render/templates.ts'
import { plain } from '../../targets/index.ts'
import type { Output } from '../../targets/output.ts'
import type { Input } from '../../targets/target.ts'
import type { CompiledProfile } from '../compile-profile.ts'

export interface Rendered {
  /** `undefined` for a profile that the rules or a target reject. */
  readonly output: Output | undefined
}

/** Adds the findings of targets. `root` is the folder of the package. */
export async function renderTargets<T extends CompiledProfile>(
  compiled: T,
  names: readonly string[],
  root: string,
): Promise<T & Rendered> {
  const { plan, facts, origin, findings, place } = compiled
  if (!plan) return { ...compiled, output: undefined }
  const readStatic = staticFiles(root)
  const bundle = await renderFiles(plan, readStatic)
  if (names.join() === plain) {
    const output = { kind: 'made', files: bundle, next: [], single: undefined } as const
    return { ...compiled, output }
  }
  const { outputOf } = await import('../../targets/output.ts')
  const render: Input['render'] = (file) => renderFile(file, { readStatic, loadTemplate })
  const isSet = (path: Path) => isSetByUser(origin(path), path)
  const read: Input['read'] = (name, field) => readOwnScript(name, origin(field), process.cwd())
  const output = await outputOf(names, { plan, facts, isSet, bundle, read, render })
  if (output.kind === 'made') return { ...compiled, output }
  const all = [...findings, ...place(output.findings)].toSorted(compareFindings)
  return { ...compiled, findings: all, output: undefined }
}
