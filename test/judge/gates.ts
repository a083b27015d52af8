// Feature gates as the registry sets them: component-base, featuregate/feature_gate.go.
import { refused, warned, type Finding } from './finding.ts'
import { isBefore } from './minors.ts'
import { featureGates, type GateRow } from './tables.ts'

export type GateSettings = Readonly<Record<string, boolean>>

export interface Gates {
  readonly findings: readonly Finding[]
  readonly enabled: (gate: string) => boolean
}

export function judgeGates(settings: GateSettings, version: string): Gates {
  const rows = featureGates(version)
  const wholes: readonly (readonly [gate: string, stage: GateRow['stage']])[] = [
    ['AllAlpha', 'Alpha'],
    ['AllBeta', 'Beta'],
  ]
  const enabled = (gate: string): boolean => {
    const row = rows.get(gate)
    if (Object.hasOwn(settings, gate)) return settings[gate] === true
    const whole = wholes.find(([, stage]) => row?.stage === stage)?.[0] ?? ''
    return (Object.hasOwn(settings, whole) ? settings[whole] : row?.default) === true
  }
  const findings = Object.entries(settings).flatMap(([gate, value]) =>
    judgeSetting(gate, value, rows.get(gate)),
  )
  // SetFromMap stops at the first; what gates need of each other is asked of all that are on, from 1.35 on:
  // component-base, featuregate/feature_gate.go, AddDependencies.
  const untouched = Object.keys(settings).length === 0
  const lacking = untouched || isBefore(version, '1.35') ? [] : lacks(rows, enabled)
  return { findings: [...findings, ...lacking], enabled }
}

function judgeSetting(gate: string, value: boolean, row: GateRow | undefined): Finding[] {
  if (!row) return [refused(`unrecognized feature gate: ${gate}`)]
  if (row.locked && value !== row.default)
    return [
      refused(`cannot set feature gate ${gate} to ${value}, feature is locked to ${row.default}`),
    ]
  const stage = { GA: 'GA', Deprecated: 'deprecated', Alpha: '', Beta: '' }[row.stage]
  if (stage === '') return []
  return [
    warned(
      `Setting ${stage} feature gate ${gate}=${value}. It will be removed in a future release.`,
    ),
  ]
}

function lacks(
  rows: ReadonlyMap<string, GateRow>,
  enabled: (gate: string) => boolean,
): readonly Finding[] {
  return [...rows].flatMap(([gate, { needs = [] }]) => {
    const off = enabled(gate) ? needs.filter((need) => !enabled(need)) : []
    if (off.length === 0) return []
    const list = off.join(', ')
    return [refused(`${gate} is enabled, but depends on features that are disabled: [${list}]`)]
  })
}
