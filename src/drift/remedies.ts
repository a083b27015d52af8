// The script that restores the result of a step.
import type { Need } from '../model/need.ts'
import type { Phase } from '../model/phase.ts'

const join =
  'Run Join-WinNode.ps1 of the current bundle on the node; on a joined node it restores the state.'

/** A report does not show which has changed: the node or the profile. */
export function remedyOf(phase: Phase, need: Need | undefined): string {
  const reset = need === 'join' ? ' After a change of the profile, reset the node first.' : ''
  return remedies[phase] + reset
}

/** By the phase of the step. */
export const remedies: Readonly<Record<Phase, string>> = {
  image: 'Run Install-WinNode.ps1 of the current bundle on the node.',
  beforeJoin: join,
  join,
  afterJoin: join,
  boot: 'Wait for the reconcile loop to restore it; otherwise read the logs in C:\\var\\log\\winnode.',
}
