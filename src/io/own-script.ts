// Reads a script or a table that a field of a profile names, relative to the file that sets the field.
import type { Layer } from '../model/layer.ts'
import { ownFile } from './profiles/profile-file.ts'
import { readRegularFile } from './profiles/read-file.ts'
import { withinRoot } from './profiles/within-root.ts'

/** Returns the reason if it cannot be read. For `--set`, and for a profile on standard input, the path is relative to `cwd`. */
export function readOwnScript(
  name: string,
  layer: Layer | undefined,
  cwd: string,
): Uint8Array | string {
  const found = withinRoot(name, layer?.file ?? ownFile(cwd, '-'))
  if (found.kind === 'missing') return 'no such file'
  if (found.kind === 'leaves-folder') return 'it is outside of the root folder'
  const read = readRegularFile(found.path)
  return read.kind === 'read' ? read.bytes : read.reason
}
