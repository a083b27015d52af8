// Preflight checks and health checks of a node.
import type { Drift } from '../model/drift.ts'
import { isObject, type JsonObject, ownOf, textAt } from '../model/json.ts'
import { listed } from '../report/listed.ts'
import { checkNeed } from './needs.ts'
import { harmless, nodeDrift } from './node-drift.ts'

type Meaning = Pick<Drift, 'id' | 'severity' | 'weight' | 'remedy'>

/** By the verdict of a check that did not pass. */
const failed: Readonly<Record<string, Meaning>> = {
  fail: {
    id: 'check-fails',
    severity: 'error',
    weight: 'drift',
    remedy: 'Fix what the check reports, and run Test-WinNode.ps1 again.',
  },
  restart: {
    id: 'node-waits',
    severity: 'warning',
    weight: 'informational',
    remedy: 'Restart the machine.',
  },
  warn: { id: 'node-warns', severity: 'info', weight: 'informational' },
}

/** By the verdict of a health check; a failed one is not drift. */
const works: Readonly<Record<string, Meaning>> = {
  fail: { id: 'node-not-working', severity: 'error', weight: 'not-working' },
  warn: { id: 'node-warns', severity: 'info', weight: 'informational' },
  unknown: { id: 'node-unknown', severity: 'error', weight: 'incomplete' },
}

/** For an unknown verdict: the file was modified, or is from a newer winnode. */
const unknown: Meaning = { id: 'node-unknown', severity: 'error', weight: 'incomplete' }

export function answersOf(document: JsonObject): readonly Drift[] {
  return [
    ...(listed(document['preflight']) ?? []).flatMap(checkDrift),
    ...(listed(document['health']) ?? []).flatMap(healthDrift),
    ...suspension(document),
    ...partsUnread(document),
  ]
}

/** An unreadable part of a report contains the reason instead of its content, possibly truncated. */
function partsUnread(document: JsonObject): readonly Drift[] {
  return ['preflight', 'health', 'configuration'].flatMap((part) => {
    const value = document[part]
    const why = isObject(value) ? value['error'] : undefined
    if (typeof why === 'string')
      return [unreadPart(part, `the node could not read its ${part}: ${why}`)]
    const isThere = part === 'configuration' ? isObject(value) : listed(value) !== undefined
    return value === undefined || isThere ? [] : [unreadPart(part, `its ${part} cannot be read`)]
  })
}

function unreadPart(part: string, message: string): Drift {
  return nodeDrift({ ...unknown, subject: `node.json#${part}`, message })
}

/** For a check without a message. */
const noDetails = 'no details'

function nameOf(check: JsonObject): string {
  return harmless(textAt(check, ['id']), 100)
}

function checkDrift(check: JsonObject): readonly Drift[] {
  if (check['passed'] === true) return []
  const known = check['passed'] === false ? ownOf(failed, textAt(check, ['verdict'])) : undefined
  const meaning = known ?? unknown
  const id = nameOf(check)
  const need = meaning.weight === 'drift' ? checkNeed(id) : undefined
  const message = textAt(check, ['message']) || noDetails
  return [nodeDrift({ ...meaning, subject: `node.json#preflight.${id}`, message, need })]
}

function healthDrift(check: JsonObject): readonly Drift[] {
  const verdict = textAt(check, ['verdict'])
  if (verdict === 'ok') return []
  const meaning = ownOf(works, verdict) ?? unknown
  const id = nameOf(check)
  const message = textAt(check, ['evidence']) || noDetails
  const remedy = harmless(textAt(check, ['remedy']))
  return [
    nodeDrift({
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
    nodeDrift({
      id: 'node-suspended',
      severity: 'info',
      weight: 'informational',
      subject: 'node.json#suspended',
      message: `the reconcile loop is suspended: ${suspended}`,
    }),
  ]
}
