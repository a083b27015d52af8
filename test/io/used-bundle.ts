// A bundle in use: two states of it, and what was added to its files by hand.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeBundle } from '../../src/io/bundle.ts'
import { bundleOf, textsOf } from './bundles.ts'

export const first = bundleOf({
  'README.md': 'one',
  'files/a.txt': 'a1',
  'files/gone.txt': 'g',
  'old/x.txt': 'x',
})

export const second = bundleOf({ 'README.md': 'two', 'files/a.txt': 'a1', 'files/new/b.txt': 'b' })

/** A bundle in its own folder. */
export async function plainBundle(folder: string): Promise<string> {
  const out = join(folder, 'out')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await writeBundle(first, { out, cwd: '/' })
  return out
}

/** A bundle with other files in its folder. */
export async function usedBundle(folder: string): Promise<string> {
  const out = await plainBundle(folder)
  mkdirSync(join(out, 'mine/empty'), { recursive: true })
  mkdirSync(join(out, 'files/new'))
  writeFileSync(join(out, 'mine/note.txt'), 'note')
  writeFileSync(join(out, 'files/new/mine.txt'), 'mine')
  symlinkSync('note.txt', join(out, 'mine/link'))
  return out
}

const mine = {
  files: '/',
  'files/new': '/',
  'files/new/mine.txt': 'mine',
  mine: '/',
  'mine/empty': '/',
  'mine/link': '-> note.txt',
  'mine/note.txt': 'note',
}

export const plainFirst = { ...textsOf(first), files: '/', old: '/' }
export const plainSecond = { ...textsOf(second), files: '/', 'files/new': '/' }
export const usedFirst = { ...plainFirst, ...mine }
export const usedSecond = { ...textsOf(second), ...mine }
