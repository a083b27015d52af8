// The built-in profiles by name.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { compareText } from '../../model/finding.ts'
import { textAt } from '../../model/json.ts'
import { readSource } from '../source.ts'
import { readShipped } from './read-file.ts'

interface ProfileSummary {
  readonly name: string
  readonly summary: string
  readonly extends: string | undefined
}

const extension = '.yaml'

/** `root` is the folder of the package. */
export function builtinFolder(root: string): string {
  return join(root, 'profiles')
}

export function builtinPath(root: string, name: string): string {
  return join(builtinFolder(root), name + extension)
}

export function builtinNames(root: string): readonly string[] {
  return readdirSync(builtinFolder(root))
    .filter((file) => file.endsWith(extension))
    .map((file) => file.slice(0, -extension.length))
    .sort(compareText)
}

export function listProfiles(root: string): readonly ProfileSummary[] {
  return builtinNames(root).map((name) => {
    const file = readShipped(builtinPath(root, name))
    const patch = file.kind === 'read' ? readSource(file.bytes, name).layer?.patch : undefined
    const parent = textAt(patch, ['extends'])
    return { name, summary: textAt(patch, ['summary']), extends: parent || undefined }
  })
}
