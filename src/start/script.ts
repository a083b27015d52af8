// Runs a script with what V8 compiled of it in earlier runs of the same command, and keeps that for later ones.
import path from 'node:path'
import { Script } from 'node:vm'
import { cacheFolder } from './cache-folder.ts'
import { type Compiled, readCompiled, writeCompiled } from './compiled.ts'
import { readerOf } from './one-memory.ts'

interface Keep {
  readonly file: string
  /** Runs of one kind call about the same functions. */
  readonly kind: string
}

/** What the script gives; `digest` is that of its text, of one byte a character. */
export function runScript(filename: string, digest: string, argv: readonly string[]): unknown {
  const keep = keepFor(argv)
  const read = readerOf(filename, ...(keep ? [keep.file] : []))
  const source = read(filename).toString('latin1')
  const kept = keep ? readCompiled(keep.file, digest, read) : { kinds: [] }
  // V8 refuses what another V8 has made, or under other options, and compiles the text.
  const script = new Script(source, { filename, cachedData: kept.data })
  const taken = script.cachedDataRejected === true ? { kinds: [] } : kept
  if (keep && !taken.kinds.includes(keep.kind)) {
    process.once('exit', (code) => {
      // One that ended early has called few of its functions, and would stand in the place of all.
      if (code === 0) keepCompiled(script, keep, digest, taken)
    })
  }
  return script.runInThisContext()
}

/** A file of each command and Node; the kind of a run is told by its flags. */
function keepFor(argv: readonly string[]): Keep | undefined {
  const folder = cacheFolder()
  if (folder === undefined) return undefined
  const command = argv.find((word) => /^[a-z]+$/.test(word)) ?? 'winnode'
  const flags = argv.flatMap((word) => /^--?[a-z-]+/.exec(word) ?? [])
  return {
    file: path.join(folder, `${process.version}-${process.arch}-${command}`),
    kind: [...new Set(flags)].sort().join(' '),
  }
}

/** A function is compiled when it is first called: at its end, all that a run called are. */
function keepCompiled(
  script: Script,
  { file, kind }: Keep,
  digest: string,
  { kinds, data }: Compiled,
) {
  const fresh = script.createCachedData()
  // V8 drops what a long run called long ago.
  const most = data && data.length > fresh.length ? data : fresh
  writeCompiled(file, digest, { kinds: [...kinds, kind], data: most })
}
