// Whole kubelet and kube-proxy configuration files: types and constraints, as the programs check them at start.
import { configTables } from '../components/index.ts'
import { kubelet } from '../components/kubelet.ts'
import type { ConfigTable } from '../components/config-table.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { constraintConflicts, defaultedZeros, typeConflicts } from './settings/check.ts'
import { effectiveConfig, type EffectiveConfig } from './settings/effective.ts'

const ofFile =
  (component: ConfigTable, check: (file: EffectiveConfig) => readonly Conflict[]): Rule['check'] =>
  (facts) =>
    check(effectiveConfig(component, facts))

const exitsAtStart = defineRule({
  id: 'kubelet-setting-ends-start',
  severity: 'error',
  summary: 'The kubelet does not exit because of a setting it accepted.',
  remedy: 'Change the value as stated, or remove it.',
  see: kubelet.see,
  check: ofFile(kubelet, (file) => constraintConflicts(file, 'late')),
})

const ofBoth = configTables.flatMap((component) => {
  const { name, home, see } = component
  return [
    defineRule({
      id: `${name}-setting-mistyped`,
      severity: 'error',
      summary: `Fields of ${home}.config have the types that ${name} expects.`,
      remedy: 'Change the value as stated.',
      see,
      check: ofFile(component, typeConflicts),
    }),
    defineRule({
      id: `${name}-setting-refused`,
      severity: 'error',
      summary: `${name} accepts the values in ${home}.config.`,
      remedy: 'Change the value as stated, or remove it.',
      see,
      check: ofFile(component, (file) => constraintConflicts(file, 'refused')),
    }),
    defineRule({
      id: `${name}-setting-ignored`,
      severity: 'warning',
      harm: 'limits',
      summary: `Settings in ${home}.config have an effect.`,
      remedy: 'Remove the field.',
      see,
      check: ofFile(component, (file) => [
        ...constraintConflicts(file, 'ignored'),
        ...defaultedZeros(file),
      ]),
    }),
  ]
})

export const settingRules: readonly Rule[] = [...ofBoth, exitsAtStart]
