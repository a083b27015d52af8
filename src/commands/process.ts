// Runs the command line in this process, and ends it on a signal.
import manifest from '#manifest'
import { plainScreen } from '../present/screen.ts'
import type { Cli } from './config.ts'
import { exits } from './exit.ts'
import { Failure } from './failure.ts'
import { commands } from './index.ts'
import { onSignal } from './signals.ts'
import { failureJson, failureText } from './output-text.ts'
import { print } from './standard-output.ts'

type ProgramInfo = Omit<Cli, 'commands' | 'manifest'>

export async function runProcess(argv: readonly string[], program: ProgramInfo): Promise<number> {
  onSignal((exit) => {
    const failure = new Failure(exit, 'interrupted: nothing was changed')
    if (argv.includes('--json')) print(failureJson(failure))
    // The terminal has echoed `^C` on the current line.
    else
      process.stderr.write((process.stderr.isTTY ? '\n' : '') + failureText(failure, plainScreen))
    process.exit(exits[exit].code)
  })
  // Loading oclif takes a while: the listeners come first.
  const { run } = await import('./run.ts')
  return run(argv, { ...program, commands, manifest })
}
