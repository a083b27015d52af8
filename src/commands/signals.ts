// SIGINT, SIGTERM and SIGHUP: ends the run at once, or after work that must not be cut off.
import { setImmediate } from 'node:timers/promises'
import type { Exit } from './exit.ts'

const exitBySignal = {
  SIGINT: 'interrupted',
  SIGTERM: 'terminated',
  SIGHUP: 'hung-up',
} as const satisfies Readonly<Partial<Record<NodeJS.Signals, Exit>>>

export type SignalExit = (typeof exitBySignal)[keyof typeof exitBySignal]

let received: SignalExit | undefined
let finishing = false
const aborter = new AbortController()

/** Calls `end`, which ends the process, at once; never once `deferSignals` has begun. */
export function onSignal(end: (exit: SignalExit) => void): void {
  for (const [signal, exit] of Object.entries(exitBySignal)) {
    const listener = () => {
      received ??= exit
      aborter.abort()
      if (!finishing) end(received)
    }
    listeners.set(signal, listener)
    process.on(signal, listener)
  }
}

const listeners = new Map<string, () => void>()

/**
 * Runs work that blocks the event loop, such as reading a pipe, without the listeners: they would not be called, and
 * the signal would not end the process.
 */
export function withDefaultSignals<T>(work: () => T): T {
  for (const [signal, listener] of listeners) process.off(signal, listener)
  try {
    return work()
  } finally {
    for (const [signal, listener] of listeners) process.on(signal, listener)
  }
}

/**
 * Runs work that must not be cut off; it stops where it can, once `signal` aborts. `asked` is the exit of the first signal
 * that came meanwhile. Signals stay deferred afterwards: the caller ends the run.
 */
export async function deferSignals<T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<{ readonly result: T; readonly asked: SignalExit | undefined }> {
  finishing = true
  const result = await work(aborter.signal)
  // Node calls signal listeners only between two turns of the event loop.
  await setImmediate()
  return { result, asked: received }
}

/** For work that blocks the event loop between two steps: a signal that came meanwhile is seen first. */
export async function shouldContinue(): Promise<boolean> {
  await setImmediate()
  return received === undefined
}
