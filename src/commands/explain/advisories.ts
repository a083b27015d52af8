// Advisories of a node's components, by the id of a CVE or of GitHub.
import { everyAdvisory } from '../../matrix/advisories.ts'
import { factsOf, type Topic, unique } from './topic.ts'

/** The id of the page: GHSA-742w-89gc-8m9c of https://github.com/containerd/containerd/security/advisories/GHSA-742w-89gc-8m9c */
const pageOf = (see: string) => see.slice(see.lastIndexOf('/') + 1).toLowerCase()

const applies = {
  yes: 'yes',
  conditional: undefined,
  unverified: 'unknown: the advisory does not say',
} as const

export const advisoryTopic: Topic = {
  subjects: ({ added }) =>
    everyAdvisory(added).map(({ id, component, severity, summary }) => ({
      name: id,
      note: `${component}, ${severity}: ${summary}`,
    })),
  explain: (name, { added }) =>
    everyAdvisory(added)
      .filter(({ id, see }) => id === name || pageOf(see) === name.toLowerCase())
      .map((row) => ({
        kind: `advisory for ${row.component}`,
        name: row.id,
        what: row.summary,
        facts: factsOf({
          severity: row.severity,
          'affects Windows': applies[row.applies] ?? row.condition,
          affected: row.affected,
          'fixed in': row.fixedIn.length > 0 ? row.fixedIn.join(', ') : 'no version',
          'found by': 'version-has-advisory, in winnode validate',
          mitigation: row.mitigation,
          'added by': added?.advisories?.includes(row) ? added.file : undefined,
        }),
        see: unique([row.see]),
      })),
}
