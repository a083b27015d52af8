// The difference for evidence that could not be compared.
import type { Drift } from '../model/drift.ts'

/** A bundle or a report that could not be read. */
export function unreadableDrift(shown: string, why: string): Drift {
  return unreadableDocument({ source: shown, file: shown, unread: why })
}

/** One document of a file or a stream, which has no place. */
export function unreadableDocument({
  source,
  file,
  unread,
}: {
  readonly source: string
  readonly file?: string | undefined
  readonly unread: string
}): Drift {
  const text = {
    message: `${source} could not be read: ${unread}`,
    remedy: 'Fix its permissions or content, or leave it out.',
  }
  return { ...notCompared(source, text), ...(file !== undefined && { place: placeOf(file) }) }
}

/** Objects of a cluster that could not be read. */
export function unreadableObjects(
  shown: string,
  why: string,
  remedy = 'Check the connection, and the permissions of the kubeconfig: docs/drift.md.',
): Drift {
  return notCompared(shown, { message: `${shown} could not be read: ${why}`, remedy })
}

/** Evidence that no profile fits, or a profile without evidence. */
export function unmatchedDrift(shown: string, why: string, remedy?: string): Drift {
  return { ...notCompared(shown, unmatched(shown, why, remedy)), place: placeOf(shown) }
}

/** A cluster without nodes of the profile. */
export function unmatchedNodes(why: string): Drift {
  return notCompared('nodes', unmatched('nodes', why))
}

type Text = Pick<Drift, 'message' | 'remedy'>

function unmatched(
  shown: string,
  why: string,
  remedy = 'Add what is missing, or leave it out.',
): Text {
  return { message: `${shown} was not compared: ${why}`, remedy }
}

const placeOf = (file: string) => ({ file, line: 1, column: 1 })

function notCompared(subject: string, text: Text): Drift {
  return {
    id: 'evidence-unreadable',
    severity: 'error',
    path: [],
    subject,
    weight: 'incomplete',
    ...text,
  }
}
