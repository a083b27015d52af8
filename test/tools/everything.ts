// What only `npm run test:all` runs: test/golden/only-in-test-all.txt lists it.
import { t, type Test } from 'tap'

/** `npm run test:all` runs every case; all together take longer than `npm test` may. */
export const everything = process.argv.includes('--all')

export const leftOut = 'npm run test:all runs them'

/** Only `npm run test:all` runs it: a test of `npm test` shows most of it. */
export function testOfAll(
  name: string,
  options: { readonly skip: string | false },
  body: (t: Test) => unknown,
): void {
  t.test(name, { skip: everything ? options.skip : leftOut }, body)
}

/** The cases that `npm test` takes; `npm run test:all` takes each. */
export function sampleOf<T>(
  cases: readonly T[],
  isTaken: (one: T, at: number) => boolean,
): readonly T[] {
  return everything ? cases : cases.filter(isTaken)
}
