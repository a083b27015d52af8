// Resolves a folder or a glob of a command line to files.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { posix, relative, resolve, sep } from 'node:path'
import { codeOf } from './disk.ts'
import { causeOf } from './disk-error.ts'
import { below } from './native-path.ts'

/** What is read of a folder that the user did not name: its own files, or also those below. Unreadable folders are skipped. */
export type Unnamed = 'files' | 'below'

/**
 * Paths as the user would type them; `undefined` if the name is neither a folder nor a glob. Throws if a folder cannot be
 * read, unless it is `unnamed`.
 */
export async function filesNamed(
  name: string,
  cwd: string,
  extensions: string,
  unnamed?: Unnamed,
): Promise<readonly string[] | undefined> {
  const path = resolve(cwd, name)
  const isFolder = existsSync(path) && statSync(path).isDirectory()
  // tinyglobby reads four dots at the start as two parent folders, and fails.
  const isGlob = /[*?[{]/.test(name) && !posix.normalize(name).startsWith('....')
  if (!isFolder && (existsSync(path) || !isGlob)) return undefined
  const { globSync } = await import('tinyglobby')
  const failed: Error[] = []
  const fs = { readdirSync: listing(cwd, failed) }
  const pattern = `${unnamed === 'files' ? '' : '**/'}*.{${extensions}}`
  const files = isFolder
    ? globSync(pattern, { cwd: path, fs }).map((file) => below(name, file))
    : globSync(name.replaceAll(sep, '/'), { cwd, fs })
  const [failure] = failed
  if (failure && !unnamed) throw failure
  return files
}

/** tinyglobby skips a folder that it cannot read, whose files would count as checked. */
function listing(cwd: string, failed: Error[]): typeof readdirSync {
  return new Proxy(readdirSync, {
    apply: (list, self, input: Parameters<typeof readdirSync>) => {
      try {
        return Reflect.apply(list, self, input)
      } catch (error) {
        const folder = relative(cwd, String(input[0])) || '.'
        const message = `cannot read ${folder}: ${causeOf(error)}`
        if (codeOf(error) !== 'ENOENT')
          failed.push(Object.assign(new Error(message, { cause: error }), { syscall: 'scandir' }))
        throw error
      }
    },
  })
}
