// Load: finds the kubeconfig files of a person, and merges them as client-go does.
//
// https://github.com/kubernetes/client-go/blob/master/tools/clientcmd/loader.go
import { resolve } from 'node:path'
import { readFile } from '../../io/profiles/read-file.ts'
import { ClusterProblem } from '../problem.ts'
import type { Entry, Kubeconfig } from './entries.ts'
import { homeOf } from './home.ts'
import { readKubeconfig } from './read.ts'

export interface Loading {
  /** `--kubeconfig`: this file alone, and it must be there. */
  readonly file: string | undefined
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** The first file that has a name wins, whole; files that are not there are passed over. */
export function loadKubeconfig({ file, cwd, env }: Loading): Kubeconfig {
  const files = file === undefined ? filesOf(env) : [file]
  const read = files.flatMap((name) => {
    const path = resolve(cwd, name)
    const answer = readFile(path)
    if (answer.kind === 'read') return [readKubeconfig(answer.bytes, path, name)]
    if (answer.kind === 'missing' && file === undefined) return []
    throw new ClusterProblem('kubeconfig', `${name} ${unread(answer)}`)
  })
  if (read.length === 0) throw none(files, env)
  return {
    clusters: merged(read.map(({ clusters }) => clusters)),
    users: merged(read.map(({ users }) => users)),
    contexts: merged(read.map(({ contexts }) => contexts)),
    currentContext: read.map(({ currentContext }) => currentContext).find(Boolean) ?? '',
  }
}

function filesOf(env: Loading['env']): readonly string[] {
  const listed = env['KUBECONFIG'] ?? ''
  if (listed !== '') return listedIn(listed).filter((name) => name !== '')
  const home = homeOf(env)
  return home === undefined ? [] : [resolve(home, '.kube', 'config')]
}

/**
 * On Windows parts of a name may have quotes, within which a semicolon parts nothing
 * (https://github.com/golang/go/blob/master/src/path/filepath/path_windows.go).
 */
export function listedIn(text: string, windows = process.platform === 'win32'): readonly string[] {
  const names = windows
    ? text.split(/(?<=^[^"]*(?:"[^"]*"[^"]*)*);/).map((name) => name.replaceAll('"', ''))
    : text.split(':')
  return [...new Set(names)]
}

function merged<T>(maps: readonly ReadonlyMap<string, Entry<T>>[]): ReadonlyMap<string, Entry<T>> {
  return new Map(maps.toReversed().flatMap((map) => [...map]))
}

function unread(answer: Exclude<ReturnType<typeof readFile>, { kind: 'read' }>): string {
  if (answer.kind === 'unreadable') return `cannot be read: ${answer.reason}`
  return answer.kind === 'folder' ? 'is a folder, not a kubeconfig' : 'is not there'
}

function none(files: readonly string[], env: Loading['env']): ClusterProblem {
  if (files.length === 0)
    return new ClusterProblem(
      'kubeconfig',
      env['KUBECONFIG'] ? 'KUBECONFIG names no file' : 'no kubeconfig: there is no home folder',
      hints,
    )
  const why = env['KUBECONFIG'] ? 'of those in KUBECONFIG, none is there' : 'it is not there'
  return new ClusterProblem('kubeconfig', `no kubeconfig: ${files.join(', ')}: ${why}`, hints)
}

const hints = ['name one with --kubeconfig']
