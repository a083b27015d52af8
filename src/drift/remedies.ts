// Remedies: which script brings back what a step made.
import type { Phase } from '../model/phase.ts'

const join = 'Run Join-WinNode.ps1 on the node: it brings a member back, too.'

/** By the phase of the step. */
export const remedies: Readonly<Record<Phase, string>> = {
  image: 'Run Install-WinNode.ps1 on the node.',
  beforeJoin: join,
  join,
  afterJoin: join,
  boot: 'The boot loop brings it back; where it does not, C:\\var\\log\\winnode says why.',
}
