// The scripts of the user that run before Install and after the end: read, checked, and packed for the user data.
import type { RenderedFile } from '../../model/plan.ts'
import { secretsIn } from '../../text/secrets.ts'
import type { Input, Refusal } from '../target.ts'

interface OwnScripts {
  /** In order; their folders and numbers keep them apart from the bundle and from each other. */
  readonly before: readonly RenderedFile[]
  readonly after: readonly RenderedFile[]
  readonly refusals: readonly Refusal[]
}

export function ownScripts(input: Input): OwnScripts {
  const [before, after] = [scriptsOf(input, 'before'), scriptsOf(input, 'after')]
  return {
    before: before.files,
    after: after.files,
    refusals: [...before.refusals, ...after.refusals],
  }
}

function scriptsOf({ facts, read }: Input, when: 'before' | 'after') {
  const field = ['targets', 'userdata', when]
  const files: RenderedFile[] = []
  const refusals: Refusal[] = []
  for (const [index, name] of facts.spec.targets.userdata[when].entries()) {
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
    files.push({ path: `${when}/${index + 1}-${name.replace(/^.*\//, '')}`, content })
    const encoding = encodingOf(content)
    if (encoding === undefined)
      refusals.push({
        path,
        message: `${name} has no byte order mark and characters other than ASCII, which Windows PowerShell reads in the ANSI code page`,
        remedy: 'Save it as UTF-8 with a byte order mark.',
      })
    for (const what of secretsIn(new TextDecoder(encoding).decode(content)))
      refusals.push({
        path,
        message: `${name} contains ${what}, and user data would contain it, too`,
        remedy: 'Let the script get it from a secret store.',
      })
  }
  return { files, refusals }
}

/**
 * As Windows PowerShell reads a script. `undefined`: it depends on the machine's code page.
 * https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_character_encoding
 */
function encodingOf(script: Uint8Array): string | undefined {
  const [first, second, third] = script
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const isMarked = first === 0xef && second === 0xbb && third === 0xbf
  return isMarked || script.every((byte) => byte < 0x80) ? 'utf-8' : undefined
}
