// Makes test/golden/only-in-test-all.txt: what `npm test` leaves out, as the test files declare it.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../tools/run.ts'

/** A test by its name, in a loop with its variables; `plays` decides in such a loop. */
const declared = /\b(scenarioOfAll|testOfAll|walkOfAll|plays)\(\s*(?:'([^']*)'|`([^`]*)`)/g

export function onlyInTestAll(): string {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /^\w[\w-]*\/[\w.-]+\.ts$/.test(name))
    .sort()
  const rows = files.flatMap((name) => {
    const text = readFileSync(path.join(root, 'test', name), 'utf8')
    const tests = [...text.matchAll(declared)].map(
      ([, how, plain, loop]) => `  ${plain ?? loop}${how === 'plays' ? ' (of some)' : ''}`,
    )
    const some = /\b(?:everything|sampleOf)\b[^\n]*from '[^']*everything\.ts'/.test(text)
    if (some) tests.push('  more cases of its tests')
    return tests.length > 0 ? [`test/${name}`, ...tests] : []
  })
  return `${rows.join('\n')}\n`
}
