// Reads the tables once for all runs: modules of nothing but data, and the ranges that semver has to read.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { bundleSource } from './bundle.mjs'

/** `ranges` by their text, and the exports of each module of `data` by its path below `root`. */
export async function readTables(root, folder) {
  const files = await sources(root, 'src/matrix')
  const entries = Object.fromEntries(files.map((file) => [file.replace(/\.ts$/, ''), file]))
  const ranges = path.join(root, 'build/no-ranges.mjs')
  const modules = await bundleSource(root, folder, entries, { ranges })
  return {
    ranges: await readRanges(root, modules['src/matrix/bounds'].readBounds),
    data: Object.fromEntries(
      Object.entries(modules).flatMap(([name, { ...exports }]) =>
        isData(exports) ? [[`${name}.ts`, exports]] : [],
      ),
    ),
  }
}

/** Every text of the source that is `*` or begins with a bound; one that is put together is read by the run. */
async function readRanges(root, readBounds) {
  const files = await sources(root, 'src')
  const texts = await Promise.all(files.map((file) => readFile(path.join(root, file), 'utf8')))
  const found = texts.flatMap((text) => [...text.matchAll(/'(\*|[<>]=?\d[^']*)'/g)])
  const unique = [...new Set(found.map(([, range]) => range))].sort()
  return Object.fromEntries(unique.map((range) => [range, readBounds(range)]))
}

/** Paths below `root`, with forward slashes. */
async function sources(root, room) {
  const names = await readdir(path.join(root, room), { recursive: true })
  return names
    .filter((name) => /(?<!\.d)\.ts$/.test(name))
    .map((name) => `${room}/${name.replaceAll(path.sep, '/')}`)
}

/** What JSON gives back as it was: no function, no `undefined`, no regular expression. */
function isData(exports) {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(exports)), exports)
}
