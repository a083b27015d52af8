// Feature gates that the kubelet and kube-proxy of a version register.
// https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/
import { ownOf } from '../model/json.ts'
import type { Gate } from '../model/config-rows.ts'
import { tablesFor } from './minors.ts'

/** `undefined` if the programs of the version do not have the gate. */
export function gateIn(name: string, version: string): Gate | undefined {
  const { gates } = tablesFor(version)
  return ownOf(gates, name)
}

/** The gates that the kubelet or kube-proxy of a version registers. */
export function gatesOf(component: string, version: string): readonly string[] {
  return Object.entries(tablesFor(version).gates).flatMap(([name, { only }]) =>
    only === undefined || only === component ? [name] : [],
  )
}

/** component-base, featuregate/feature_gate.go: AllAlpha and AllBeta set what is not named itself. */
export function isOn(
  gate: string,
  gates: Readonly<Record<string, boolean>>,
  version: string,
): boolean {
  const row = gateIn(gate, version)
  const whole = `All${row?.stage ?? ''}`
  for (const name of [gate, whole]) if (Object.hasOwn(gates, name)) return gates[name] === true
  return row?.default === true
}

interface GateNeed {
  readonly gate: string
  readonly needs: readonly string[]
}

/**
 * Gates that need other gates: since 1.35 the programs exit if one is enabled without them.
 * https://github.com/kubernetes/component-base/blob/master/featuregate/feature_gate.go
 */
export function needsIn(version: string): readonly GateNeed[] {
  return Object.entries(tablesFor(version).gates).flatMap(([gate, { needs }]) =>
    needs ? [{ gate, needs }] : [],
  )
}
