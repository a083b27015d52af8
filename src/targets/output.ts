// Output: the files of one target or several, with the bundle of each and the list of all of them.
import { checkBundlePaths, manifestNames } from '../model/bundle-path.ts'
import { compareText } from '../model/finding.ts'
import type { RenderedFile } from '../model/plan.ts'
import { digestFiles } from '../render/digest.ts'
import { listed, sealedFile } from '../render/sealed-file.ts'
import { plain, targets } from './index.ts'
import type { Input, Made } from './target.ts'

export interface Output {
  readonly kind: 'made'
  /** In the order of their paths. */
  readonly files: readonly RenderedFile[]
  readonly next: readonly string[]
  /** Where one target was asked for that makes one file. */
  readonly single: RenderedFile | undefined
}

type Refused = Exclude<Made, { readonly kind: 'made' }>

/** `names` are some of `targetNames`, each once, and not the bundle alone, which needs nothing of this. */
export async function outputOf(names: readonly string[], input: Input): Promise<Output | Refused> {
  const several = names.length > 1
  const files: RenderedFile[] = []
  const next: string[] = []
  let single: RenderedFile | undefined
  for (const name of names) {
    const target = await targets[name]?.()
    const made = target ? await target.make(input) : undefined
    if (made?.kind === 'refused') return made
    const folder = several ? `${name}/` : ''
    files.push(...below(folder, made?.files ?? []))
    files.push(...below(name === plain ? folder : `${folder}bundle/`, input.bundle))
    next.push(...(made?.next ?? []))
    if (!several && target?.single) single = soleFile(made?.files ?? [])
  }
  const all = [...files, manifestOf(names, input, files)]
  checkBundlePaths(all.map(({ path }) => path))
  return { kind: 'made', files: all.toSorted((a, b) => compareText(a.path, b.path)), next, single }
}

function below(folder: string, files: readonly RenderedFile[]): readonly RenderedFile[] {
  // As they are: to read what they hold has them made.
  if (folder === '') return files
  return files.map(({ path, content }) => ({ path: folder + path, content }))
}

/** A target of one file may have a second one, such as an archive that somebody has to serve: none goes to stdout then. */
function soleFile([file, ...others]: readonly RenderedFile[]): RenderedFile | undefined {
  return others.length === 0 ? file : undefined
}

function manifestOf(
  names: readonly string[],
  { plan }: Input,
  files: readonly RenderedFile[],
): RenderedFile {
  const header = { apiVersion: 'winnode/v1', kind: 'Output' } as const
  return sealedFile(manifestNames.output, () => ({
    ...header,
    name: plan.name,
    targets: names,
    files: listed(digestFiles(files)),
  }))
}
