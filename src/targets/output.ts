// The files of one or several targets, each with the bundle, and the manifest of all files.
import { checkBundlePaths, manifestNames } from '../model/bundle-path.ts'
import { compareText, type Finding } from '../model/finding.ts'
import type { RenderedFile } from '../model/plan.ts'
import { digestFiles, digestList } from '../render/digest.ts'
import { selfDigestFile } from '../render/self-digest.ts'
import { bundleFolders, refusalId, targets, zip } from './index.ts'
import { refused, type Input, type Refused, type Target, type TargetResult } from './target.ts'

export interface Output {
  readonly kind: 'made'
  /** Sorted by path. */
  readonly files: readonly RenderedFile[]
  readonly next: readonly string[]
  /** The file of a single target that makes only one. */
  readonly single: RenderedFile | undefined
}

/** Of every target that cannot use the profile. */
interface Unfit {
  readonly kind: 'unfit'
  readonly findings: readonly Finding[]
}

/** `names` are distinct `targetNames`; `plain` alone is not handled here. */
export async function outputOf(names: readonly string[], input: Input): Promise<Output | Unfit> {
  const several = names.length > 1
  const files: RenderedFile[] = []
  const next: string[] = []
  const findings: Finding[] = []
  let single: RenderedFile | undefined
  const bundles = bundleFolders(names)
  for (const [index, name] of names.entries()) {
    const target = await targets[name]?.()
    const made = target ? await makeOf(target, input) : undefined
    if (made?.kind === 'refused') {
      const about = { id: refusalId(name), severity: 'error' } as const
      findings.push(...made.refusals.map((refusal) => ({ ...about, ...refusal })))
      continue
    }
    const folder = several ? `${name}/` : ''
    files.push(...below(folder, made?.files ?? []))
    files.push(...below(bundles[index] ?? '', input.bundle))
    next.push(
      ...(made?.next ?? []).map((step) => (several ? `in the folder ${name}: ${step}` : step)),
    )
    if (!several && target?.single) single = soleFile(made?.files ?? [])
  }
  if (findings.length > 0) return { kind: 'unfit', findings }
  const all = [...files, manifestOf(names, input, files)]
  checkBundlePaths(all.map(({ path }) => path))
  return { kind: 'made', files: all.toSorted((a, b) => compareText(a.path, b.path)), next, single }
}

/** A provider's image has its own script, and the bundle the user data that calls it. */
function makeOf({ name, make }: Target, input: Input): Promise<TargetResult> | Refused {
  if (input.plan.steps.length > 0 || name === zip) return make(input)
  return refused({
    path: ['network', 'cni'],
    message: `--for ${name} runs Install-WinNode.ps1, which a bundle for a provider’s image does not have`,
    remedy: 'Render without --for: the bundle contains the user data.',
  })
}

function below(folder: string, files: readonly RenderedFile[]): readonly RenderedFile[] {
  return files.map(({ path, content }) => ({ path: folder + path, content }))
}

/** `undefined` where the target made a second file too, such as an archive to serve. */
function soleFile([file, ...others]: readonly RenderedFile[]): RenderedFile | undefined {
  return others.length === 0 ? file : undefined
}

function manifestOf(
  names: readonly string[],
  { plan, facts: { added } }: Input,
  files: readonly RenderedFile[],
): RenderedFile {
  const document = {
    apiVersion: 'winnode/v1' as const,
    kind: 'Output',
    name: plan.name,
    targets: names,
    ...(added && { facts: { name: added.name, sha256: added.digest } }),
    files: digestList(digestFiles(files)),
  }
  return selfDigestFile(manifestNames.output, document)
}
