// Steps that download the programs of a node, and add their folders to PATH.
import { downloadOf } from '../downloads/download.ts'
import { programsOf } from '../downloads/programs.ts'
import type { Facts } from '../model/facts.ts'
import { layout } from '../model/layout.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'

export function programSteps(facts: Facts): readonly DraftStep[] {
  return inPhase('image', [
    ...programsOf(facts).map((program) => {
      const { url, copy, checksum } = downloadOf(
        program.source,
        program.version,
        facts.spec.artifacts,
      )
      if (!checksum) throw new Error(`${program.source} has no digest; a rule refuses that`)
      if (program.kind === 'file')
        return {
          kind: 'download' as const,
          id: `download-${program.source}`,
          after: ['directory-programs'],
          path: program.path,
          url,
          ...(copy === undefined ? {} : { copy }),
          checksum,
        }
      return {
        kind: 'archive' as const,
        id: `archive-${program.source}`,
        after: ['directory-programs', 'directory-containerd', 'directory-cni-bin'],
        url,
        ...(copy === undefined ? {} : { copy }),
        checksum,
        format: program.format,
        members: program.members,
      }
    }),
    { kind: 'pathEntry', id: 'path-programs', path: layout.programs },
    { kind: 'pathEntry', id: 'path-containerd', path: `${layout.containerd}\\bin` },
  ])
}
