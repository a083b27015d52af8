// The difference for evidence that could not be compared.
import type { Drift } from '../model/drift.ts'

/** A bundle or a report that could not be read. */
export function unreadableDrift(shown: string, why: string): Drift {
  return notCompared(shown, {
    message: `${shown} could not be read: ${why}`,
    remedy: 'Fix its permissions or content, or leave it out.',
  })
}

/** Objects of a cluster that could not be read. */
export function unreadableObjects(shown: string, why: string): Drift {
  return notCompared(shown, {
    message: `${shown} could not be read: ${why}`,
    remedy: 'Check the connection, and the permissions of the kubeconfig: docs/drift.md.',
  })
}

/** Evidence of no profile, or a profile without evidence. */
export function unmatchedDrift(shown: string, why: string): Drift {
  return notCompared(shown, {
    message: `${shown} was not compared: ${why}`,
    remedy: 'Add what is missing, or leave it out.',
  })
}

function notCompared(shown: string, text: Pick<Drift, 'message' | 'remedy'>): Drift {
  return {
    id: 'evidence-unreadable',
    severity: 'error',
    path: [],
    subject: shown,
    weight: 'incomplete',
    place: { file: shown, line: 1, column: 1 },
    ...text,
  }
}
