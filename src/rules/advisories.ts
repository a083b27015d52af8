// Versions with a known advisory or defect.
import { cniOf } from '../cni/index.ts'
import { advisoriesOf } from '../matrix/advisories.ts'
import { defects, isDefective } from '../matrix/defects.ts'
import type { Facts } from '../model/facts.ts'
import type { Severity } from '../model/finding.ts'
import type { Advisory, Defect } from '../model/rows.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { components, pluginComponents } from './components.ts'

/** What a profile gives a version to, by the names that the advisories use. */
const judged = [
  ...(['kubelet', 'kube-proxy', 'containerd'] as const).map((id) => ({ id, ...components[id] })),
  ...pluginComponents,
]

const bands = {
  yes: { critical: 'error', high: 'error', medium: 'warning', low: 'info', unrated: 'warning' },
  // The condition is told; few nodes meet it.
  conditional: {
    critical: 'warning',
    high: 'warning',
    medium: 'info',
    low: 'info',
    unrated: 'info',
  },
  // Nobody has said that Windows is affected, nor that it is not.
  unverified: {
    critical: 'warning',
    high: 'warning',
    medium: 'info',
    low: 'info',
    unrated: 'info',
  },
} as const satisfies Record<Advisory['applies'], Record<Advisory['severity'], Severity>>

/** Without a fix, and under a condition that a node of winnode does not meet, it only makes noise. */
function concerns({ applies, fixedIn }: Advisory): boolean {
  return applies === 'yes' || fixedIn.length > 0
}

export const knownAdvisory = defineRule({
  id: 'version-has-advisory',
  severity: 'error',
  harm: 'exposes',
  weighed: true,
  summary: 'No component has a known advisory.',
  remedy: 'Choose a version with the fix.',
  upgrades: ['kubelet', 'kube-proxy', 'containerd'],
  see: 'https://kubernetes.io/docs/reference/issues-security/official-cve-feed/',
  check: ({ spec }) =>
    judged.flatMap(({ id, path, version, used }) => {
      const found = used(spec) ? advisoriesOf(id, version(spec)).filter(concerns) : []
      return found.map((row): Conflict => {
        const fixes = row.fixedIn.length > 0 ? `; fixed in ${row.fixedIn.join(', ')}` : ''
        const condition = row.condition === undefined ? '' : ` (${row.condition})`
        return {
          path,
          severity: bands[row.applies][row.severity],
          see: row.see,
          message: `${id} ${version(spec)} has ${row.id}, ${row.severity}: ${row.summary}${condition}${fixes}`,
        }
      })
    }),
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
    isDefective(row, version) &&
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
    harm: 'breaks',
    summary: `No ${row.component} ${row.range}: ${row.effect}.`,
    remedy:
      row.fixedIn.length > 0 ? 'Choose a version with the fix.' : 'No version with a fix is known.',
    upgrades: row.fixedIn.length > 0 ? [row.component] : [],
    see: row.see,
    check: (facts) => {
      const { path, version: read, used } = components[row.component]
      const version = read(facts.spec)
      if (!used(facts.spec) || !holds(row, facts, version)) return []
      return [{ path, message: `${row.component} ${version}: ${row.effect}` }]
    },
  }),
)
