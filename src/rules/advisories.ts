// Versions with a known advisory or defect.
import { cniOf } from '../cni/index.ts'
import { advisoriesOf } from '../matrix/advisories.ts'
import { defects } from '../matrix/defects.ts'
import { inRange } from '../matrix/version.ts'
import type { Facts } from '../model/facts.ts'
import type { Severity } from '../model/finding.ts'
import type { Path } from '../model/path.ts'
import type { Advisory, Defect } from '../model/rows.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import type { NodeSpec } from '../model/spec.ts'

interface Component {
  readonly name: string
  readonly path: Path
  readonly version: (spec: NodeSpec) => string
  /** Absent where every node has it. */
  readonly used?: (spec: NodeSpec) => boolean
}

const withFlannel = ({ network }: NodeSpec) => network.cni === 'flannel'

const known: readonly Component[] = [
  { name: 'kubelet', path: ['kubernetes', 'version'], version: (spec) => spec.kubernetes.version },
  {
    name: 'kube-proxy',
    path: ['kubernetes', 'kubeProxy'],
    version: (spec) => spec.kubernetes.kubeProxy,
    used: ({ network }) => cniOf(network.cni).kubeProxy,
  },
  {
    name: 'containerd',
    path: ['containerd', 'version'],
    version: (spec) => spec.containerd.version,
  },
  {
    name: 'cni',
    path: ['network', 'cniPlugins'],
    version: (spec) => spec.network.cniPlugins,
    used: withFlannel,
  },
  {
    name: 'flannel',
    path: ['network', 'flannel', 'version'],
    version: (spec) => spec.network.flannel.version,
    used: withFlannel,
  },
]

const componentsOf = (spec: NodeSpec) => known.filter(({ used }) => used?.(spec) ?? true)

const bands = {
  yes: { critical: 'error', high: 'error', medium: 'warning', low: 'info' },
  // The condition is told; few nodes meet it.
  conditional: { critical: 'warning', high: 'warning', medium: 'info', low: 'info' },
  // Nobody has said that Windows is affected, nor that it is not.
  unverified: { critical: 'warning', high: 'warning', medium: 'info', low: 'info' },
} as const satisfies Record<Advisory['applies'], Record<Advisory['severity'], Severity>>

/** Without a fix, and under a condition that a node of winnode does not meet, it only makes noise. */
function concerns({ applies, fixedIn }: Advisory): boolean {
  return applies === 'yes' || fixedIn.length > 0
}

export const knownAdvisory = defineRule({
  id: 'version-has-advisory',
  severity: 'error',
  summary: 'No component has a known advisory.',
  remedy: 'Choose a version with the fix.',
  see: 'https://kubernetes.io/docs/reference/issues-security/official-cve-feed/',
  refs: [
    'sizing/SUP018',
    'sizing/SUP019',
    'k8s-matrix/SEC003',
    'k8s-matrix/SEC004',
    'k8s-matrix/SEC005',
    'k8s-matrix/SEC006',
    'k8s-matrix/CTD011',
    'k8s-matrix/KLT014',
  ],
  check: ({ spec }) =>
    componentsOf(spec).flatMap(({ name, path, version }) =>
      advisoriesOf(name, version(spec))
        .filter(concerns)
        .map((row): Conflict => {
          const fixes = row.fixedIn.length > 0 ? `; fixed in ${row.fixedIn.join(', ')}` : ''
          const condition = row.condition === undefined ? '' : ` (${row.condition})`
          return {
            path,
            severity: bands[row.applies][row.severity],
            see: row.see,
            message: `${name} ${version(spec)} has ${row.id}, ${row.severity}: ${row.summary}${condition}${fixes}`,
          }
        }),
    ),
})

/** What a defect needs beside its version. */
const conditions: Readonly<Record<NonNullable<Defect['only']>, (facts: Facts) => boolean>> = {
  'dual-stack': ({ spec }) => spec.network.podCIDRs.length > 1,
  'hyper-v': ({ spec }) => spec.isolation.hyperV,
  'host-process': ({ spec }) => cniOf(spec.network.cni).hostProcess,
  'sandbox-tag-and-digest': ({ sandbox }) =>
    sandbox.tag !== undefined && sandbox.digest !== undefined,
}

function holds(row: Defect, facts: Facts, version: string): boolean {
  return (
    inRange(version, row.range) &&
    (row.builds?.includes(facts.windows.build) ?? true) &&
    (row.mode === undefined || row.mode === facts.spec.network.mode) &&
    (row.only === undefined || conditions[row.only](facts))
  )
}

/** One rule for each known defect, so that its id says which. */
export const defectRules: readonly Rule[] = defects.map((row) =>
  defineRule({
    id: row.id,
    severity: row.severity,
    summary: `No ${row.component} ${row.range}: ${row.effect}.`,
    remedy:
      row.fixedIn.length > 0
        ? `Choose ${row.fixedIn.join(', ')} or newer.`
        : 'Choose another version.',
    see: row.see,
    refs: row.refs ?? [],
    check: (facts) => {
      const component = componentsOf(facts.spec).find(({ name }) => name === row.component)
      const version = component?.version(facts.spec)
      if (!component || version === undefined || !holds(row, facts, version)) return []
      return [{ path: component.path, message: `${row.component} ${version}: ${row.effect}` }]
    },
  }),
)
