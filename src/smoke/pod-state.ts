// The state of each pod of a smoke test: running, failed, or waiting.
import { type JsonObject, textAt, valueAt } from '../model/json.ts'
import { itemsAt } from '../workloads/manifest.ts'

export type ObjectState =
  | { readonly kind: 'ready'; readonly object: JsonObject }
  /** The API server did not create it. */
  | { readonly kind: 'refused'; readonly why: string }
  /** A pod that did not start. */
  | { readonly kind: 'stopped'; readonly why: string }

/** `waiting` has the current reason. */
export function podState(pod: JsonObject): ObjectState | { readonly kind: 'waiting'; why: string } {
  const phase = textAt(pod, ['status', 'phase'])
  if (phase === 'Succeeded') return { kind: 'ready', object: pod }
  if (phase === 'Failed') return { kind: 'stopped', why: terminationMessage(pod) }
  if (phase === 'Running' && condition(pod, 'Ready')?.['status'] === 'True')
    return { kind: 'ready', object: pod }
  const waiting = containerReason(pod, 'waiting')
  const unscheduled = condition(pod, 'PodScheduled')
  const why =
    unscheduled?.['status'] === 'False' ? textAt(unscheduled, ['message']) : waiting || phase
  return { kind: 'waiting', why: why || 'not seen by a kubelet' }
}

function terminationMessage(pod: JsonObject): string {
  const message = textAt(pod, ['status', 'message'])
  return (
    containerReason(pod, 'terminated') || message || textAt(pod, ['status', 'reason']) || 'Failed'
  )
}

/** `ErrImagePull: no match for platform`. */
function containerReason(pod: JsonObject, state: 'waiting' | 'terminated'): string {
  const [status] = itemsAt(pod, ['status', 'containerStatuses'])
  const code = status?.item && exitCodeOf(status.item)
  return [
    textAt(status?.item, ['state', state, 'reason']),
    state === 'terminated' && code !== undefined ? `exit code ${code}` : '',
    textAt(status?.item, ['state', state, 'message']),
  ]
    .filter((part) => part !== '')
    .join(': ')
}

function exitCodeOf(status: JsonObject): number | undefined {
  const code = valueAt(status, ['state', 'terminated', 'exitCode'])
  return typeof code === 'number' ? code : undefined
}

function condition(pod: JsonObject, type: string): JsonObject | undefined {
  return itemsAt(pod, ['status', 'conditions']).find(({ item }) => item['type'] === type)?.item
}
