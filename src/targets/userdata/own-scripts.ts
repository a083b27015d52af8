// The scripts of the user that run before Install: read, checked, and packed for the user data.
import type { RenderedFile } from '../../model/plan.ts'
import { secretsIn } from '../../text/secrets.ts'
import type { Input, Refusal } from '../target.ts'

export interface OwnScripts {
  /** In order; their folder and numbers keep them apart from the bundle and from each other. */
  readonly files: readonly RenderedFile[]
  readonly refusals: readonly Refusal[]
}

const field = ['targets', 'userdata', 'before']

export function ownScripts({ facts, read }: Input): OwnScripts {
  const files: RenderedFile[] = []
  const refusals: Refusal[] = []
  for (const [index, name] of facts.spec.targets.userdata.before.entries()) {
    const path = [...field, index]
    const content = read(name, field)
    if (typeof content === 'string') {
      const message = `${name}: ${content}`
      refusals.push({
        path,
        message,
        remedy: 'Name a script beside the file that sets this field.',
      })
      continue
    }
    files.push({ path: `before/${index + 1}-${name.replace(/^.*\//, '')}`, content })
    for (const what of secretsIn(new TextDecoder().decode(content)))
      refusals.push({
        path,
        message: `${name} contains ${what}, and user data would contain it, too`,
        remedy: 'Let the script get it from a secret store.',
      })
  }
  return { files, refusals }
}
