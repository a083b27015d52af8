// Hindered: the failure that a person reads where a bundle could not be written to its folder.
import type { Written } from '../io/bundle.ts'
import { Failure } from './failure.ts'
import type { Ending } from './interruption.ts'

type Unwritten = Exclude<Written, { readonly kind: 'planned' }>

/** `out` is as a person typed it; `asked` is how the run was asked to end. */
export function hindered(unwritten: Unwritten, out: string, asked: Ending | undefined): Failure {
  switch (unwritten.kind) {
    case 'refused':
      return new Failure('usage', `${out} ${unwritten.reason}`)
    case 'given-up':
      return new Failure(asked ?? 'interrupted', `interrupted: ${unwritten.now}`)
    case 'unsettled':
      return new Failure('conflict', `something else changes ${out} at the same time`, [
        'nothing was changed; run it again when that has come to its end',
      ])
    case 'in-the-way':
      return new Failure(
        'conflict',
        `${unwritten.workspace} is in the way: winnode did not make it for this user`,
        [`winnode works there while it writes ${out}; move it away`],
      )
    case 'held': {
      const { workspace, holder } = unwritten
      const { claim, since, standing } = holder
      const when = new Date(since).toISOString().replace(/\.\d+/, '')
      const who = `process ${claim.process} on ${claim.host}, since ${when}`
      const unseen = `whether it still runs cannot be seen from here; if not, remove ${workspace}`
      return new Failure('conflict', `another run of winnode holds ${out}: ${who}`, [
        'waited 2 seconds; nothing was changed',
        ...(standing === 'unknown' ? [unseen] : []),
      ])
    }
  }
}
