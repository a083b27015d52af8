// Smoke-images: the image of Kubernetes' own tests by minor, and the Windows builds of each tag.
import tables from '#tables'
import type { Ranged, Sourced } from '../model/tables.ts'
import { nearestRow } from './nearest.ts'
import { inRange } from './version.ts'

export const { repository: smokeRepository, images: smokeImages } = tables['smoke-images']

/** Of the minor, or the next newer tag that has the build; the image does not depend on the API server. */
export function smokeTagFor(minor: string, build: number): string | undefined {
  const { row } = nearestRow(smokeImages, ({ kubernetes }) => kubernetes, minor)
  return smokeImages.slice(smokeImages.indexOf(row)).find(({ builds }) => builds.includes(build))
    ?.tag
}

/** `undefined` for a tag without a row. */
export function buildsOfSmokeTag(tag: string): readonly number[] | undefined {
  return smokeImages.find((row) => row.tag === tag)?.builds
}

/** kubectl may be one minor older than the API server: that of the oldest minor in the tables. */
export const kubectlForSmoke: Ranged & Sourced = {
  range: '>=1.24',
  see: 'https://kubernetes.io/releases/version-skew-policy/#kubectl',
  checked: '2026-11-24',
}

/** `gitVersion` may have a suffix of its vendor, which is no release candidate. */
export function isKubectlForSmoke(gitVersion: string): boolean {
  const [, version = ''] = /^v(\d+\.\d+\.\d+)/.exec(gitVersion) ?? []
  return inRange(version, kubectlForSmoke.range)
}
