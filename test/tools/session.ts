// A session of `winnode init` on a pseudo-terminal, as a person holds it.
import { type Test } from 'tap'
import { program } from './run.ts'
import { terminals, type Spawning, type Terminal } from './terminal.ts'

const spawn = await terminals()

/** Why no session can be held here. */
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

/** In an empty folder, unless another one is named. */
export function sessionOf(t: Test, args: readonly string[] = [], spawning: Spawning = {}): Session {
  if (!spawn) throw new Error('skipped')
  const cwd = spawning.cwd ?? t.testdir()
  const terminal = spawn([...program, 'init', ...args], { ...spawning, cwd })
  t.teardown(async () => {
    terminal.kill('SIGKILL')
    await terminal.ended
  })
  return { ...terminal, cwd }
}

/** Skips a question, and waits for the next one. */
export async function skipOne({ type, until }: Session): Promise<string> {
  type(keys.tab)
  return until(/✔[^]*\?[^]*ctrl-c quit/)
}

/** Skips all that is left to ask; gives how many questions that were. */
export async function toTheEnd(session: Session): Promise<number> {
  for (let skipped = 1; skipped < 300; skipped += 1)
    if ((await skipOne(session)).includes('What now?')) return skipped
  throw new Error('it does not end')
}
