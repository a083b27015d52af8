// Node-steps: the results of steps on a node: what differs, what waits, and what nobody could read.
import { wordsFor } from '../artifacts/step-words.ts'
import type { Drift, Weight } from '../model/drift.ts'
import type { Severity } from '../model/finding.ts'
import type { JsonObject } from '../model/json.ts'
import type { Need } from '../model/need.ts'
import type { Step } from '../model/step.ts'
import type { Desired } from './desired.ts'
import { harmless, told } from './node-drift.ts'
import { stepNeeds } from './needs.ts'
import { itemText } from './node-text.ts'
import { remedies } from './remedies.ts'

interface State {
  readonly id: string
  readonly severity: Severity
  readonly weight: Weight
  readonly says: string
  readonly remedy: string
  readonly need?: Need
}

/** Those of a test: templates/node/module/walker/step.ps1. */
const states: Readonly<Record<string, State | undefined>> = {
  Unchanged: undefined,
  Different: {
    id: 'step-differs',
    severity: 'warning',
    weight: 'drift',
    says: 'it differs',
    remedy: remedies.image,
  },
  Waiting: {
    id: 'step-waits',
    severity: 'warning',
    weight: 'told',
    says: 'it waits for a restart',
    remedy: 'Restart the machine.',
    need: 'restart',
  },
  Unknown: {
    id: 'step-unknown',
    severity: 'error',
    weight: 'incomplete',
    says: 'it could not be read',
    remedy: 'Look at what the node says, and test it again.',
  },
  Failed: {
    id: 'step-unknown',
    severity: 'error',
    weight: 'incomplete',
    says: 'it failed, so that nobody knows',
    remedy: 'Look at what the node says, and test it again.',
  },
}

/** What no test answers: the file was changed, or is of a winnode to come. */
const otherState: State = {
  id: 'step-unknown',
  severity: 'error',
  weight: 'incomplete',
  says: 'nobody knows what its state means',
  remedy: 'Test the node again with the scripts of this bundle.',
}

/** A result that says of no step that it is its own. */
const nameless = told({
  ...otherState,
  subject: 'node.json#steps',
  message: 'a result names no step',
})

interface Told {
  /** Differences of files, whose steps need not be told besides. */
  readonly fields: readonly Drift[]
  /** Whether the script came to its last step. */
  readonly whole: boolean
}

export function stepDrifts(
  results: readonly JsonObject[],
  { steps }: Desired,
  { fields, whole }: Told,
): readonly Drift[] {
  return [
    ...results.flatMap((result) => resultDrift(result, steps, fields)),
    ...(whole && !isEachOf(results, steps) ? missingDrifts(results, steps) : []),
  ]
}

/** In the order of the bundle: so it is on all nodes but a few, and a fleet has millions of results. */
function isEachOf(results: readonly JsonObject[], steps: ReadonlyMap<string, Step>): boolean {
  return [...steps.keys()].every((id, index) => results[index]?.['id'] === id)
}

/** Steps that nobody tested, of a phase that somebody did. */
function missingDrifts(
  results: readonly JsonObject[],
  steps: ReadonlyMap<string, Step>,
): readonly Drift[] {
  const tested = new Set(results.map((result) => itemText(result, 'id')))
  const phases = new Set(
    [...tested].flatMap((id) => {
      const step = steps.get(id)
      return step ? [step.phase] : []
    }),
  )
  return [...steps.values()]
    .filter(({ id, phase }) => phases.has(phase) && !tested.has(id))
    .map((step) =>
      outdated(step.id, `the node does not know the step ${step.id}: ${words(step)}`, step),
    )
}

const none: readonly Drift[] = []

function resultDrift(
  result: JsonObject,
  steps: ReadonlyMap<string, Step>,
  fields: readonly Drift[],
): readonly Drift[] {
  const id = itemText(result, 'id')
  if (id === '') return [nameless]
  const step = steps.get(id)
  if (!step) return [outdated(harmless(id, 100), `the profile no longer has the step ${id}`)]
  const word = itemText(result, 'state')
  const state = Object.hasOwn(states, word) ? states[word] : otherState
  if (!state) return none
  const source = 'source' in step ? step.source : ''
  if (fields.some(({ subject }) => subject.startsWith(`${source}#`))) return none
  const { says, need = stepNeeds[step.kind], ...rest } = state
  const detail = itemText(result, 'detail')
  const old = wantedOf(detail)
  const today = 'sha256' in step ? step.sha256 : undefined
  const stale = old !== undefined && today !== undefined && old !== today
  return [
    told({
      ...rest,
      subject: subjectOf(id),
      // What nobody could read may be as described.
      need: state.weight === 'incomplete' ? undefined : need,
      owner: stale ? 'both' : 'theirs',
      message: `${words(step)}: ${says}${detail === '' ? '' : ` (${brief(detail)})`}`,
      ...(rest.weight === 'drift' && { remedy: remedies[step.phase] }),
    }),
  ]
}

function outdated(id: string, message: string, step?: Step): Drift {
  return told({
    id: 'step-outdated',
    severity: 'warning',
    subject: subjectOf(id),
    message,
    remedy: 'Install the bundle of today on the node.',
    weight: 'drift',
    owner: 'ours',
    need: step ? stepNeeds[step.kind] : 'install',
  })
}

function subjectOf(step: string): string {
  return `node.json#steps.${step}`
}

function words(step: Step): string {
  const { verb, subject, rest } = wordsFor(step)
  return [verb, subject, rest].filter((part) => part !== '').join(' ')
}

/** What the node's own bundle wants: another one where that is not of today. */
function wantedOf(detail: string): string | undefined {
  return /\bwanted ([0-9a-f]{64})\b/.exec(detail)?.[1]
}

/** Nobody reads a whole digest. */
function brief(detail: string): string {
  return detail.replace(/\b([0-9a-f]{8})[0-9a-f]{56}\b/g, '$1…')
}
