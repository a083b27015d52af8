// Loads the program through Node's compile cache, in a folder that only this user can write to.
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * What `load` returns. Node caches a file as V8 compiled it while it was loaded: without `--no-lazy` almost no function is in
 * the cache, and each run compiles those that it calls. Validate and render take a quarter less time so, `--version` more.
 */
export function loadCached<T>(load: () => T): T {
  if (!enableCompileCache(process.env)) return load()
  setFlagsFromString('--no-lazy')
  try {
    return load()
  } finally {
    setFlagsFromString('--lazy')
  }
}

/** False on a Node without the cache, with NODE_DISABLE_COMPILE_CACHE set, or without a safe folder. */
function enableCompileCache(env: Variables): boolean {
  // Since Node 22.8: https://nodejs.org/docs/latest-v24.x/api/module.html#module-compile-cache
  const loader: typeof module & { enableCompileCache?: (folder: string) => void } = module
  if (loader.enableCompileCache === undefined || env['NODE_DISABLE_COMPILE_CACHE']) return false
  const folder = cacheFolder(env)
  if (folder === undefined) return false
  loader.enableCompileCache(folder)
  return true
}

/**
 * Code from the cache runs as this user, so no other user may write to it: Node's default folder is below the shared
 * temporary folder. `undefined` without a safe folder.
 */
export function cacheFolder(
  env: Variables = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  try {
    const home = homeOf(env, platform)
    return home === undefined ? undefined : makePrivate(path.join(home, 'winnode'), platform)
  } catch {
    return undefined
  }
}

function homeOf(env: Variables, platform: NodeJS.Platform): string | undefined {
  const named = env[platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME']
  if (named !== undefined && path.isAbsolute(named)) return named
  const home = homedir()
  return platform !== 'win32' && path.isAbsolute(home) ? path.join(home, '.cache') : undefined
}

function makePrivate(folder: string, platform: NodeJS.Platform): string | undefined {
  // On Windows the folder inherits the access list of LOCALAPPDATA.
  if (platform !== 'win32' && !isProtected(realpathSync(nearestExisting(folder)))) return undefined
  // With `recursive`, mkdirSync never returns below /proc.
  for (const one of [path.dirname(folder), folder]) {
    if (!existsSync(one)) mkdirSync(one, { mode: 0o700 })
  }
  if (platform === 'win32') return folder
  const real = realpathSync(folder)
  const { uid, mode } = statSync(real)
  return uid === process.geteuid?.() && (mode & 0o077) === 0 && isProtected(real) ? real : undefined
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(path.dirname(folder))
}

/**
 * Whether no other user can replace a folder on the path. With sudo, HOME may be another user's: a cache there would
 * let them run code as root.
 */
function isProtected(folder: string): boolean {
  const { uid, mode } = statSync(folder)
  const sticky = (mode & 0o1000) !== 0
  if (uid !== 0 && uid !== process.geteuid?.()) return false
  if ((mode & 0o022) !== 0 && !sticky) return false
  return path.dirname(folder) === folder || isProtected(path.dirname(folder))
}
