// Formats paths for messages, with the separator of the system.
import nodePath from 'node:path'

export type System = Pick<typeof nodePath, 'sep'>

/** Joins `name`, which may have slashes, to a folder as the user typed it. */
export function below(folder: string, name: string, system: System = nodePath): string {
  return native(`${folder.replace(trailingSeparators(system), '')}${system.sep}${name}`, system)
}

/** Joins `name` to the folder of a file as the user typed it. */
export function beside(file: string, name: string, system: System = nodePath): string {
  const before = system.sep === '\\' ? /^.*[/\\]/s : /^.*\//s
  return native((before.exec(file)?.[0] ?? '') + name, system)
}

/** Windows has both separators; elsewhere a backslash is part of a name. */
function native(path: string, { sep }: System): string {
  return sep === '\\' ? path.replaceAll('/', sep) : path
}

function trailingSeparators({ sep }: System): RegExp {
  return sep === '\\' ? /[/\\]+$/ : /\/+$/
}
