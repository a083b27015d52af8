// Component versions with a known CVE or defect.
import { advisoriesOf, advisoryText } from '../matrix/advisories.ts'
import { defects } from '../matrix/defects.ts'
import type { FoundAdvisory, Severity } from '../model/finding.ts'
import type { Advisory } from '../model/tables.ts'
import { defineRule, type Conflict, type Rule } from '../model/rule.ts'
import { components, pluginComponents } from './components.ts'
import { defectRule } from './defect-rule.ts'

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
  severityVaries: true,
  countedAs: 'CVE',
  summary: 'No component has a known CVE or advisory.',
  remedy: 'Upgrade to a version with the fix.',
  upgrades: ['kubelet', 'kube-proxy', 'containerd'],
  see: 'https://kubernetes.io/docs/reference/issues-security/official-cve-feed/',
  check: ({ spec, added }) =>
    tracked.flatMap(({ id, path, version, used }) => {
      const found = used(spec) ? advisoriesOf(id, version(spec), added).filter(isActionable) : []
      return found.map((row): Conflict => ({
        path,
        severity: severities[row.applies][row.severity],
        see: row.see,
        message: `${id} ${version(spec)}: ${advisoryText(row)}`,
        advisory: foundAdvisory(id, version(spec), row),
      }))
    }),
})

function foundAdvisory(component: string, version: string, row: Advisory): FoundAdvisory {
  const { id, severity, applies, condition, fixedIn } = row
  const found = { id, component, version, severity, applies, fixedIn }
  return condition === undefined ? found : { ...found, condition }
}

/** One rule for each known defect, so that each can be ignored by its own id. */
export const defectRules: readonly Rule[] = defects.map(defectRule)
