// Resolves a folder or a glob of a command line to files.
import { existsSync, statSync } from 'node:fs'
import { posix, resolve, sep } from 'node:path'
import { below } from './native-path.ts'

/** Paths as the user would type them; `undefined` if the name is neither a folder nor a glob. */
export async function filesNamed(
  name: string,
  cwd: string,
  extensions: string,
): Promise<readonly string[] | undefined> {
  const path = resolve(cwd, name)
  const isFolder = existsSync(path) && statSync(path).isDirectory()
  // tinyglobby reads four dots at the start as two parent folders, and fails.
  const isGlob = /[*?[{]/.test(name) && !posix.normalize(name).startsWith('....')
  if (!isFolder && (existsSync(path) || !isGlob)) return undefined
  const { globSync } = await import('tinyglobby')
  return isFolder
    ? globSync(`**/*.{${extensions}}`, { cwd: path }).map((file) => below(name, file))
    : globSync(name.replaceAll(sep, '/'), { cwd })
}
