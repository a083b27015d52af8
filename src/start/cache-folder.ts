// Finds the folder in which winnode may keep what V8 compiled: one that nobody else can write to.
import { existsSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'

type Variables = Readonly<Record<string, string | undefined>>

/**
 * Code that lies there runs as this user. Node's own choice is a folder that all users share
 * (https://nodejs.org/docs/latest-v24.x/api/module.html#moduleenablecompilecachecachedir).
 * `undefined` where there is no safe one: then the program is compiled each time.
 */
export function cacheFolder(
  env: Variables = process.env,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  try {
    const home = homeOf(env, platform)
    return home === undefined ? undefined : makeOwn(path.join(home, 'winnode'), platform)
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

function makeOwn(folder: string, platform: NodeJS.Platform): string | undefined {
  // The access lists of Windows come from the user's own folder.
  if (platform !== 'win32' && !isSafe(realpathSync(nearest(folder)))) return undefined
  // One after the other: asked for both at once, Node never ends where the system has no such folder.
  for (const one of [path.dirname(folder), folder]) {
    if (!existsSync(one)) mkdirSync(one, { mode: 0o700 })
  }
  if (platform === 'win32') return folder
  const real = realpathSync(folder)
  const { uid, mode } = statSync(real)
  return uid === process.geteuid?.() && (mode & 0o077) === 0 && isSafe(real) ? real : undefined
}

function nearest(folder: string): string {
  return existsSync(folder) ? folder : nearest(path.dirname(folder))
}

/**
 * Nobody else can put another folder in the place of one that leads there. Not so with sudo where HOME
 * stays that of another user, who would also find folders of root's in it.
 */
function isSafe(folder: string): boolean {
  const { uid, mode } = statSync(folder)
  const sticky = (mode & 0o1000) !== 0
  if (uid !== 0 && uid !== process.geteuid?.()) return false
  if ((mode & 0o022) !== 0 && !sticky) return false
  return path.dirname(folder) === folder || isSafe(path.dirname(folder))
}
