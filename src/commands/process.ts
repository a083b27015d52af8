// The run of this process: what it is made of, and how it ends where somebody ends it.
import manifest from '#manifest'
import { bare } from '../present/screen.ts'
import type { Cli } from './cli.ts'
import { exits } from './exit.ts'
import { Failure } from './failure.ts'
import { commands } from './index.ts'
import { onInterruption } from './interruption.ts'
import { openOutputs } from './outputs.ts'
import { failureJson, failureText } from './report.ts'

type Program = Omit<Cli, 'commands' | 'manifest' | 'outputs'>

export async function runProcess(argv: readonly string[], program: Program): Promise<number> {
  const outputs = openOutputs()
  const { stdout, stderr } = outputs
  onInterruption((ending) => {
    const failure = new Failure(ending, 'interrupted: nothing was changed')
    if (argv.includes('--json')) stdout.write(failureJson(failure))
    // The terminal has written `^C` where the cursor stands.
    else stderr.write((stderr.terminal ? '\n' : '') + failureText(failure, bare))
    process.exit(exits[ending].code)
  })
  // Only now: the framework takes a while, in which somebody may end the run.
  const { run } = await import('./run.ts')
  return run(argv, { ...program, commands, manifest, outputs })
}
