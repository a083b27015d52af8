// Deadline: work with a signal that comes after some time, or with another one.
//
// AbortSignal.any() of an AbortSignal.timeout() would say it in a line, but Node may collect the timeout before it
// comes, and then nothing ends the work: https://github.com/nodejs/node/issues/57736

/** `limit` in milliseconds; the reason of the signal is then a `TimeoutError`. */
export async function within<T>(
  limit: number,
  other: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController()
  const late = () => own.abort(new DOMException('it took too long', 'TimeoutError'))
  const stop = () => own.abort(other.reason)
  const timer = setTimeout(late, limit)
  other.addEventListener('abort', stop, { once: true })
  if (other.aborted) stop()
  try {
    return await work(own.signal)
  } finally {
    clearTimeout(timer)
    other.removeEventListener('abort', stop)
  }
}
