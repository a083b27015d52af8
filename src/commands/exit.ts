// The exit codes; help and docs print this table.

export const exits = {
  done: { code: 0, means: 'done' },
  failure: { code: 1, means: 'internal error, or a disk or cluster error' },
  usage: { code: 2, means: 'invalid command line, or file not found' },
  rejected: { code: 3, means: 'profile or workload rejected' },
  drift: { code: 4, means: 'drift found' },
  conflict: { code: 5, means: 'refused to overwrite, or the folder is locked by another run' },
  incomplete: { code: 6, means: 'evidence missing or unreadable' },
  'not-working': { code: 7, means: 'a node does not work' },
  interrupted: { code: 130, means: 'interrupted (SIGINT)' },
  terminated: { code: 143, means: 'terminated (SIGTERM)' },
  'hung-up': { code: 129, means: 'hung up (SIGHUP)' },
} as const

export type Exit = keyof typeof exits

/** For the help of a command. */
export function exitCodesText(names: readonly Exit[]): string {
  return names.map((name) => `${exits[name].code} ${exits[name].means}`).join('; ')
}

/** Of several profiles the first of these that occurs is the exit code. */
const worstFirst = [
  'interrupted',
  'terminated',
  'hung-up',
  'failure',
  'usage',
  'conflict',
  'rejected',
  'drift',
  'incomplete',
  'not-working',
  'done',
] as const satisfies readonly Exit[]

export function worstOf(some: readonly Exit[]): Exit {
  return worstFirst.find((exit) => some.includes(exit)) ?? 'done'
}
