// Failure: the end of a run that is not a bug, with its exit code and what to do about it.
import { shortened } from '../model/shortened.ts'
import type { Exit } from './exit.ts'

export class Failure extends Error {
  readonly exit: Exit
  /** What helps, each in one line; none where there is nothing to do. */
  readonly hints: readonly string[]

  constructor(exit: Exit, message: string, hints: readonly string[] = []) {
    // An argument may be of any length.
    super(shortened(message))
    this.name = 'Failure'
    this.exit = exit
    this.hints = hints.map((hint) => shortened(hint))
  }
}
