// Interruption: how a run ends that a person or the system asks to end.
import type { Exit } from './exit.ts'

const ends = {
  SIGINT: 'interrupted',
  SIGTERM: 'terminated',
  SIGHUP: 'hung-up',
} as const satisfies Readonly<Partial<Record<NodeJS.Signals, Exit>>>

export type Ending = (typeof ends)[keyof typeof ends]

const state: { asked: Ending | undefined; finishing: boolean } = {
  asked: undefined,
  finishing: false,
}

/** `end` ends the process; it is called at once, but not while `finish` works. */
export function onInterruption(end: (ending: Ending) => void): void {
  for (const [signal, ending] of Object.entries(ends)) {
    const listener = () => {
      state.asked ??= ending
      if (!state.finishing) end(state.asked)
    }
    listeners.set(signal, listener)
    process.on(signal, listener)
  }
}

/** By signal. */
const listeners = new Map<string, () => void>()

/** Work in which Node hears of nothing, such as reading a pipe: a signal ends the process as ever. */
export function deaf<T>(work: () => T): T {
  for (const [signal, listener] of listeners) process.off(signal, listener)
  try {
    return work()
  } finally {
    for (const [signal, listener] of listeners) process.on(signal, listener)
  }
}

/**
 * Work that must not be cut off anywhere: it asks `goOn` where it can end. Gives, with its result, how
 * the run was asked to end meanwhile. After it nothing is left to cut off.
 */
export async function finish<T>(
  work: (goOn: () => Promise<boolean>) => Promise<T>,
): Promise<{ readonly result: T; readonly asked: Ending | undefined }> {
  state.finishing = true
  const result = await work(goOn)
  await turn()
  return { result, asked: state.asked }
}

async function goOn(): Promise<boolean> {
  await turn()
  return state.asked === undefined
}

/** Node hears of a signal only between two turns of its loop. */
export function turn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}
