// Name: what the bundle of a profile is called.
import { basename } from 'node:path'
import type { Layer } from '../../model/layer.ts'
import { isPath } from './profile-file.ts'

/** The `name` that the profile or a stronger layer sets, else that of its file. */
export function nameOf(reference: string, layers: readonly Layer[]): string {
  const set = layers
    .map((layer) => layer.patch['name'])
    .findLast((name) => typeof name === 'string')
  return typeof set === 'string' ? set : fileName(reference)
}

/** Lower-case words joined by dashes, as the field demands. */
function fileName(reference: string): string {
  const file = isPath(reference) ? basename(reference).replace(/\.ya?ml$/i, '') : reference
  const words = file.toLowerCase().match(/[a-z0-9]+/g) ?? ['profile']
  return words.join('-').slice(0, 63).replace(/-$/, '')
}
