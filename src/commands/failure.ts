// An error with an exit code and hints, as the user reads it.
import { codeOf } from '../io/disk.ts'
import { truncateMiddle } from '../text/shortened.ts'
import type { Exit } from './exit.ts'

export class Failure extends Error {
  readonly exit: Exit
  /** Remedies of one line each. */
  readonly hints: readonly string[]

  constructor(exit: Exit, message: string, hints: readonly string[] = []) {
    // It may quote an argument, which can have any length.
    super(truncateMiddle(message))
    this.name = 'Failure'
    this.exit = exit
    this.hints = hints.map((hint) => truncateMiddle(hint))
  }
}

/** Thrown by inquirer on Ctrl-C, and by the plain prompts at the end of standard input. */
const inputEndedErrors = ['ExitPromptError', 'InputEnded']

/** The failure to report for anything that was thrown; an unknown error is reported as a bug. */
export function failureOf(thrown: unknown, version: string): Failure {
  if (thrown instanceof Failure) return thrown
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  // Nothing is written before the last question is answered.
  if (inputEndedErrors.includes(error.name))
    return new Failure('interrupted', 'interrupted: nothing was changed')
  if ('syscall' in error && error.syscall === 'uv_cwd')
    return new Failure('failure', 'the current folder was deleted', [
      'change to an existing folder',
    ])
  // A full disk or a missing permission is not a bug.
  if ('syscall' in error)
    return new Failure(
      'failure',
      error.message,
      codeOf(error) === 'ENAMETOOLONG' ? ['name a shorter path'] : [],
    )
  return new Failure('failure', `${error.name}: ${error.message}`, [
    `this is a bug in winnode ${version}; please report it with the command line and the profile`,
    'WINNODE_DEBUG=1 shows where it happened',
  ])
}
