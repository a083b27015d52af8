// The settings of the kubelet and kube-proxy, as their files have them: what the programs would say of them.
import { components } from '../components/index.ts'
import { kubelet } from '../components/kubelet.ts'
import type { Component } from '../components/component.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { brokenRows, replacedZeros, wrongTypes } from './settings/check.ts'
import { effectiveOf, type Effective } from './settings/effective.ts'

const judge =
  (component: Component, check: (file: Effective) => readonly Conflict[]): Rule['check'] =>
  (facts) =>
    check(effectiveOf(component, facts))

const endsStart = defineRule({
  id: 'kubelet-setting-ends-start',
  severity: 'error',
  summary: 'The kubelet starts its parts with the settings that it took.',
  remedy: 'Change the value as the message says, or remove it.',
  see: kubelet.see,
  check: judge(kubelet, (file) => brokenRows(file, 'late')),
})

const ofBoth = components.flatMap((component) => {
  const { name, home, see } = component
  return [
    defineRule({
      id: `${name}-setting-mistyped`,
      severity: 'error',
      summary: `Fields of ${home}.config have the types that ${name} reads.`,
      remedy: 'Write the value as the message says.',
      see,
      check: judge(component, wrongTypes),
    }),
    defineRule({
      id: `${name}-setting-refused`,
      severity: 'error',
      summary: `${name} takes the values of its settings, alone and together.`,
      remedy: 'Change the value as the message says, or remove it.',
      see,
      check: judge(component, (file) => brokenRows(file, 'refused')),
    }),
    defineRule({
      id: `${name}-setting-ignored`,
      severity: 'warning',
      harm: 'limits',
      summary: `${name} does what its settings say.`,
      remedy: 'Remove the field.',
      see,
      check: judge(component, (file) => [...brokenRows(file, 'ignored'), ...replacedZeros(file)]),
    }),
  ]
})

export const settingRules: readonly Rule[] = [...ofBoth, endsStart]
