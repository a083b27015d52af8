// Undo: what was done so far, so that it can be taken back in the opposite order.

export interface Undo {
  /** `step` takes back what was done just now. */
  readonly add: (step: () => void) => void
  /** Takes everything back; goes on after a step that fails, and gives the first error. */
  readonly unwind: () => unknown
  /** What was done so far stays. */
  readonly keep: () => void
}

export function undoLog(): Undo {
  const steps: (() => void)[] = []
  return {
    add: (step) => steps.push(step),
    unwind: () => {
      const errors: unknown[] = []
      for (const step of steps.splice(0).reverse()) {
        try {
          step()
        } catch (error) {
          errors.push(error)
        }
      }
      return errors[0]
    },
    keep: () => {
      steps.length = 0
    },
  }
}
