// The constraints on a program’s settings that hold in a version.
import tables from '#tables'
import type { Constraint } from '../model/tables.ts'
import { cipherSuites } from './cipher-suites.ts'
import { inRange } from './version.ts'

const { kubelet, 'kube-proxy': kubeProxy, logging } = tables.constraints

const tlsCipherSuites: Constraint = {
  path: 'tlsCipherSuites[]',
  oneOf: [
    ...cipherSuites.strong,
    ...cipherSuites.aliases,
    ...cipherSuites.fixed,
    ...cipherSuites.weak,
  ],
  see: 'https://github.com/kubernetes/component-base/blob/master/cli/flag/ciphersuites_flag.go',
}

const rowsOf = (groups: typeof logging): readonly Constraint[] =>
  groups.flatMap(({ see, rows }) => rows.map((row) => ({ ...row, see })))

const constraints = {
  kubelet: [...rowsOf(kubelet), tlsCipherSuites, ...rowsOf(logging)],
  'kube-proxy': [...rowsOf(logging), ...rowsOf(kubeProxy)],
} as const

type Constrained = keyof typeof constraints

export function constraintsOf(program: Constrained): readonly Constraint[] {
  return constraints[program]
}

export function constraintsIn(program: Constrained, version: string): readonly Constraint[] {
  return constraintsOf(program).filter(
    ({ range }) => range === undefined || inRange(version, range),
  )
}
