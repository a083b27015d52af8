// Node-answers: checks of a node that are no steps: what must hold, and whether it works.
import type { Drift, Weight } from '../model/drift.ts'
import type { Severity } from '../model/finding.ts'
import type { JsonObject } from '../model/json.ts'
import { checkNeed } from './needs.ts'
import { told } from './node-drift.ts'
import { itemsOf, itemText } from './node-text.ts'

interface Meaning {
  readonly id: string
  readonly severity: Severity
  readonly weight: Weight
  readonly remedy?: string
}

/** By the verdict of a check that is not passed. */
const failed: Readonly<Record<string, Meaning>> = {
  fail: { id: 'check-fails', severity: 'error', weight: 'drift' },
  restart: {
    id: 'node-waits',
    severity: 'warning',
    weight: 'told',
    remedy: 'Restart the machine.',
  },
  warn: { id: 'node-warns', severity: 'info', weight: 'told' },
}

/** By the verdict on whether a node works; it is as described all the same. */
const works: Readonly<Record<string, Meaning>> = {
  fail: { id: 'node-not-working', severity: 'error', weight: 'told' },
  warn: { id: 'node-warns', severity: 'info', weight: 'told' },
  unknown: { id: 'node-unknown', severity: 'error', weight: 'incomplete' },
}

export function answersOf(document: JsonObject): readonly Drift[] {
  return [
    ...itemsOf(document['preflight']).flatMap(checkDrift),
    ...itemsOf(document['health']).flatMap(healthDrift),
    ...suspension(document),
  ]
}

function checkDrift(check: JsonObject): readonly Drift[] {
  const meaning = failed[itemText(check, 'verdict')]
  if (check['passed'] !== false || !meaning) return []
  const id = itemText(check, 'id')
  const need = meaning.weight === 'drift' ? checkNeed(id) : undefined
  const message = `${id}: ${itemText(check, 'message')}`
  return [told({ ...meaning, subject: `node.json#preflight.${id}`, message, need })]
}

function healthDrift(check: JsonObject): readonly Drift[] {
  const meaning = works[itemText(check, 'verdict')]
  if (!meaning) return []
  const id = itemText(check, 'id')
  const message = `${id}: ${itemText(check, 'evidence')}`
  const remedy = itemText(check, 'remedy')
  return [
    told({
      ...meaning,
      subject: `node.json#health.${id}`,
      message,
      ...(remedy !== '' && { remedy }),
    }),
  ]
}

function suspension({ suspended }: JsonObject): readonly Drift[] {
  if (typeof suspended !== 'string' || suspended === '') return []
  return [
    told({
      id: 'node-suspended',
      severity: 'info',
      weight: 'told',
      subject: 'node.json#suspended',
      message: `the loop is suspended: ${suspended}`,
    }),
  ]
}
