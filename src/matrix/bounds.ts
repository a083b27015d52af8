// What semver reads of a range: alternatives, each a list of bounds that must all hold.
import type { Bounds } from '#ranges'
import Range from 'semver/classes/range.js'

/** A release candidate counts as the minor it leads to; see version.ts. */
export const options = { includePrerelease: true, loose: false } as const

/** `undefined` where the text is no range: nothing is in it. */
export function readBounds(text: string): Bounds | undefined {
  try {
    return new Range(text, options).set.map((all) =>
      // `*` asks for nothing.
      all.flatMap(({ operator, semver, value }) =>
        value === '' ? [] : [[operator, semver.version] as const],
      ),
    )
  } catch {
    return undefined
  }
}
