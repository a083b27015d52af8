// One run: finds what the command line asks for, does it, and tells what went wrong.
import { printable } from '../model/printable.ts'
import type { Cli } from './cli.ts'
import { loadCommand, loadConfig } from './config.ts'
import { exits } from './exit.ts'
import { explain } from './explain.ts'
import { hasFlag, locate } from './locate.ts'
import { failureJson, failureText } from './report.ts'

/** Gives the exit code; never throws, never ends the process. */
export async function run(argv: readonly string[], cli: Cli): Promise<number> {
  try {
    return await perform(argv, cli)
  } catch (thrown) {
    return tell(thrown, argv, cli)
  }
}

async function perform(argv: readonly string[], cli: Cli): Promise<number> {
  const request = locate(argv, Object.keys(cli.commands))
  const config = await loadConfig(cli)
  if (request.kind === 'help') {
    const { TeachingHelp } = await import('./help.ts')
    await new TeachingHelp(config, cli.outputs.stdout).show(request.subject)
    return exits.done.code
  }
  const Command = await loadCommand(cli, request.id)
  return new Command([...request.argv], config, cli.outputs).execute()
}

function tell(thrown: unknown, argv: readonly string[], cli: Cli): number {
  const failure = explain(thrown, cli.version)
  const colours = !hasFlag(argv, '--no-color')
  const { stdout, stderr } = cli.outputs
  if (hasFlag(argv, '--json')) stdout.write(failureJson(failure))
  else stderr.write(failureText(failure, stderr.screen({ colours, verbose: false })))
  const wantsStack = Boolean(process.env['WINNODE_DEBUG'] ?? process.env['DEBUG'])
  if (wantsStack && thrown instanceof Error) stderr.write(`${printable(thrown.stack ?? '')}\n`)
  return exits[failure.exit].code
}
