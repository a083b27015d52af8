// Shown-path: paths as a person of this system writes them, with one kind of separator.
import nodePath from 'node:path'

export type System = Pick<typeof nodePath, 'sep'>

/** `name`, which may have slashes, in a folder that a person typed. */
export function below(folder: string, name: string, system: System = nodePath): string {
  return native(`${folder.replace(ends(system), '')}${system.sep}${name}`, system)
}

/** `name` in the folder of a file that a person typed. */
export function beside(file: string, name: string, system: System = nodePath): string {
  const before = system.sep === '\\' ? /^.*[/\\]/s : /^.*\//s
  return native((before.exec(file)?.[0] ?? '') + name, system)
}

/** Windows takes both kinds; a backslash is a letter elsewhere. */
function native(path: string, { sep }: System): string {
  return sep === '\\' ? path.replaceAll('/', sep) : path
}

function ends({ sep }: System): RegExp {
  return sep === '\\' ? /[/\\]+$/ : /\/+$/
}
