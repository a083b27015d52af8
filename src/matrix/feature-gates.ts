// Feature gates that the kubelet and kube-proxy know, by minor: the stages of each.
//
// Notation of the tables: `1.30 Beta on, 1.34 GA on locked, 1.37 gone` gives the minor in which
// each stage begins, its default, and whether only the default is accepted; `gone` ends the gate.
// They are what the programs of each minor register. 1.27 could not be asked: where its neighbours differ,
// it is as one of them.
// https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/
import type { GateStage } from '../model/config-rows.ts'
import type { Ranged, Sourced } from '../model/rows.ts'
import { gatesAToC } from './feature-gates/a-c.ts'
import { gatesDToK } from './feature-gates/d-k.ts'
import { gatesLToR } from './feature-gates/l-r.ts'
import { gatesSToZ } from './feature-gates/s-z.ts'
import { inRange } from './version.ts'

export const featureGates: Readonly<Record<string, string>> = {
  ...gatesAToC,
  ...gatesDToK,
  ...gatesLToR,
  ...gatesSToZ,
}

/** The last minor whose programs were asked; 1.25 was the first. */
const lastMinor = 37
const completeGates = `>=1.25 <1.${lastMinor + 1}`

/** Whether a gate that the tables lack is certainly unknown. */
export function knowsEveryGate(version: string): boolean {
  return inRange(version, completeGates)
}

const stage = /^1\.(\d+) (?:(Alpha|Beta|GA|Deprecated) (on|off)( locked)?|gone)$/

/** Oldest first; empty for a gate that no minor of the tables knows. */
export function gateStages(name: string): readonly GateStage[] {
  const line = Object.hasOwn(featureGates, name) ? featureGates[name] : undefined
  if (line === undefined) return []
  const starts = line.split(', ').map((text) => stage.exec(text))
  return starts.flatMap((match, index) => {
    const kind = match?.[2]
    if (!match || !isStage(kind)) return []
    const next = starts[index + 1]
    const to = next ? Number(next[1]) - 1 : lastMinor
    return [
      {
        from: `1.${match[1]}`,
        to: `1.${to}`,
        stage: kind,
        default: match[3] === 'on',
        locked: match[4] !== undefined,
      },
    ]
  })
}

/** The stage that a gate has in a version; the last known one in versions after the tables. */
export function gateIn(name: string, version: string): GateStage | undefined {
  const open = `1.${lastMinor}`
  return gateStages(name).find(({ from, to }) =>
    inRange(version, to === open ? `>=${from}` : `>=${from} <=${to}`),
  )
}

const stages = ['Alpha', 'Beta', 'GA', 'Deprecated'] as const

function isStage(text: string | undefined): text is GateStage['stage'] {
  return stages.some((name) => name === text)
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

/** Gates of logging, which kube-proxy does not register before it reads `logging`. */
export const gatesOfKubelet: Ranged & Sourced & { readonly gates: readonly string[] } = {
  gates: ['ContextualLogging', 'LoggingAlphaOptions', 'LoggingBetaOptions'],
  range: '<1.27',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/cmd/kube-proxy/app/server.go',
  checked: '2026-11-20',
}

export function isOfKubeletOnly(gate: string, version: string): boolean {
  return gatesOfKubelet.gates.includes(gate) && inRange(version, gatesOfKubelet.range)
}
