// Target zip: the bundle as one archive, to serve from a web server or bucket.
import type { Plan, RenderedFile } from '../model/plan.ts'
import { digestOf } from '../render/digest.ts'
import { zipOf } from './archive.ts'
import { defineTarget } from './target.ts'

export const zip = defineTarget({
  name: 'zip',
  single: true,
  make: ({ plan, bundle }) => {
    const file = archiveFile(plan, zipOf(bundle))
    const next = [`publish or copy ${file.path} (sha256 ${digestOf(file.content)})`]
    return Promise.resolve({ kind: 'made', files: [file], next })
  },
})

export function archiveFile({ name }: Plan, content: Uint8Array): RenderedFile {
  return { path: `${name}.zip`, content }
}
