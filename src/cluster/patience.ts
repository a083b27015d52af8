// Patience: asks a busy server again after as long as it says, within a limit.
//
// https://github.com/kubernetes/client-go/blob/master/rest/with_retry.go
import { setTimeout } from 'node:timers/promises'
import type { Reply } from './transport.ts'

/** A server that says 0 would be asked for ever. */
const shortest = 100

/** One that does not say for how long to wait is not asked again. */
export async function patiently(
  ask: () => Promise<Reply>,
  patience: number,
  signal: AbortSignal,
): Promise<Reply> {
  let left = patience
  for (;;) {
    const reply = await ask()
    const wait = waitOf(reply)
    if (wait === undefined || wait > left) return reply
    left -= wait
    await setTimeout(wait, undefined, { signal })
  }
}

function waitOf({ status, retryAfter = '' }: Reply): number | undefined {
  const busy = status === 429 || status >= 500
  return busy && /^\d{1,4}$/.test(retryAfter)
    ? Math.max(Number(retryAfter) * 1000, shortest)
    : undefined
}
