// Reads the Windows builds of an image from the output of `crane manifest` or `docker manifest inspect`.
import { isObject, parseObject, textAt } from '../model/json.ts'
import type { ImagePlatforms } from '../matrix/image-builds.ts'
import { itemsAt } from './manifest.ts'

/** Returns the reason as text if the output has no platforms. */
export function readPlatforms(text: string): ImagePlatforms | string {
  const index = parseObject(text)
  if (!index) return 'it is not a JSON object'
  if (isObject(index['config']))
    return 'it is the manifest of one platform, which does not name it; print the index of the tag'
  const platforms = itemsAt(index, ['manifests']).map(({ item }) => ({
    os: textAt(item, ['platform', 'os']),
    version: textAt(item, ['platform', 'os.version']),
  }))
  if (platforms.length === 0) return 'it has no manifests'
  // Attestations of BuildKit have the platform unknown/unknown.
  const known = platforms.filter(({ os }) => os !== '' && os !== 'unknown')
  if (known.length === 0) return 'its manifests name no platform'
  return {
    windows: known
      .filter(({ os }) => os === 'windows')
      .map(({ version }) => ({ build: buildOf(version) })),
    otherSystems: [...new Set(known.map(({ os }) => os).filter((os) => os !== 'windows'))],
  }
}

/** 20348 of 10.0.20348.2113 */
function buildOf(version: string): number | undefined {
  const [, build] = /^\d+\.\d+\.(\d+)/.exec(version) ?? []
  return build === undefined ? undefined : Number(build)
}
