// Gate: lets only so many pieces of work run at once; the others wait in a line.

export function gate(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running < atOnce) running += 1
    else await new Promise<void>((go) => line.push(go))
    try {
      return await work()
    } finally {
      // Who waits takes the place over.
      const next = line.shift()
      if (next) next()
      else running -= 1
    }
  }
}
