// The run of this process: what it is made of, and how it ends where somebody ends it.
import manifest from '#manifest'
import { bare } from '../present/screen.ts'
import type { Cli } from './config.ts'
import { exits } from './exit.ts'
import { Failure } from './failure.ts'
import { commands } from './index.ts'
import { onInterruption } from './interruption.ts'
import { failureJson, failureText } from './report.ts'
import { print } from './standard-output.ts'

type Program = Omit<Cli, 'commands' | 'manifest'>

export async function runProcess(argv: readonly string[], program: Program): Promise<number> {
  onInterruption((ending) => {
    const failure = new Failure(ending, 'interrupted: nothing was changed')
    if (argv.includes('--json')) print(failureJson(failure))
    // The terminal has written `^C` where the cursor stands.
    else process.stderr.write((process.stderr.isTTY ? '\n' : '') + failureText(failure, bare))
    process.exit(exits[ending].code)
  })
  // Only now: the framework takes a while, in which somebody may end the run.
  const { run } = await import('./run.ts')
  return run(argv, { ...program, commands, manifest })
}
