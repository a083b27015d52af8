// Memory-disk: a disk that a test can fill, copy and look at thousands of times a second.
import { dirname } from 'node:path'
import type { Disk } from '../../src/io/bundle/disk.ts'
import { systemError } from './disks.ts'

/** By absolute path; `undefined` for a folder. */
export type Memory = Map<string, Uint8Array | undefined>

/** All of it belongs to root, and nobody else may change it. */
const rights = { device: 1, changed: 0, owner: 0, group: 0, mode: 0o755, id: 0 }

export function memoryDisk(memory: Memory): Disk {
  const below = (folder: string) => `${folder === '/' ? '' : folder}/`
  const inside = (folder: string) =>
    [...memory.keys()].filter((path) => path.startsWith(below(folder)) && path !== folder)
  const fail = (code: string) => {
    throw systemError(code, 'memory')
  }
  const put = (path: string, content: Uint8Array | undefined) => {
    if (memory.has(path)) fail('EEXIST')
    if (memory.get(dirname(path)) !== undefined || !memory.has(dirname(path))) fail('ENOENT')
    memory.set(path, content)
  }
  const read = (file: string) => memory.get(file) ?? fail('ENOENT')
  return {
    look: (path) => {
      if (path.endsWith('/.')) return { kind: 'folder', size: 0, ...rights }
      if (!memory.has(path)) return undefined
      const content = memory.get(path)
      return { kind: content ? 'file' : 'folder', size: content?.length ?? 0, ...rights }
    },
    list: (folder) =>
      inside(folder)
        .map((path) => path.slice(below(folder).length))
        .filter((name) => !name.includes('/')),
    read,
    mayChange: () => true,
    makeFolder: (path) => put(path, undefined),
    write: put,
    carry: (from, to) => put(to, read(from)),
    rename: (from, to) => {
      if (!memory.has(from)) fail('ENOENT')
      const files = memory.get(from) !== undefined && memory.get(to) !== undefined
      if (memory.has(to) && !files) fail('ENOTEMPTY')
      for (const path of [from, ...inside(from)]) {
        memory.set(to + path.slice(from.length), memory.get(path))
        memory.delete(path)
      }
    },
    removeFile: (path) => {
      read(path)
      memory.delete(path)
    },
    removeFolder: (path) => {
      if (inside(path).length > 0) fail('ENOTEMPTY')
      memory.delete(path)
    },
    sync: () => undefined,
    hold: (path) => ({ path, release: () => undefined }),
    mounts: () => [],
    isLayered: () => false,
  }
}

/** Paths below a folder and texts, in order; `undefined` where there is nothing. */
export function rememberedIn(memory: Memory, folder: string): string | undefined {
  if (!memory.has(folder)) return undefined
  const decoder = new TextDecoder()
  return [...memory]
    .filter(([path]) => path.startsWith(folder))
    .map(([path, text]) => `${path} ${text ? decoder.decode(text) : '/'}`)
    .sort()
    .join('\n')
}
