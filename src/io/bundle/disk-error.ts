// Disk-error: what the system says about a failed write, in words.

const words: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  EROFS: 'the disk is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EBUSY: 'it is in use: a program has it open, or a disk is mounted there',
  EXDEV: 'it lies on another disk than the folder around it',
  ENOTDIR: 'a part of the path is not a folder',
  EEXIST: 'a part of the path is in the way',
  ENAMETOOLONG: 'the name is too long',
}

/** Tells of `file` where the work fails for the disk's sake, and keeps the code of the system. */
export function withDiskWords<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) throw error
    const { code, syscall } = error
    const message = `cannot write ${file}: ${words[String(code)] ?? error.message}`
    throw Object.assign(new Error(message, { cause: error }), { code, syscall })
  }
}
