// From anything that was thrown to the failure that a person reads.
import { Failure } from './failure.ts'

/** What inquirer throws when a person presses Ctrl-C, and our own prompts at the end of the input. */
const noAnswer = ['ExitPromptError', 'InputEnded']

/** What helps with a disk, where its words do not say it. */
const hints: Readonly<Record<string, readonly string[]>> = {
  ENAMETOOLONG: ['name a shorter path'],
}

export function explain(thrown: unknown, version: string): Failure {
  if (thrown instanceof Failure) return thrown
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  // Nothing is written before the last question is answered.
  if (noAnswer.includes(error.name))
    return new Failure('interrupted', 'interrupted: nothing was changed')
  if ('syscall' in error && error.syscall === 'uv_cwd')
    return new Failure('failure', 'the current folder is gone', ['change to one that is there'])
  // A full disk or a missing permission is not a bug.
  if ('syscall' in error)
    return new Failure('failure', error.message, 'code' in error ? hints[String(error.code)] : [])
  return new Failure('failure', `${error.name}: ${error.message}`, [
    `this is a bug in winnode ${version}; please report it with the command line and the profile`,
    'WINNODE_DEBUG=1 shows where it happened',
  ])
}
