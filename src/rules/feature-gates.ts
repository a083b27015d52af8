// Feature gates: known to the chosen version, not locked, with the gates they depend on, and not redundant.
import { configTables } from '../components/index.ts'
import { gateIn, gatesOf, needsIn } from '../matrix/feature-gates.ts'
import { hasTables } from '../matrix/minors.ts'
import type { Path } from '../model/path.ts'
import { defineRule, when, type Conflict, type Rule } from '../model/rule.ts'
import { nearest } from '../text/nearest.ts'
import { effectiveConfig, type EffectiveConfig } from './settings/effective.ts'

const reference = 'https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/'

export const gateRules: readonly Rule[] = configTables.flatMap((component) => {
  const { name, home } = component
  const forEachGate =
    (
      check: (file: EffectiveConfig, gate: string, on: boolean) => readonly Conflict[],
    ): Rule['check'] =>
    (facts) => {
      const file = effectiveConfig(component, facts)
      return Object.entries(file.gates).flatMap(([gate, on]) => check(file, gate, on))
    }
  const placeOf = (gate: string) => [home, 'featureGates', gate]
  return [
    defineRule({
      id: `${name}-gate-unknown`,
      severity: 'error',
      severityVaries: true,
      summary: `Feature gates exist in the chosen ${name} version.`,
      remedy: 'Remove the gate.',
      see: reference,
      check: forEachGate(({ version }, gate) => {
        const row = gateIn(gate, version)
        return row === undefined || (row.only !== undefined && row.only !== name)
          ? [unknownGate(gate, name, version, placeOf(gate))]
          : []
      }),
    }),
    defineRule({
      id: `${name}-gate-locked`,
      severity: 'error',
      summary: 'Locked feature gates keep their default.',
      remedy: 'Remove the gate.',
      see: reference,
      check: forEachGate(({ version }, gate, value) => {
        const stage = gateIn(gate, version)
        return when(
          stage?.locked === true && stage.default !== value,
          placeOf(gate),
          `${gate} is locked to its default in ${name} ${version}; ${name} would not start`,
        )
      }),
    }),
    defineRule({
      id: `${name}-gate-lacks-others`,
      severity: 'error',
      summary: 'Feature gates that an enabled gate depends on are enabled.',
      remedy: 'Enable both, or disable both.',
      see: 'https://github.com/kubernetes/component-base/blob/master/featuregate/feature_gate.go',
      check: (facts) => {
        const { version, gates, on } = effectiveConfig(component, facts)
        const set = Object.keys(gates)
        if (set.length === 0) return []
        return needsIn(version).flatMap(({ gate, needs }) => {
          const off = on(gate) ? needs.filter((need) => !on(need)) : []
          const involved = set.filter((one) => one === gate || off.includes(one))
          const [where = ''] = [...involved, ...set]
          return when(
            off.length > 0,
            placeOf(where),
            `${gate} is enabled but needs ${off.join(' and ')}; ${name} ${version} would not start`,
          )
        })
      },
    }),
    defineRule({
      id: `${name}-gate-needless`,
      severity: 'warning',
      harm: 'limits',
      summary: 'Feature gates are not deprecated, and change the default of the chosen version.',
      remedy: 'Remove the gate: it breaks the upgrade to a version without it.',
      see: reference,
      check: forEachGate(({ version }, gate, value) => {
        const stage = gateIn(gate, version)
        if (stage?.stage !== 'GA' && stage?.stage !== 'Deprecated') return []
        if (!hasTables(version)) {
          const message = `${gate} is ${stage.stage} in the newest known minor; ${name} ${version} would not start if the gate is removed`
          return [{ path: placeOf(gate), message }]
        }
        const effect =
          stage.default === value ? 'setting it changes nothing' : 'a later minor removes it'
        return when(
          stage.default === value || stage.stage === 'Deprecated',
          placeOf(gate),
          `${gate} is ${stage.stage} in ${name} ${version}; ${effect}`,
        )
      }),
    }),
  ]
})

/** Only a warning for a minor newer than the known ones: it may have added the gate. */
function unknownGate(gate: string, name: string, version: string, path: Path): Conflict {
  const guess = nearest(gate, gatesOf(name, version))
  const help = guess === undefined ? {} : { remedy: `Did you mean ${guess}?` }
  if (hasTables(version))
    return {
      path,
      ...help,
      message: `${name} ${version} has no feature gate ${gate} and would not start`,
    }
  return {
    path,
    ...help,
    severity: 'warning',
    message: `unknown feature gate ${gate}; ${name} ${version} would not start if it has no such gate`,
  }
}

export const affinityNeedsRuntime = defineRule({
  id: 'cpu-affinity-needs-newer-containerd',
  severity: 'warning',
  harm: 'limits',
  summary: 'The containerd version supports CPU affinity.',
  remedy: 'Use a newer containerd.',
  upgrades: ['containerd'],
  see: 'https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/4885-windows-cpu-and-memory-affinity',
  check: ({ spec, has }) =>
    when(
      spec.kubelet.featureGates['WindowsCPUAndMemoryAffinity'] === true &&
        !has('containerd-cpu-affinity'),
      ['kubelet', 'featureGates', 'WindowsCPUAndMemoryAffinity'],
      `containerd ${spec.containerd.version} ignores CPU affinity`,
    ),
})
