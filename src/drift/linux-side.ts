// Compares the network plugin's configuration on Linux nodes with what the profile needs.
import { cniOf } from '../cni/index.ts'
import type { LinuxSetting } from '../cni/plugin.ts'
import type { Drift } from '../model/drift.ts'
import { type Json, type JsonObject, valueAtGoKey } from '../model/json.ts'
import { formatPath } from '../model/path.ts'
import type { CniName } from '../model/plugin-settings.ts'
import type { NodeSpec } from '../model/spec.ts'
import { nodeDrift } from './node-drift.ts'
import { formatValue } from './format-value.ts'

interface LinuxDocument {
  readonly value: JsonObject
  readonly where: string
}

/** Linux nodes that read it again, such as after a restart, then have no network. */
export function brokenLinuxSide({
  cni,
  what,
  key,
}: {
  readonly cni: CniName
  readonly what: string
  readonly key: string
}): Drift {
  const { title } = cniOf(cni)
  return nodeDrift({
    id: 'cluster-differs',
    severity: 'error',
    weight: 'drift',
    subject: `cluster/${what}#${key}`,
    message: `${what}, ${key}: it is no JSON object, so ${title} on Linux nodes cannot read it when it starts`,
    remedy: 'Correct it: JSON has no comments, and no comma before a closing bracket.',
    owner: 'theirs',
    need: 'nothing',
  })
}

/** Another plugin is reported for network.cni, and its settings cannot be compared. */
export function linuxSideDrifts(
  documents: ReadonlyMap<CniName, LinuxDocument>,
  spec: NodeSpec,
): readonly Drift[] {
  const settings = cniOf(spec.network.cni).linuxSide?.(spec) ?? []
  const document = documents.get(spec.network.cni)
  if (!document)
    return documents.size > 0 || settings.length === 0 ? [] : [notCompared(settings, spec)]
  const drifts = settings.flatMap((setting) => {
    const actual = valueAtGoKey(document.value, setting.key)
    const value = actual ?? setting.byDefault
    if (value === undefined || equal(value, setting.expected)) return []
    return [{ drift: differs(setting, document.where, actual, value), kind: setting.onWindows }]
  })
  const end = drifts.findIndex(({ kind }) => kind)
  return drifts.slice(0, end < 0 ? undefined : end + 1).map(({ drift }) => drift)
}

function differs(
  { key, expected, field, onWindows }: LinuxSetting,
  where: string,
  actual: Json | undefined,
  value: Json,
): Drift {
  const unsupported = onWindows?.some((one) => equal(one, value)) === false
  const name = `${where}, ${formatPath(key)}`
  const state =
    actual === undefined
      ? `is not set, so Linux nodes use ${formatValue(value)}`
      : `is ${formatValue(value)}`
  const consequence = unsupported ? ', which Windows nodes do not support' : ''
  return nodeDrift({
    id: 'cluster-differs',
    severity: unsupported ? 'error' : 'warning',
    weight: 'drift',
    subject: `cluster/${formatPath(field ?? ['network', ...key])}`,
    message: `${name} ${state}${consequence}, expected ${formatValue(expected)}`,
    remedy: `Change ${formatPath(key)} in the plugin’s ConfigMap (cluster/README.md), or set the cluster’s value in the profile.`,
    was: actual,
    should: expected,
    owner: 'theirs',
    // No change on the node: the cluster or the profile must change.
    need: 'nothing',
    ...(field && { field }),
  })
}

/** Without a ConfigMap of the plugin, as in k3s, the settings cannot be compared. */
function notCompared(settings: readonly LinuxSetting[], { network }: NodeSpec): Drift {
  const { title } = cniOf(network.cni)
  const names = settings.map(({ key }) => formatPath(key)).join(', ')
  return nodeDrift({
    id: 'linux-side-unknown',
    severity: 'info',
    weight: 'informational',
    subject: 'cluster/network.cni',
    message: `ConfigMap of ${title}: not found; settings on Linux nodes were not compared: ${names}`,
    remedy: 'Compare the configuration file on Linux nodes with cluster/linux-side.',
    owner: 'theirs',
    need: 'nothing',
  })
}

/** Names of backends and bytes in hex are compared without case, as the plugins do. */
function equal(a: Json, b: Json): boolean {
  return JSON.stringify(a).toLowerCase() === JSON.stringify(b).toLowerCase()
}
