// Sessions of `winnode init` on a pseudo-terminal.
import path from 'node:path'
import { type Test } from 'tap'
import { program } from './run.ts'
import { terminals, type Spawning, type Terminal } from './terminal.ts'

const spawn = await terminals()

/** The reason to skip such tests; false if a pseudo-terminal can be loaded. */
export const noSessions = !spawn && 'no pseudo-terminal: sessions of init not tested'

export const keys = {
  enter: '\r',
  tab: '\t',
  up: '\u001b[A',
  down: '\u001b[B',
  escape: '\u001b',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
}

export interface Session extends Terminal {
  readonly cwd: string
}

/** Starts `winnode init`, by default in an empty folder. */
export function sessionOf(t: Test, args: readonly string[] = [], spawning: Spawning = {}): Session {
  if (!spawn) throw new Error('skipped')
  const cwd = spawning.cwd ?? t.testdir()
  // Without the kubeconfig of the person who runs the tests.
  const env = { KUBECONFIG: path.join(cwd, 'none'), ...spawning.env }
  const terminal = spawn([...program, 'init', ...args], { ...spawning, cwd, env })
  t.teardown(async () => {
    terminal.kill('SIGKILL')
    await terminal.ended
  })
  return { ...terminal, cwd }
}

/** Accepts the default of a question, and waits for the next one. */
export async function useDefault({ type, until }: Session): Promise<string> {
  type(keys.enter)
  return until(/(?:✔| extends |changes of )[^]*\?[^]*ctrl-c quit/)
}

/** Keeps the defaults of all remaining questions; returns their number. */
export async function useAllDefaults(session: Session): Promise<number> {
  for (let questions = 1; questions < 300; questions += 1)
    if ((await useDefault(session)).includes('Write the profile?')) return questions
  throw new Error('it does not end')
}
