// How long a person waits for `winnode init`: for its first question, and after each answer for the next.
import os from 'node:os'
import { stripVTControlCharacters } from 'node:util'

const rounds = 10

/** Milliseconds of each, of so many sessions; `undefined` without a pseudo-terminal. */
export async function initTimes(argv, env) {
  const pty = await import('@lydell/node-pty').catch(() => undefined)
  if (!pty) return undefined
  const first = []
  const next = []
  for (let round = 0; round <= rounds; round += 1) {
    const session = open(pty, argv, env)
    const shown = await session.until(/ctrl-c quit/)
    // The very first compiles anew.
    if (round > 0) first.push(shown)
    for (let question = 0; question < 10; question += 1)
      next.push(await session.until(/\u2714[^]*\?[^]*ctrl-c quit/, '\t'))
    await session.close()
  }
  return { first, next }
}

function open(pty, [program, ...argv], env) {
  let began = performance.now()
  const child = pty.spawn(program, argv, {
    cols: 80,
    rows: 24,
    name: 'xterm-256color',
    cwd: os.tmpdir(),
    env: { ...env, LANG: 'C.UTF-8' },
  })
  let written = ''
  let wake = () => undefined
  const ended = new Promise((resolve) => {
    child.onExit(resolve)
  })
  child.onData((data) => {
    written += data
    wake()
  })
  return {
    /** Types, and gives the time until that is shown. */
    until: async (shows, typed) => {
      if (typed !== undefined) {
        began = performance.now()
        written = ''
        child.write(typed)
      }
      while (!shows.test(stripVTControlCharacters(written)))
        await new Promise((resolve) => {
          wake = resolve
        })
      return performance.now() - began
    },
    /** As a person does, so that what was compiled is kept for the next session. */
    close: () => {
      child.write('\u0003')
      return ended
    },
  }
}
