// Feature gates: known to the chosen version, not locked, with the gates they depend on, and not redundant.
import { components } from '../components/index.ts'
import { gateIn, needsIn } from '../matrix/feature-gates.ts'
import { hasTables } from '../matrix/minors.ts'
import type { Path } from '../model/path.ts'
import { defineRule, when, type Conflict, type Rule } from '../model/rule.ts'
import { effectiveConfig, type EffectiveConfig } from './settings/effective.ts'

const reference = 'https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/'

export const gateRules: readonly Rule[] = components.flatMap((component) => {
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
      weighed: true,
      summary: `Feature gates of ${name} exist in its version.`,
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
          `${gate} is locked in ${name} ${version}, which would not start`,
        )
      }),
    }),
    defineRule({
      id: `${name}-gate-lacks-others`,
      severity: 'error',
      summary: 'Feature gates that are on have those that they need.',
      remedy: 'Turn both on, or both off.',
      see: 'https://github.com/kubernetes/component-base/blob/master/featuregate/feature_gate.go',
      check: (facts) => {
        const { version, gates, on } = effectiveConfig(component, facts)
        const set = Object.keys(gates)
        if (set.length === 0) return []
        return needsIn(version).flatMap(({ gate, needs }) => {
          const off = on(gate) ? needs.filter((need) => !on(need)) : []
          const said = set.filter((one) => one === gate || off.includes(one))
          const [where = ''] = [...said, ...set]
          return when(
            off.length > 0,
            placeOf(where),
            `${gate} is on and needs ${off.join(' and ')}; ${name} ${version} would not start`,
          )
        })
      },
    }),
    defineRule({
      id: `${name}-gate-needless`,
      severity: 'warning',
      harm: 'limits',
      summary: 'Feature gates are set only where they change something.',
      remedy: 'Remove the gate: it breaks the upgrade that drops it.',
      see: reference,
      check: forEachGate(({ version }, gate, value) => {
        const stage = gateIn(gate, version)
        if (stage?.stage !== 'GA' && stage?.stage !== 'Deprecated') return []
        if (!hasTables(version)) {
          const message = `${gate} is ${stage.stage} in the newest known minor; ${name} ${version} would not start if it is gone`
          return [{ path: placeOf(gate), message }]
        }
        return when(
          stage.default === value,
          placeOf(gate),
          `${gate} is ${stage.stage} in ${name} ${version}; setting it changes nothing`,
        )
      }),
    }),
  ]
})

/** A minor newer than the tables may have a gate that the tables lack, so there it is only a warning. */
function unknownGate(gate: string, name: string, version: string, path: Path): Conflict {
  if (hasTables(version))
    return {
      path,
      message: `${name} ${version} does not know the gate ${gate} and would not start`,
    }
  return {
    path,
    severity: 'warning',
    message: `the tables do not know the gate ${gate}; ${name} ${version} would not start if it does not either`,
  }
}

export const affinityNeedsRuntime = defineRule({
  id: 'cpu-affinity-needs-newer-containerd',
  severity: 'warning',
  harm: 'limits',
  summary: 'containerd applies the affinity that the kubelet decides.',
  remedy: 'Choose a newer containerd.',
  upgrades: ['containerd'],
  see: 'https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/4885-windows-cpu-and-memory-affinity',
  check: ({ spec, has }) =>
    when(
      spec.kubelet.featureGates['WindowsCPUAndMemoryAffinity'] === true &&
        !has('containerd-cpu-affinity'),
      ['kubelet', 'featureGates', 'WindowsCPUAndMemoryAffinity'],
      `containerd ${spec.containerd.version} starts containers without affinity`,
    ),
})
