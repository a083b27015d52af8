// A file in HCL.
import type { RenderedFile } from '../../model/plan.ts'
import { encodeText } from '../../render/encode.ts'
import { hclText, type Block } from '../../render/hcl-text.ts'

export function hclFile(path: string, comment: string, blocks: readonly Block[]): RenderedFile {
  return { path, content: encodeText(hclText(comment, blocks)) }
}
