// Target single-file: one script that contains the bundle, unpacks and verifies it, and runs its commands.
import { bundleArchive, base64Lines } from './bundle-archive.ts'
import { defineTarget } from './target.ts'

export const singleFile = defineTarget({
  name: 'single-file',
  single: true,
  make: async ({ plan, bundle, render }) => {
    const { archive, view } = bundleArchive(bundle)
    const parts = [
      { template: 'targets/single-file-head.ps1.hbs', view: {} },
      { template: 'targets/arrive.ps1.hbs', view: {} },
      {
        template: 'targets/single-file.ps1.hbs',
        view: { name: plan.name, ...view, lines: base64Lines(archive) },
      },
    ]
    const path = `${plan.name}.ps1`
    return {
      kind: 'made',
      files: [await render({ path, body: { kind: 'page', parts } })],
      next: [`on the machine, run .\\${path} Install, then .\\${path} Join -TokenFile FILE`],
    }
  },
})
