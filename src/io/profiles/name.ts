// The name of a profile, which its bundle gets.
import { basename } from 'node:path'
import type { Layer } from '../../model/layer.ts'
import { isPath } from './profile-file.ts'

/** The `name` that the profile or a stronger layer sets, or the name of its file. */
export function nameOf(reference: string, layers: readonly Layer[]): string {
  const set = layers
    .map((layer) => layer.patch['name'])
    .findLast((name) => typeof name === 'string')
  return typeof set === 'string' ? set : fileName(reference)
}

/** Lower-case words joined by dashes, as the field requires. */
function fileName(reference: string): string {
  const file = isPath(reference) ? basename(reference).replace(/\.ya?ml$/i, '') : reference
  const words = file.toLowerCase().match(/[a-z0-9]+/g) ?? ['profile']
  return words.join('-').slice(0, 63).replace(/-$/, '')
}
