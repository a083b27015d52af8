// Measures how long `winnode init` takes to show its first question, and the next one after each answer.
import os from 'node:os'
import { clearTimeout, setTimeout } from 'node:timers'
import { stripVTControlCharacters } from 'node:util'

const rounds = 10

/** A session whose questions have changed ends with an error. */
const longest = 30_000

/** Milliseconds, from 10 sessions; undefined if no pseudo-terminal can be loaded. */
export async function initTimes(argv, env) {
  const pty = await import('@lydell/node-pty').catch(() => undefined)
  if (!pty) return undefined
  const first = []
  const next = []
  await finished(open(pty, argv, env))
  for (let round = 0; round < rounds; round += 1) {
    const session = open(pty, argv, env)
    first.push(await session.until(/ctrl-c quit/))
    do next.push(await session.until(answered, '\r'))
    while (!session.written().includes('Write the profile?'))
    await session.close('\u0003')
  }
  return { first, next }
}

/** The summary line of an answered question, and the next question. */
const answered = /(?:\u2714| extends )[^]*\?[^]*ctrl-c quit/

/** A whole session, after which the compile cache is warm: Node.js writes it at a regular exit. */
async function finished(session) {
  await session.until(/ctrl-c quit/)
  do await session.until(answered, '\r')
  while (!session.written().includes('Write the profile?'))
  await session.close('\r')
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
    /** Types a key and returns the milliseconds until the pattern shows. */
    until: async (shows, typed) => {
      if (typed !== undefined) {
        began = performance.now()
        written = ''
        child.write(typed)
      }
      while (!shows.test(stripVTControlCharacters(written)))
        await new Promise((resolve, reject) => {
          const timer = setTimeout(() => reject(new Error(`init shows no ${shows}`)), longest)
          wake = () => resolve(clearTimeout(timer))
        })
      return performance.now() - began
    },
    written: () => written,
    /** Types a key that ends the program, and waits for the end. */
    close: (typed) => {
      child.write(typed)
      return ended
    },
  }
}
