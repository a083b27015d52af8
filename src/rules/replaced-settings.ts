// Settings in kubelet.config and kubeProxy.config that another profile field sets, or that winnode fixes.
import { replacedAt, type ConfigTable, type ConfigRow } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { kubeProxy } from '../components/kube-proxy.ts'
import { configTables } from '../components/index.ts'
import { formatPath, type Path } from '../model/path.ts'
import type { NodeSpec } from '../model/spec.ts'
import { defineRule, type Conflict } from '../model/rule.ts'

/** A conflict for each path of `config` that replaces a row for which `messageOf` returns a message. */
function replacedRows(
  { home, rows }: ConfigTable,
  spec: NodeSpec,
  messageOf: (row: ConfigRow, key: string, place: Path) => string | undefined,
): readonly Conflict[] {
  const found = new Map<string, Conflict>()
  for (const row of rows) {
    // Such a row only explains a part of another row's value.
    if (row.value === undefined && row.fixed === undefined) continue
    const at = replacedAt(spec[home].config, row.at)
    if (!at) continue
    const path = [home, 'config', ...at]
    const message = messageOf(row, at.join('.'), path)
    const name = formatPath(path)
    if (message !== undefined && !found.has(name)) found.set(name, { path, at: 'key', message })
  }
  return [...found.values()]
}

export const settingHasProfileField = defineRule({
  id: 'setting-has-field-of-its-own',
  severity: 'error',
  summary: 'Settings with their own profile field are set there.',
  remedy: 'Move the value to that field.',
  see: kubelet.see,
  check: ({ spec }) =>
    configTables.flatMap((component) =>
      replacedRows(component, spec, ({ field }, _, place) =>
        field === undefined
          ? undefined
          : `${formatPath(place)} bypasses the checks and sizing; use ${field}`,
      ),
    ),
})

const fixedIn =
  (component: ConfigTable) =>
  ({ spec }: { readonly spec: NodeSpec }) =>
    replacedRows(component, spec, ({ fixed }, key) =>
      fixed === undefined ? undefined : `${key} cannot be set: ${fixed}`,
    )

export const fixedKubeletSetting = defineRule({
  id: 'kubelet-field-fixed',
  severity: 'error',
  summary: 'Settings that winnode fixes are not in kubelet.config.',
  remedy: 'Remove the field.',
  see: kubelet.see,
  check: fixedIn(kubelet),
})

export const fixedKubeProxySetting = defineRule({
  id: 'kube-proxy-late-value-overridden',
  severity: 'error',
  summary: 'Settings that the node fills in are not in kubeProxy.config.',
  remedy: 'Use the fields of network instead.',
  see: kubeProxy.see,
  check: fixedIn(kubeProxy),
})
