// Runs one command line and reports its failure.
import { escapeControls } from '../text/printable.ts'
import { screenOf } from '../present/screen.ts'
import { type Cli, loadCommand, loadConfig } from './config.ts'
import { exits } from './exit.ts'
import { failureOf } from './failure.ts'
import { failureJson, failureText } from './output-text.ts'
import { hasFlag, route } from './router.ts'
import { print } from './standard-output.ts'

/** Returns the exit code; never throws, never ends the process. */
export async function run(argv: readonly string[], cli: Cli): Promise<number> {
  try {
    return await dispatch(argv, cli)
  } catch (thrown) {
    return reportFailure(thrown, argv, cli)
  }
}

async function dispatch(argv: readonly string[], cli: Cli): Promise<number> {
  const asked = route(argv, Object.keys(cli.commands))
  const config = await loadConfig(cli)
  if (asked.kind === 'help') {
    const { WinnodeHelp } = await import('./help.ts')
    // Else oclif wraps at 80 columns in a file or a pipe, too.
    const width = process.stdout.isTTY ? {} : { maxWidth: Infinity }
    await new WinnodeHelp(config, width).showHelp(
      asked.subject === undefined ? [] : [asked.subject],
    )
    return exits.done.code
  }
  const Command = await loadCommand(cli, asked.id)
  return exits[await new Command([...asked.argv], config).execute()].code
}

function reportFailure(thrown: unknown, argv: readonly string[], cli: Cli): number {
  const failure = failureOf(thrown, cli.version)
  const colours = !hasFlag(argv, '--no-color')
  const { stderr } = process
  if (hasFlag(argv, '--json')) print(failureJson(failure))
  else stderr.write(failureText(failure, screenOf(stderr, { colours, verbose: false })))
  const wantsStack = Boolean(process.env['WINNODE_DEBUG'] ?? process.env['DEBUG'])
  if (wantsStack && thrown instanceof Error) stderr.write(`${escapeControls(thrown.stack ?? '')}\n`)
  return exits[failure.exit].code
}
