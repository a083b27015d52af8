// Writes two bundles to the same folder in turn until it is killed.
import { writeBundle } from '../../src/io/bundle.ts'
import { bundleOf } from './bundles.ts'

const out = process.argv[2] ?? ''
const odd = bundleOf({ 'a.txt': 'odd', 'files/b.txt': 'odd', 'files/odd.txt': 'x' })
const even = bundleOf({ 'a.txt': 'even', 'files/b.txt': 'even', 'files/deep/even.txt': 'x' })
for (let round = 0; ; round += 1) {
  await writeBundle(round % 2 === 0 ? even : odd, { out, cwd: '/' })
  if (round === 1) process.stdout.write('ready\n')
}
