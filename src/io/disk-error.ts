// The error for a failed write, with the state of the disk after it.
import { codeOf } from './disk.ts'

const messages: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EFBIG: 'a file would be larger than this system allows',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'it is in use: a program has it open, or a disk is mounted there',
  EXDEV: 'it is on another disk than its parent folder',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is in the way',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'a folder on the way is missing, and cannot be created',
  ENOTEMPTY: 'another program created a file in it meanwhile',
  EISDIR: 'it is a folder',
  EBADF: 'it is not open for that',
  EIO: 'the disk has a fault',
  EMLINK: 'the folder around it can hold no more',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
}

/** The state of a folder after a run that ended early. */
export type FolderState = 'nothing' | 'old' | 'new' | 'part'

const states: Readonly<Record<FolderState, (out: string) => string>> = {
  nothing: () => 'nothing was written',
  old: (out) => `${out} is as it was`,
  new: (out) => `${out} contains the complete new bundle`,
  part: (out) => `${out} holds a part of the new bundle, and the next run completes it`,
}

export function folderState(out: string, now: FolderState): string {
  return states[now](out)
}

/** `undefined` for errors that the disk did not cause. Keeps the system's error code. */
export function writeError(error: unknown, out: string, now: FolderState): Error | undefined {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return undefined
  const { code, syscall } = error
  const hasPath = 'path' in error && codesWithPath.has(String(code))
  const file = hasPath ? ` (${String(error.path)})` : ''
  const message = `cannot write ${out}: ${causeOf(error)}${file}; ${folderState(out, now)}`
  return Object.assign(new Error(message, { cause: error }), { code, syscall })
}

/** Several files are possible, so the message names the one. */
const codesWithPath = new Set(['EACCES', 'EPERM', 'EBUSY', 'EXDEV', 'EEXIST', 'ENOENT', 'ENOTDIR'])

/** The message of a thrown value. */
export function causeOf(error: unknown): string {
  return messages[codeOf(error) ?? ''] ?? (error instanceof Error ? error.message : String(error))
}
