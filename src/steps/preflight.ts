// What the node checks before its first change.
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { foreignAgents } from '../matrix/foreign-agents.ts'
import { badRevisions } from '../matrix/windows.ts'
import type { Facts } from '../model/facts.ts'
import { driveOf, layout, systemDrive } from '../model/layout.ts'
import type { PreflightCheck } from '../model/preflight.ts'
import { clusterCheck } from './cluster-check.ts'
import { requiredFiles } from './join.ts'

export function preflightOf(facts: Facts): readonly PreflightCheck[] {
  const { spec, windows } = facts
  const everywhere = ['any'] as const
  // The boot task checks these again, because Windows can be updated and upgraded at any time.
  const withBoot = ['any', 'boot'] as const
  const joining = ['beforeJoin'] as const
  const revision = minimumRevision(facts)
  return [
    { id: 'administrator', kind: 'administrator', phases: everywhere, verdict: 'fail', with: {} },
    { id: 'language-mode', kind: 'languageMode', phases: everywhere, verdict: 'fail', with: {} },
    { id: 'windows-server', kind: 'windowsServer', phases: everywhere, verdict: 'fail', with: {} },
    {
      id: 'windows-build',
      kind: 'windowsBuild',
      phases: withBoot,
      verdict: 'fail',
      with: { build: windows.build, name: windows.name },
    },
    ...badRevisions(windows, spec.network).map((bad): PreflightCheck => ({
      id: `revision-not-${bad.from}`,
      kind: 'revisionNotBetween',
      phases: withBoot,
      verdict: bad.sure ? 'fail' : 'warn',
      with: { from: bad.from, below: bad.below, effect: bad.effect, fix: bad.fix },
    })),
    ...(revision > 0
      ? [
          {
            id: 'revision-at-least',
            kind: 'revisionAtLeast',
            phases: withBoot,
            verdict: 'fail',
            with: { revision },
          } as const,
        ]
      : []),
    ...(cniOf(spec.network.cni).preflight?.(facts) ?? []),
    { id: 'system-drive', kind: 'systemDrive', phases: everywhere, verdict: 'fail', with: {} },
    { id: 'free-disk', kind: 'freeDisk', phases: ['image'], verdict: 'fail', with: { gib: 10 } },
    ...dataDisk(facts),
    {
      id: 'image-folder',
      kind: 'imageFolder',
      phases: ['image'],
      verdict: 'fail',
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
      verdict: 'fail',
      with: {},
    },
    {
      id: 'pending-restart',
      kind: 'pendingRestart',
      phases: everywhere,
      verdict: 'restart',
      with: {},
    },
    ...encryption(facts),
    { id: 'pending-rename', kind: 'pendingRename', phases: everywhere, verdict: 'warn', with: {} },
    {
      id: 'node-name',
      kind: 'nodeName',
      phases: joining,
      verdict: 'fail',
      with: { warnAbove: 15 },
    },
    ...(typeof spec.kubelet.providerID === 'object'
      ? [
          {
            id: 'provider-id',
            kind: 'providerID',
            phases: joining,
            verdict: 'fail',
            with: {},
          } as const,
        ]
      : []),
    ...(mirrorFiles(facts).length > 0
      ? [
          {
            id: 'mirror-files',
            kind: 'filePresent',
            phases: everywhere,
            verdict: 'fail',
            with: { paths: mirrorFiles(facts) },
          } as const,
        ]
      : []),
    {
      id: 'required-files',
      kind: 'filePresent',
      phases: joining,
      verdict: 'fail',
      with: { paths: requiredFiles(facts) },
    },
    ...apiServerChecks(facts),
    clusterCheck(facts),
  ]
}

/** The drive of `containerd.root`, if it is not the system drive: containerd does not start without it. */
function dataDisk({ spec }: Facts): readonly PreflightCheck[] {
  const drive = driveOf(spec.containerd.root)
  if (drive === systemDrive) return []
  const freeSpace = { gib: 10, drive }
  return [
    { id: 'data-disk', kind: 'volume', phases: ['any', 'boot'], verdict: 'fail', with: { drive } },
    { id: 'free-data-disk', kind: 'freeDisk', phases: ['image'], verdict: 'fail', with: freeSpace },
  ]
}

/** Before the join, as cloud images are encrypted later than they are built, and Secrets come with pods. */
function encryption({ spec }: Facts): readonly PreflightCheck[] {
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
function apiServerChecks({ spec }: Facts): readonly PreflightCheck[] {
  const { endpoint, discoveryFile } = spec.join
  if (endpoint === undefined && discoveryFile === undefined) return []
  const where = endpoint === undefined ? { discoveryFile: discoveryFile ?? '' } : { endpoint }
  return [
    { id: 'dns', kind: 'dns', phases: ['beforeJoin'], verdict: 'fail', with: where },
    { id: 'api-server', kind: 'apiServer', phases: ['beforeJoin'], verdict: 'fail', with: where },
    {
      id: 'clock-skew',
      kind: 'clockSkew',
      phases: ['beforeJoin'],
      verdict: 'fail',
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
