// Whether the content of a snapshot explains its exit code.
import type { Drift } from '../model/drift.ts'
import { type JsonObject, textAt } from '../model/json.ts'
import { nodeDrift } from './node-drift.ts'

/** What must be reported of a node for each exit code of its script: templates/node/module/setup/walker/result.ps1. */
const explained: Readonly<Record<number, (drift: Drift) => boolean>> = {
  4: ({ weight }) => weight === 'drift',
  6: ({ weight }) => weight === 'incomplete',
  7: ({ id }) => id === 'node-not-working',
}

/** With exit code 1 the script itself failed, perhaps before its last step. */
export function isBrokenOff({ exitCode }: JsonObject): boolean {
  return exitCode === 1
}

/** A report has no exit code. The code for a reboot is chosen by the caller. */
export function unexplained(document: JsonObject, drifts: readonly Drift[]): readonly Drift[] {
  const { exitCode } = document
  if (exitCode === undefined) return []
  const explains = typeof exitCode === 'number' ? explained[exitCode] : () => false
  if (explains ? drifts.some(explains) : !isBrokenOff(document)) return []
  const message = textAt(document, ['message'])
  return [
    nodeDrift({
      id: 'node-unknown',
      severity: 'error',
      weight: 'incomplete',
      subject: 'node.json#exitCode',
      message: `exit code ${JSON.stringify(exitCode)}, but the snapshot shows no reason${message === '' ? '' : `: ${message}`}`,
      remedy: 'Run Test-WinNode.ps1 on the node, and read its output.',
    }),
  ]
}
