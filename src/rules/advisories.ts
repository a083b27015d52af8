// Component versions with a known CVE or defect.
import { cniOf } from '../cni/index.ts'
import { advisoriesOf, advisoryText } from '../matrix/advisories.ts'
import { defects, isDefective } from '../matrix/defects.ts'
import type { Facts } from '../model/facts.ts'
import type { Severity } from '../model/finding.ts'
import type { Advisory, Defect } from '../model/tables.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { components, pluginComponents } from './components.ts'

/** Components whose CVEs and other advisories are tracked, under the names that the advisory table uses. */
const tracked = [
  ...(['kubelet', 'kube-proxy', 'containerd'] as const).map((id) => ({ id, ...components[id] })),
  ...pluginComponents,
]

/** The severity of the finding, by whether the advisory applies to Windows nodes and by its rating. */
const severities = {
  yes: { critical: 'error', high: 'error', medium: 'warning', low: 'info', unrated: 'warning' },
  // The message names the condition. Few nodes meet it, so the finding is no error.
  conditional: {
    critical: 'warning',
    high: 'warning',
    medium: 'info',
    low: 'info',
    unrated: 'info',
  },
  // The advisory does not state if Windows is affected.
  unverified: {
    critical: 'warning',
    high: 'warning',
    medium: 'info',
    low: 'info',
    unrated: 'info',
  },
} as const satisfies Record<Advisory['applies'], Record<Advisory['severity'], Severity>>

/** An unfixed advisory that may not apply gives the reader nothing to do. */
function isActionable({ applies, fixedIn }: Advisory): boolean {
  return applies === 'yes' || fixedIn.length > 0
}

export const knownAdvisory = defineRule({
  id: 'version-has-advisory',
  severity: 'error',
  harm: 'exposes',
  weighed: true,
  part: 'CVE',
  summary: 'No component has a known CVE or advisory.',
  remedy: 'Upgrade to a version with the fix.',
  upgrades: ['kubelet', 'kube-proxy', 'containerd'],
  see: 'https://kubernetes.io/docs/reference/issues-security/official-cve-feed/',
  check: ({ spec }) =>
    tracked.flatMap(({ id, path, version, used }) => {
      const found = used(spec) ? advisoriesOf(id, version(spec)).filter(isActionable) : []
      return found.map((row): Conflict => ({
        path,
        severity: severities[row.applies][row.severity],
        see: row.see,
        message: `${id} ${version(spec)}: ${advisoryText(row)}`,
      }))
    }),
})

/** Conditions under which a defect occurs, beside the affected version. */
const conditions: Readonly<Record<NonNullable<Defect['only']>, (facts: Facts) => boolean>> = {
  'dual-stack': ({ spec }) => spec.network.podCIDRs.length > 1,
  'hyper-v': ({ spec }) => spec.isolation.hyperV,
  'host-process': ({ spec }) => cniOf(spec.network.cni).hostProcess,
  'sandbox-tag-and-digest': ({ sandbox }) =>
    sandbox.tag !== undefined && sandbox.digest !== undefined,
}

function isAffected(row: Defect, facts: Facts, version: string): boolean {
  return (
    isDefective(row, version) &&
    (row.builds?.includes(facts.windows.build) ?? true) &&
    (row.mode === undefined || row.mode === facts.spec.network.mode) &&
    (row.only === undefined || conditions[row.only](facts))
  )
}

/** One rule for each known defect, so that each can be ignored by its own id. */
export const defectRules: readonly Rule[] = defects.map((row) =>
  defineRule({
    id: row.id,
    severity: row.severity,
    harm: 'breaks',
    part: 'defect',
    summary: `No ${row.component} ${row.range}: ${row.effect}.`,
    remedy:
      row.fixedIn.length > 0
        ? 'Upgrade to a version with the fix.'
        : 'No version with a fix is known.',
    upgrades: row.fixedIn.length > 0 ? [row.component] : [],
    see: row.see,
    check: (facts) => {
      const { path, version: read, used } = components[row.component]
      const version = read(facts.spec)
      if (!used(facts.spec) || !isAffected(row, facts, version)) return []
      return [{ path, message: `${row.component} ${version}: ${row.effect}` }]
    },
  }),
)
