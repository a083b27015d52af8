// PreflightCheck: a check that the scripts run before the first change of a node.
import type { Phase } from './phase.ts'

/** A check that comes before the first change; all verdicts are reported together. */
export interface PreflightCheck {
  readonly id: string
  readonly kind: PreflightKind
  /** `any`: in every phase but boot, which runs unwatched and has to be named. */
  readonly phases: readonly (Phase | 'any')[]
  readonly verdict: 'fail' | 'restart' | 'warn'
  /** What the check needs, by kind. */
  readonly with: Readonly<Record<string, boolean | number | string | readonly string[]>>
}

export const preflightKinds = [
  'administrator',
  'languageMode',
  'windowsServer',
  'windowsBuild',
  'revisionNotBetween',
  'revisionAtLeast',
  'freeDisk',
  'volume',
  'imageFolder',
  'systemDrive',
  'nodeName',
  'providerID',
  'pendingRestart',
  'pendingRename',
  'clockSkew',
  'dns',
  'apiServer',
  'cluster',
  'filePresent',
  'secureBootOff',
  'encryption',
  'otherEngines',
  'firewallPolicy',
] as const
export type PreflightKind = (typeof preflightKinds)[number]
