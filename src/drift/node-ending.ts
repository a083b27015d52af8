// Node-ending: whether what a snapshot holds is all that the script had to say.
import type { Drift } from '../model/drift.ts'
import type { JsonObject } from '../model/json.ts'
import { told } from './node-drift.ts'
import { itemText } from './node-text.ts'

/** What must be told of a node whose script ended so: templates/node/module/walker/result.ps1. */
const explained: Readonly<Record<number, (drift: Drift) => boolean>> = {
  4: ({ weight }) => weight === 'drift',
  6: ({ weight }) => weight === 'incomplete',
  7: ({ id }) => id === 'node-not-working',
}

/** With 1 the script itself failed, perhaps before its last step. */
export function isBrokenOff({ exitCode }: JsonObject): boolean {
  return exitCode === 1
}

/** A report has no such code. A restart is asked for with a code of the caller's choice. */
export function unexplained(document: JsonObject, drifts: readonly Drift[]): readonly Drift[] {
  const { exitCode } = document
  if (exitCode === undefined) return []
  const explains = typeof exitCode === 'number' ? explained[exitCode] : () => false
  if (explains ? drifts.some(explains) : !isBrokenOff(document)) return []
  const said = itemText(document, 'message')
  return [
    told({
      id: 'node-unknown',
      severity: 'error',
      weight: 'incomplete',
      subject: 'node.json#exitCode',
      message: `the script ended with ${JSON.stringify(exitCode)}, for a reason that is not here${said === '' ? '' : `: ${said}`}`,
      remedy: 'Run Test-WinNode.ps1 on the node, and look at what it says.',
    }),
  ]
}
