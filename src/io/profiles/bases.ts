// The built-in profiles as layers below a profile that extends one of them.
import type { Layer } from '../../model/layer.ts'
import { builtinNames } from './builtins.ts'
import { readChain } from './chain.ts'
import { withoutHeader, withoutOwnKeys } from './header.ts'
import { builtinFile, readProfileFile } from './profile-file.ts'

/** The weakest first. */
export function layersBelow(name: string, root: string): readonly Layer[] {
  const file = builtinFile(root, name)
  const read = readProfileFile(file)
  if (read.kind !== 'read') return []
  return readChain(file, read.bytes, root).layers.map(withoutHeader).map(withoutOwnKeys)
}

export function builtinBases(
  root: string,
): readonly { readonly name: string; readonly layers: readonly Layer[] }[] {
  return builtinNames(root).map((name) => ({ name, layers: layersBelow(name, root) }))
}
