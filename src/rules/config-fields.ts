// Fields of kubelet.config and kubeProxy.config: known to the chosen version, and with an effect on Windows.
import { fileOf, placeOf, settingOf } from '../components/config-table.ts'
import { configTables } from '../components/index.ts'
import { kubelet } from '../components/kubelet.ts'
import { isLinuxOnly, writtenFields } from '../matrix/config-fields.ts'
import type { Facts } from '../model/facts.ts'
import { isObject } from '../model/json.ts'
import { defineRule, when, type Conflict, type Rule } from '../model/rule.ts'
import { fieldUnknown } from './settings/field-unknown.ts'

export const configFieldRules: readonly Rule[] = configTables.flatMap((component) => {
  const { name, home, see } = component
  const written = (facts: Facts) =>
    writtenFields(fileOf(component, facts), name, component.version(facts.spec))
  return [
    fieldUnknown(component),
    defineRule({
      id: `${name}-field-linux-only`,
      severity: 'warning',
      harm: 'limits',
      summary: `Fields of ${home}.config have an effect on Windows.`,
      remedy: 'Remove the field.',
      see,
      check: (facts) =>
        written(facts)
          .filter(({ key }) => isLinuxOnly(name, key))
          .flatMap(({ key, path }): readonly Conflict[] => {
            const place = placeOf(component, facts.spec, path)
            return place
              ? [{ path: place, at: 'key', message: `${key} has no effect on Windows` }]
              : []
          }),
    }),
  ]
})

const managers = [
  'cpuManagerPolicy',
  'cpuManagerPolicyOptions',
  'memoryManagerPolicy',
  'topologyManagerPolicy',
  'topologyManagerPolicyOptions',
] as const

export const managerWithoutGate = defineRule({
  id: 'resource-manager-without-effect',
  severity: 'warning',
  harm: 'limits',
  summary: 'Resource managers need the feature gate WindowsCPUAndMemoryAffinity on Windows.',
  remedy:
    'Remove the field, or enable the feature gate WindowsCPUAndMemoryAffinity if the kubelet has it.',
  see: 'https://kubernetes.io/docs/concepts/policy/node-resource-managers/',
  check: (facts) =>
    managers.flatMap((manager) => {
      const { value, path } = settingOf(kubelet, facts, manager)
      const acts =
        (typeof value === 'string' && value.toLowerCase() !== 'none') ||
        (isObject(value) && Object.keys(value).length > 0)
      return when(
        acts && facts.spec.kubelet.featureGates['WindowsCPUAndMemoryAffinity'] !== true,
        path,
        `${manager} has no effect on Windows without the feature gate WindowsCPUAndMemoryAffinity`,
      )
    }),
})
