// The constraints on a program’s settings that hold in a version; made when somebody first asks.
import type { Constraint } from '../model/constraint.ts'
import { kubeProxyConstraints } from './constraints/kube-proxy.ts'
import { kubeletConstraints } from './constraints/kubelet.ts'
import { inRange } from './version.ts'

const tables = { kubelet: kubeletConstraints, 'kube-proxy': kubeProxyConstraints } as const

export type Constrained = keyof typeof tables

const made = new Map<Constrained, readonly Constraint[]>()

export function constraintsOf(program: Constrained): readonly Constraint[] {
  const rows = made.get(program) ?? tables[program]()
  made.set(program, rows)
  return rows
}

export function constraintsIn(program: Constrained, version: string): readonly Constraint[] {
  return constraintsOf(program).filter(
    ({ range }) => range === undefined || inRange(version, range),
  )
}
