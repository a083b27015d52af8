// Windows Server releases, by id or name.
import { typedNames, windowsReleases } from '../../matrix/windows.ts'
import { factsOf, type Topic } from './topic.ts'

const sinceText = (row: { readonly revision: number; readonly update: string } | undefined) =>
  row && `revision ${row.revision}, ${row.update}`

export const windowsTopic: Topic = {
  subjects: () =>
    windowsReleases.flatMap((release) => {
      const note = `windows.release: ${release.id}`
      return typedNames(release).map((name) =>
        name === release.id ? { name, note: release.name } : { name, note },
      )
    }),
  explain: (typed) =>
    windowsReleases
      .filter((one) => typedNames(one).includes(typed))
      .map((release) => ({
        kind: 'Windows release',
        name: release.name,
        what: `${release.channel} release with build ${release.build}: windows.release ${release.id}.`,
        facts: [
          ...factsOf({
            released: release.released,
            'mainstream support until': release.mainstreamEnd,
            'security updates until': release.extendedEnd,
          }),
          ...release.kubernetes.map(({ range, status, why }) => ({
            name: range === '*' ? 'Kubernetes' : `Kubernetes ${range}`,
            text: [status, why].filter(Boolean).join(': '),
          })),
          ...factsOf({
            'overlay networks need': sinceText(release.overlay),
            'direct server return needs': sinceText(release.dsr),
          }),
          ...release.knownBadRevisions.map(({ from, below, effect }) => ({
            name: `revisions ${from} to ${below - 1}`,
            text: effect,
          })),
        ],
        see: [release.see],
      })),
}
