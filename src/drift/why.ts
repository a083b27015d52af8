// Why: what a field of a rendered file is for, and which field of a profile decides it.
import { everyCni } from '../cni/index.ts'
import { stepsOf } from '../components/component.ts'
import { flagsOf } from '../components/flags.ts'
import { manifestNames } from '../model/bundle-path.ts'
import { parsePath, type Path } from '../model/path.ts'
import type { PlannedFile } from '../model/plan.ts'
import type { Setting, Settings } from '../model/setting.ts'
import type { Leaf } from './compare.ts'

type At = Pick<Leaf, 'path' | 'steps'>

/** The row of a field, or the nearest around it. */
export function whyOf(plan: PlannedFile | undefined, { path, steps }: At): Setting | undefined {
  return plan?.settings ? around(plan.settings, steps)[0]?.setting : settingOfFlag(path)
}

/** Of node.json no plan is a table: its rows stand below. */
export function profileFieldOf(
  file: string,
  plan: PlannedFile | undefined,
  { path, steps }: At,
): Path | undefined {
  if (file === manifestNames.bundle) return nodeFieldOf(path)
  const rows = around(plan?.settings ?? {}, steps)
  const row = rows.find(({ setting }) => setting.field !== undefined)
  if (rows.length === 0) return plan?.merges && [...plan.merges, ...path.slice(0, 1)]
  const field = parsePath(row?.setting.field ?? '')
  return field && row?.map === true ? [...field, ...path.slice(row.length)] : field
}

interface Found {
  readonly setting: Setting
  readonly length: number
  /** Of any key of a map. */
  readonly map: boolean
}

/** From the nearest outwards. `a[]` and `a.*` mean the list and the map, too. */
function around(settings: Settings, steps: readonly string[]): readonly Found[] {
  return Object.entries(settings)
    .flatMap(([row, setting]) => {
      const parts = stepsOf(row.replace(/(?:\[\]|\.\*)$/, ''))
      return parts.every(
        (part, index) => part === steps[index] || (part === '*' && steps[index] !== '[]'),
      )
        ? [{ setting, length: parts.length, map: row.endsWith('.*') }]
        : []
    })
    .toSorted((a, b) => b.length - a.length)
}

/** A flag or a variable of a service in node.json, by the id of the step that registers it. */
function settingOfFlag([list, step, part, name]: Path): Setting | undefined {
  if (list !== 'steps' || (part !== 'command' && part !== 'environment')) return undefined
  return flagsOf(String(step).replace(/^service-/, ''))?.[String(name)]
}

/** What a step or a check of node.json follows from. */
export const nodeFields: readonly (readonly [key: RegExp, field: string])[] = [
  [/^name$/, 'name'],
  [/^steps\.(?:download-kubelet|download-kube-log-runner)\b/, 'kubernetes.version'],
  [/^steps\.download-kube-proxy\b/, 'kubernetes.kubeProxy'],
  [/^steps\.download-kubeadm\b/, 'kubernetes.kubeadm'],
  [/^steps\.archive-containerd\b/, 'containerd.version'],
  [/^steps\.archive-crictl\b/, 'containerd.crictl'],
  ...everyCni.flatMap(({ decides }) => decides),
  [/^steps\.archive-cni-plugins\b/, 'network.cniPlugins'],
  [/^steps\.image-sandbox\b/, 'sandboxImage'],
  [/^steps\.page-file\b/, 'host.pageFileMiB'],
  [/^steps\.power-plan\b/, 'host.powerPlan'],
  [/^steps\.time-service\b/, 'host.timeServers'],
  [/^steps\.feature-/, 'host.features'],
  [/^steps\.firewall-kubelet\b.*\.from\b/, 'host.firewall.kubeletFrom'],
  [/^steps\.firewall-proxy-health\b.*\.from\b/, 'host.firewall.healthFrom'],
  [/^steps\.firewall-node-ports-\w+\.ports\b/, 'host.firewall.nodePortRange'],
  [/^steps\.firewall-node-ports-\w+\.from\b/, 'host.firewall.nodePortsFrom'],
  [/^steps\.hns-network\b/, 'network.mode'],
  [/^preflight\.windows-build\b/, 'windows.release'],
  [/^preflight\.revision-/, 'windows.revision'],
]

function nodeFieldOf(path: Path): Path | undefined {
  const key = path.join('.')
  const row = nodeFields.find(([pattern]) => pattern.test(key))
  return parsePath(row?.[1] ?? settingOfFlag(path)?.field ?? '')
}
