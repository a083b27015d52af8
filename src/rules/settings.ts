// Settings that the kubelet and kube-proxy are given as they are: what the programs would say of them.
import { isObject, type JsonObject } from '../model/json.ts'
import type { Facts } from '../model/facts.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { brokenRows, replacedZeros, wrongTypes } from './settings/check.ts'
import { kubelet, kubeProxy, type Component } from './settings/component.ts'

/** Most profiles give none, and ask the tables nothing. */
function given(component: Component, { spec }: Facts): boolean {
  const own: JsonObject = { ...component.own(spec), ...component.config(spec) }
  return Object.values(own).some((value) => !isObject(value) || Object.keys(value).length > 0)
}

const ask =
  (component: Component, check: (component: Component, facts: Facts) => readonly Conflict[]) =>
  (facts: Facts) => (given(component, facts) ? check(component, facts) : [])

const endsStart = defineRule({
  id: 'kubelet-setting-ends-start',
  severity: 'error',
  summary: 'The kubelet starts its parts with the settings that it took.',
  remedy: 'Change the value as the message says, or remove it.',
  see: kubelet.see,
  check: ask(kubelet, (which, facts) => brokenRows(which, facts, 'late')),
})

const ofBoth = [kubelet, kubeProxy].flatMap((component) => {
  const { name, home, see } = component
  return [
    defineRule({
      id: `${name}-setting-mistyped`,
      severity: 'error',
      summary: `Fields of ${home}.config have the types that ${name} reads.`,
      remedy: 'Write the value as the message says.',
      see,
      check: ask(component, wrongTypes),
    }),
    defineRule({
      id: `${name}-setting-refused`,
      severity: 'error',
      summary: `${name} takes the values of its settings, alone and together.`,
      remedy: 'Change the value as the message says, or remove it.',
      see,
      check: ask(component, (which, facts) => brokenRows(which, facts, 'refused')),
    }),
    defineRule({
      id: `${name}-setting-ignored`,
      severity: 'warning',
      harm: 'limits',
      summary: `${name} does what its settings say.`,
      remedy: 'Remove the field.',
      see,
      check: ask(component, (which, facts) => [
        ...brokenRows(which, facts, 'ignored'),
        ...replacedZeros(which, facts),
      ]),
    }),
  ]
})

export const settingRules: readonly Rule[] = [...ofBoth, endsStart]
