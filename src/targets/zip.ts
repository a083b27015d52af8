// Target zip: the bundle in one archive, as a server or a bucket hands it out.
import { digestOf } from '../render/digest.ts'
import { zipOf } from './archive.ts'
import { defineTarget } from './target.ts'

export const zip = defineTarget({
  name: 'zip',
  summary: 'One archive with the whole bundle, the same bytes on every system.',
  single: true,
  limits: [],
  reads: [],
  make: ({ plan, bundle }) => {
    const content = zipOf(bundle)
    const path = `${plan.name}.zip`
    return Promise.resolve({
      kind: 'made',
      files: [{ path, content }],
      next: [`${path} has the sha256 ${digestOf(content)}`],
    })
  },
})
