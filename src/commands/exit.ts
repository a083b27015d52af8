// The exit codes; help and docs print this table.

export const exits = {
  done: { code: 0, means: 'done' },
  failure: { code: 1, means: 'a bug of winnode, or the disk or the cluster failed' },
  usage: { code: 2, means: 'the command line is wrong, or names a file that is not there' },
  rejected: { code: 3, means: 'the profile was rejected' },
  drift: { code: 4, means: 'what is there is not what the profile describes' },
  conflict: { code: 5, means: 'refused to overwrite, or another run holds the folder' },
  incomplete: { code: 6, means: 'something that was to be compared is missing, or unreadable' },
  interrupted: { code: 130, means: 'interrupted (SIGINT); what is there now was said' },
  terminated: { code: 143, means: 'the same, by SIGTERM' },
  'hung-up': { code: 129, means: 'the same, by SIGHUP' },
} as const

export type Exit = keyof typeof exits

/** The name of the exit code that another command ended with. */
export function exitOf(code: number): Exit {
  return (
    Object.keys(exits)
      .filter(isExit)
      .find((name) => exits[name].code === code) ?? 'failure'
  )
}

function isExit(name: string): name is Exit {
  return Object.hasOwn(exits, name)
}
