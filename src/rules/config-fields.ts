// Pass-through settings: fields and gates that the chosen version knows and that do something.
import { hasField, writtenFields } from '../matrix/config-fields.ts'
import { kubeProxyFields } from '../matrix/kube-proxy-fields.ts'
import { kubeletFields } from '../matrix/kubelet-fields.ts'
import { nearest } from '../model/nearest.ts'
import type { ConfigField } from '../model/config-rows.ts'
import { defineRule, when, type Conflict, type Rule } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'

const components = [
  {
    name: 'kubelet',
    field: 'kubelet',
    fields: kubeletFields,
    version: ({ kubernetes }: NodeSpec) => kubernetes.version,
    of: ({ kubelet }: NodeSpec) => kubelet,
    see: 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/',
  },
  {
    name: 'kube-proxy',
    field: 'kubeProxy',
    fields: kubeProxyFields,
    version: ({ kubernetes }: NodeSpec) => kubernetes.kubeProxy,
    of: ({ kubeProxy }: NodeSpec) => kubeProxy,
    see: 'https://kubernetes.io/docs/reference/config-api/kube-proxy-config.v1alpha1/',
  },
] as const

export const configFieldRules: readonly Rule[] = components.flatMap(
  ({ name, field, fields, version, of, see }) => [
    defineRule({
      id: `${name}-field-unknown`,
      severity: 'error',
      summary: `Fields of ${field}.config exist in this version of ${name}.`,
      remedy: 'Remove the field, or choose a version that has it.',
      moves: [name],
      see,
      check: ({ spec }) =>
        writtenFields(of(spec).config, fields, [field, 'config']).flatMap(
          ({ key, path, row }): readonly Conflict[] => {
            if (row && hasField(row, version(spec))) return []
            const since =
              row?.added !== undefined
                ? `; it came with ${row.added}`
                : row?.removed !== undefined
                  ? `; it went with ${row.removed}`
                  : ''
            const message = `${name} ${version(spec)} has no field ${key}${since}`
            return [{ path, at: 'key', message, ...didYouMean(key, fields) }]
          },
        ),
    }),
    defineRule({
      id: `${name}-field-linux-only`,
      severity: 'warning',
      harm: 'limits',
      summary: `Fields of ${field}.config have an effect on Windows.`,
      remedy: 'Remove the field.',
      see,
      check: ({ spec }) =>
        writtenFields(of(spec).config, fields, [field, 'config'])
          .filter(({ row }) => row?.linuxOnly)
          .map(({ key, path }) => ({
            path,
            at: 'key' as const,
            message: `${key} has no effect on Windows`,
          })),
    }),
  ],
)

/** Field names are told apart by case: MaxPods is ignored where maxPods is meant. */
function didYouMean(
  key: string,
  fields: Readonly<Record<string, ConfigField>>,
): { readonly remedy?: string } {
  if (Object.hasOwn(fields, key)) return {}
  const names = Object.keys(fields)
  // Once: a key may be long, and is looked at again for each version that is tried.
  const folded = key.toLowerCase()
  const same = names.find((name) => name.toLowerCase() === folded)
  const guess = same ?? nearest(key, names)
  return guess === undefined ? {} : { remedy: `Did you mean ${guess}?` }
}

const managers = ['cpuManagerPolicy', 'memoryManagerPolicy', 'topologyManagerPolicy'] as const

export const managerWithoutGate = defineRule({
  id: 'resource-manager-without-effect',
  severity: 'warning',
  harm: 'limits',
  summary: 'Resource managers act on Windows only with their gate.',
  remedy:
    'Remove the policy, or set the gate WindowsCPUAndMemoryAffinity where the kubelet has it.',
  see: 'https://kubernetes.io/docs/concepts/policy/node-resource-managers/',
  check: ({ spec: { kubelet } }) =>
    managers.flatMap((manager) => {
      const policy = kubelet.config[manager]
      const acts = typeof policy === 'string' && policy.toLowerCase() !== 'none'
      return when(
        acts && kubelet.featureGates['WindowsCPUAndMemoryAffinity'] !== true,
        ['kubelet', 'config', manager],
        `${manager} has no effect on Windows without WindowsCPUAndMemoryAffinity`,
      )
    }),
})
