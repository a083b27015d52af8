// The script that restores the result of a step.
import type { Phase } from '../model/phase.ts'

const join = 'Run Join-WinNode.ps1 on the node; on a joined node it restores the state.'

/** By the phase of the step. */
export const remedies: Readonly<Record<Phase, string>> = {
  image: 'Run Install-WinNode.ps1 on the node.',
  beforeJoin: join,
  join,
  afterJoin: join,
  boot: 'Wait for the reconcile loop to restore it; otherwise read the logs in C:\\var\\log\\winnode.',
}
