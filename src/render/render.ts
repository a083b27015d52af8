// Renders a plan to the files of a bundle.
import { compareText } from '../model/finding.ts'
import type { Plan, RenderedFile } from '../model/plan.ts'
import { billOfMaterials } from './bill-of-materials.ts'
import { renderFile } from './render-file.ts'
import type { ReadStatic } from './render-file.ts'
import { checkBundlePaths } from '../model/bundle-path.ts'
import { digestFiles } from './digest.ts'
import { jsonText } from './json-text.ts'
import { nodeFile } from './node-document.ts'
import { addFileDigests } from './step-digests.ts'
import { loadTemplate } from './templates.ts'
import type { LoadTemplate } from './templates.ts'
import { encodeText } from './encode.ts'

/** The files of the plan, bom.json and node.json, sorted by path. */
export async function renderFiles(
  plan: Plan,
  readStatic: ReadStatic,
  load: LoadTemplate = loadTemplate,
): Promise<readonly RenderedFile[]> {
  const sources = { readStatic, loadTemplate: load }
  const planned = await Promise.all(plan.files.map((file) => renderFile(file, sources)))
  const ofPlanned = digestFiles(planned)
  const bill = { path: 'bom.json', content: encodeText(jsonText(billOfMaterials(plan, ofPlanned))) }
  const files = [...planned, bill]
  const digests = new Map([...ofPlanned, ...digestFiles([bill])])
  const bundle = [...files, nodeFile(plan, addFileDigests(plan.steps, digests), digests)]
  checkBundlePaths(bundle.map(({ path }) => path))
  return bundle.toSorted((a, b) => compareText(a.path, b.path))
}
