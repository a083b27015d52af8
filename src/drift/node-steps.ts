// The results of steps on a node: differences, pending reboots, and steps that could not be checked.
import { summaryOf } from '../artifacts/step-summaries.ts'
import type { Drift } from '../model/drift.ts'
import { type JsonObject, textAt } from '../model/json.ts'
import type { Need } from '../model/need.ts'
import type { Step } from '../model/step.ts'
import type { Desired } from './desired.ts'
import { harmless, nodeDrift } from './node-drift.ts'
import { stepNeed } from './needs.ts'
import { remedies, remedyOf } from './remedies.ts'

interface State extends Pick<Drift, 'id' | 'severity' | 'weight'> {
  readonly text: string
  readonly remedy: string
  readonly need?: Need
}

/** States that Test-WinNode.ps1 reports: templates/node/module/setup/walker/step.ps1. */
const states: Readonly<Record<string, State | undefined>> = {
  Unchanged: undefined,
  Different: {
    id: 'step-differs',
    severity: 'warning',
    weight: 'drift',
    text: 'differs from the profile',
    remedy: remedies.image,
  },
  Waiting: {
    id: 'step-waits',
    severity: 'warning',
    weight: 'informational',
    text: 'reboot pending',
    remedy: 'Restart the machine.',
    need: 'restart',
  },
  Unknown: {
    id: 'step-unknown',
    severity: 'error',
    weight: 'incomplete',
    text: 'could not be checked',
    remedy: 'Run Test-WinNode.ps1 on the node, and read its output.',
  },
  Failed: {
    id: 'step-unknown',
    severity: 'error',
    weight: 'incomplete',
    text: 'check failed, state unknown',
    remedy: 'Run Test-WinNode.ps1 on the node, and read its output.',
  },
}

/** For an unknown state: the file was modified, or is from a newer winnode. */
const otherState: State = {
  id: 'step-unknown',
  severity: 'error',
  weight: 'incomplete',
  text: 'unknown state',
  remedy: 'Run Test-WinNode.ps1 of this bundle on the node.',
}

/** A result without a step id. */
const nameless = nodeDrift({
  ...otherState,
  subject: 'node.json#steps',
  message: 'a result has no step id',
})

interface Tested {
  /** Differences of files; their steps are not reported again. */
  readonly fields: readonly Drift[]
  /** Whether the script reached its last step. */
  readonly whole: boolean
}

export function stepDrifts(
  results: readonly JsonObject[],
  { steps }: Desired,
  { fields, whole }: Tested,
): readonly Drift[] {
  return [
    ...results.flatMap((result) => resultDrift(result, steps, fields)),
    ...(whole ? missingDrifts(results, steps) : []),
  ]
}

/** Steps without a result, in phases that were tested. */
function missingDrifts(
  results: readonly JsonObject[],
  steps: ReadonlyMap<string, Step>,
): readonly Drift[] {
  const tested = new Set(results.map((result) => textAt(result, ['id'])))
  const phases = new Set([...tested].flatMap((id) => steps.get(id)?.phase ?? []))
  return [...steps.values()]
    .filter(({ id, phase }) => phases.has(phase) && !tested.has(id))
    .map((step) =>
      outdated(step.id, `step ${step.id} is missing on the node: ${words(step)}`, step),
    )
}

function resultDrift(
  result: JsonObject,
  steps: ReadonlyMap<string, Step>,
  fields: readonly Drift[],
): readonly Drift[] {
  const id = textAt(result, ['id'])
  if (id === '') return [nameless]
  const step = steps.get(id)
  if (!step) return [outdated(harmless(id, 100), `step ${id} is no longer in the profile`)]
  const word = textAt(result, ['state'])
  const state = Object.hasOwn(states, word) ? states[word] : otherState
  if (!state) return []
  const source = 'source' in step ? step.source : ''
  if (fields.some(({ subject }) => subject.startsWith(`${source}#`))) return []
  const { text, need = stepNeed(step), ...rest } = state
  const detail = textAt(result, ['detail'])
  const old = wantedOf(detail)
  const today = 'sha256' in step ? step.sha256 : undefined
  const stale = old !== undefined && today !== undefined && old !== today
  return [
    nodeDrift({
      ...rest,
      subject: subjectOf(id),
      // A step that could not be checked may have no drift.
      need: state.weight === 'incomplete' ? undefined : need,
      owner: stale ? 'both' : 'theirs',
      message: `${words(step)}: ${text}${detail === '' ? '' : ` (${brief(detail)})`}`,
      ...(rest.weight === 'drift' && { remedy: remedyOf(step.phase, need) }),
    }),
  ]
}

function outdated(id: string, message: string, step?: Step): Drift {
  return nodeDrift({
    id: 'step-outdated',
    severity: 'warning',
    subject: subjectOf(id),
    message,
    remedy: 'Install the current bundle on the node.',
    weight: 'drift',
    owner: 'ours',
    need: step ? stepNeed(step) : 'install',
  })
}

function subjectOf(step: string): string {
  return `node.json#steps.${step}`
}

function words(step: Step): string {
  const { verb, subject, rest } = summaryOf(step)
  return [verb, subject, rest].filter((part) => part !== '').join(' ')
}

/** The checksum in the node's own bundle, which differs if that bundle is outdated. */
function wantedOf(detail: string): string | undefined {
  return /\bwanted ([0-9a-f]{64})\b/.exec(detail)?.[1]
}

/** Shortens digests. */
function brief(detail: string): string {
  return detail.replace(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, '$1…')
}
