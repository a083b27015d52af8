// The image of Fluent Bit for a Windows build.
import { fluentBitImages } from '../model/fluent-bit.ts'
import { pickBuild } from './image-isolation.ts'

/** Of the newest build that this one can run. */
export function fluentBitImageFor(build: number): string | undefined {
  const images = new Map(fluentBitImages)
  const picked = pickBuild(build, [...images.keys()])
  return picked === undefined ? undefined : images.get(picked)
}
