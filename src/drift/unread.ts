// Unread: evidence that was asked for and says nothing.
import type { Drift } from '../model/drift.ts'

export function unreadDrift(shown: string, why: string): Drift {
  return {
    id: 'evidence-unreadable',
    severity: 'error',
    path: [],
    subject: shown,
    weight: 'incomplete',
    message: `${shown} could not be read: ${why}`,
    place: { file: shown, line: 1, column: 1 },
    remedy: 'Nothing is known of it: let it be read, or leave it out.',
  }
}
