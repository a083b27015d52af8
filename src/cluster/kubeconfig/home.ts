// Home: the folder that client-go takes for a person's home.
//
// https://github.com/kubernetes/client-go/blob/master/util/homedir/homedir.go
import { join } from 'node:path'
import { readFile } from '../../io/profiles/read-file.ts'

type Env = Readonly<Record<string, string | undefined>>

/** On Windows, the first with a `.kube\config`; without one, the first that is there. */
export function homeOf(env: Env, windows = process.platform === 'win32'): string | undefined {
  const home = env['HOME']
  if (!windows) return home === '' ? undefined : home
  const drive = env['HOMEDRIVE'] && env['HOMEPATH'] && env['HOMEDRIVE'] + env['HOMEPATH']
  const profile = env['USERPROFILE']
  const holder = [home, drive, profile].find((folder) => folder && holds(folder))
  const there = [home, profile, drive].find((folder) => folder && isThere(folder))
  return [holder, there, home, profile, drive].find(Boolean)
}

function holds(folder: string): boolean {
  return readFile(join(folder, '.kube', 'config')).kind !== 'missing'
}

function isThere(folder: string): boolean {
  return readFile(folder).kind !== 'missing'
}
