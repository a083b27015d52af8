// The difference for a bundle, report or object that could not be read.
import type { Drift } from '../model/drift.ts'

export function unreadableDrift(shown: string, why: string): Drift {
  return {
    id: 'evidence-unreadable',
    severity: 'error',
    path: [],
    subject: shown,
    weight: 'incomplete',
    message: `${shown} could not be read: ${why}`,
    place: { file: shown, line: 1, column: 1 },
    remedy: 'Fix its permissions or content, or leave it out.',
  }
}
