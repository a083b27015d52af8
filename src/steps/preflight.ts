// What the node checks before its first change.
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { foreignAgents } from '../matrix/foreign-agents.ts'
import { badRevisions } from '../matrix/windows.ts'
import type { Facts } from '../model/facts.ts'
import { driveOf, layout, systemDrive } from '../model/layout.ts'
import type { PreflightCheck, PreflightRow } from '../model/preflight.ts'
import { clusterCheck } from './cluster-check.ts'
import { requiredFiles } from './join.ts'

export function preflightOf(facts: Facts): readonly PreflightCheck[] {
  const { spec, windows } = facts
  // The boot task checks these again, because Windows can be updated and upgraded at any time.
  const withBoot = ['any', 'boot'] as const
  const joining = ['beforeJoin'] as const
  const revision = minimumRevision(facts)
  const rows: readonly (PreflightRow | false)[] = [
    { id: 'administrator', kind: 'administrator' },
    { id: 'language-mode', kind: 'languageMode' },
    { id: 'windows-server', kind: 'windowsServer' },
    {
      id: 'windows-build',
      kind: 'windowsBuild',
      phases: withBoot,
      with: { build: windows.build, name: windows.name },
    },
    ...badRevisions(windows, spec.network).map((bad): PreflightRow => ({
      id: `revision-not-${bad.from}`,
      kind: 'revisionNotBetween',
      phases: withBoot,
      verdict: bad.sure ? 'fail' : 'warn',
      with: { from: bad.from, below: bad.below, effect: bad.effect, fix: bad.fix },
    })),
    revision > 0 && {
      id: 'revision-at-least',
      kind: 'revisionAtLeast',
      phases: withBoot,
      with: { revision },
    },
    ...(cniOf(spec.network.cni).preflight?.(facts) ?? []),
    { id: 'system-drive', kind: 'systemDrive' },
    { id: 'free-disk', kind: 'freeDisk', phases: ['image'], with: { gib: 10 } },
    ...dataDisk(facts),
    {
      id: 'image-folder',
      kind: 'imageFolder',
      phases: ['image'],
      with: { root: spec.containerd.root, configuration: `${layout.containerd}\\config.toml` },
    },
    {
      id: 'other-engines',
      kind: 'otherEngines',
      // Checked again before the join, because cloud images install such agents at their first start.
      phases: ['image', 'beforeJoin'],
      verdict: spec.host.allowOtherEngines ? 'warn' : 'fail',
      with: { services: foreignAgents.map(({ service }) => service) },
    },
    {
      id: 'firewall-policy',
      kind: 'firewallPolicy',
      phases: ['image', 'beforeJoin'],
    },
    {
      id: 'pending-restart',
      kind: 'pendingRestart',
      verdict: 'restart',
    },
    ...encryption(facts),
    { id: 'pending-rename', kind: 'pendingRename', verdict: 'warn' },
    {
      id: 'node-name',
      kind: 'nodeName',
      phases: joining,
      with: { warnAbove: 15 },
    },
    typeof spec.kubelet.providerID === 'object' && {
      id: 'provider-id',
      kind: 'providerID',
      phases: joining,
    },
    mirrorFiles(facts).length > 0 && {
      id: 'mirror-files',
      kind: 'filePresent',
      with: { paths: mirrorFiles(facts) },
    },
    {
      id: 'required-files',
      kind: 'filePresent',
      phases: joining,
      with: { paths: requiredFiles(facts) },
    },
    ...apiServerChecks(facts),
    clusterCheck(facts),
  ]
  return rows
    .filter((row) => row !== false)
    .map(({ id, kind, phases = ['any'], verdict = 'fail', with: needs = {} }) => ({
      id,
      kind,
      phases,
      verdict,
      with: needs,
    }))
}

/** The drive of `containerd.root`, if it is not the system drive: containerd does not start without it. */
function dataDisk({ spec }: Facts): readonly PreflightRow[] {
  const drive = driveOf(spec.containerd.root)
  if (drive === systemDrive) return []
  const freeSpace = { gib: 10, drive }
  return [
    { id: 'data-disk', kind: 'volume', phases: ['any', 'boot'], with: { drive } },
    { id: 'free-data-disk', kind: 'freeDisk', phases: ['image'], with: freeSpace },
  ]
}

/** Before the join, as cloud images are encrypted later than they are built, and Secrets come with pods. */
function encryption({ spec }: Facts): readonly PreflightRow[] {
  const asked = spec.host.encryption
  if (asked === 'off') return []
  const verdict = asked === 'require' ? 'fail' : 'warn'
  const drive = driveOf(layout.kubeletRoot)
  return [
    { id: 'encryption', kind: 'encryption', phases: ['beforeJoin'], verdict, with: { drive } },
  ]
}

/** CA files of registry mirrors. Without one, pulls through its mirror fail, and nothing earlier reports it. */
export function mirrorFiles({ spec }: Facts): readonly string[] {
  const mirrors = Object.values(spec.registry.mirrors).flat()
  return [...new Set(mirrors.flatMap(({ ca }) => ca ?? []))]
}

/** The API server endpoint comes from the profile, or from the discovery file on the node. */
function apiServerChecks({ spec }: Facts): readonly PreflightRow[] {
  const { endpoint, discoveryFile } = spec.join
  if (endpoint === undefined && discoveryFile === undefined) return []
  const where = endpoint === undefined ? { discoveryFile: discoveryFile ?? '' } : { endpoint }
  return [
    { id: 'dns', kind: 'dns', phases: ['beforeJoin'], with: where },
    { id: 'api-server', kind: 'apiServer', phases: ['beforeJoin'], with: where },
    {
      id: 'clock-skew',
      kind: 'clockSkew',
      phases: ['beforeJoin'],
      with: { ...where, seconds: 300 },
    },
  ]
}

/** The lowest Windows revision that the profile and the network allow; 0 if they allow any. */
function minimumRevision({ spec, windows }: Facts): number {
  const { mode, dsr } = spec.network
  return Math.max(
    spec.windows.revision ?? 0,
    mode === 'overlay' ? (windows.overlay?.revision ?? 0) : 0,
    dsr && kubeProxyRuns(spec) !== false ? (windows.dsr?.revision ?? 0) : 0,
  )
}
