// Fields of kubelet.config and kubeProxy.config: known to the chosen version, and with an effect on Windows.
import { fileOf, placeOf, settingOf } from '../components/config-table.ts'
import { configTables } from '../components/index.ts'
import { kubelet } from '../components/kubelet.ts'
import { fieldNames, fieldOfMinors, isLinuxOnly, writtenFields } from '../matrix/config-fields.ts'
import { nearest } from '../text/nearest.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, when, type Conflict, type Rule } from '../model/rule.ts'

export const configFieldRules: readonly Rule[] = configTables.flatMap((component) => {
  const { name, home, fields, see } = component
  const written = (facts: Facts) =>
    writtenFields(fileOf(component, facts), fields, component.version(facts.spec))
  return [
    defineRule({
      id: `${name}-field-unknown`,
      severity: 'error',
      summary: `Fields of ${home}.config exist in the chosen ${name} version.`,
      remedy: 'Remove the field, or use a version that has it.',
      upgrades: [name],
      see,
      check: (facts) => {
        const version = component.version(facts.spec)
        // Reads `config` only, not the whole file: a refused value in another field must not hide these findings.
        // That winnode's own keys exist in every version is tested in test/judge.
        const given = writtenFields(facts.spec[home].config, fields, version, [home, 'config'])
        const unknown = given.filter(({ field }) => !field)
        const names = unknown.length > 0 ? fieldNames(fields) : []
        return unknown.map(({ key, path }): Conflict => {
          const row = fieldOfMinors(fields, key)
          const since =
            row?.added !== undefined
              ? `; it was added in ${row.added}`
              : row?.removed !== undefined
                ? `; it was removed in ${row.removed}`
                : ''
          const message = `${name} ${version} has no field ${key}${since}`
          return { path, at: 'key', message, ...didYouMean(key, names) }
        })
      },
    }),
    defineRule({
      id: `${name}-field-linux-only`,
      severity: 'warning',
      harm: 'limits',
      summary: `Fields of ${home}.config have an effect on Windows.`,
      remedy: 'Remove the field.',
      see,
      check: (facts) =>
        written(facts)
          .filter(({ key }) => isLinuxOnly(fields, key))
          .flatMap(({ key, path }): readonly Conflict[] => {
            const place = placeOf(component, facts.spec, path)
            return place
              ? [{ path: place, at: 'key', message: `${key} has no effect on Windows` }]
              : []
          }),
    }),
  ]
})

/** Suggests a field that differs only in case first: the programs do not accept MaxPods for maxPods. */
function didYouMean(key: string, names: readonly string[]): { readonly remedy?: string } {
  if (names.includes(key)) return {}
  // Lowered outside of the loop, because keys can be very long and this runs again for each suggested upgrade.
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
  summary: 'Resource managers need the feature gate WindowsCPUAndMemoryAffinity on Windows.',
  remedy:
    'Remove the policy, or enable the feature gate WindowsCPUAndMemoryAffinity if the kubelet has it.',
  see: 'https://kubernetes.io/docs/concepts/policy/node-resource-managers/',
  check: (facts) =>
    managers.flatMap((manager) => {
      const { value: policy, path } = settingOf(kubelet, facts, manager)
      const acts = typeof policy === 'string' && policy.toLowerCase() !== 'none'
      return when(
        acts && facts.spec.kubelet.featureGates['WindowsCPUAndMemoryAffinity'] !== true,
        path,
        `${manager} has no effect on Windows without the feature gate WindowsCPUAndMemoryAffinity`,
      )
    }),
})
