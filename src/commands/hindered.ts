// Hindered: the failure that a person reads where a bundle could not be written to its folder.
import type { Written } from '../io/bundle.ts'
import type { Holder } from '../io/bundle/claims.ts'
import { Failure } from './failure.ts'
import type { Ending } from './interruption.ts'

type Unwritten = Exclude<Written, { readonly kind: 'planned' }>

/** `out` is as a person typed it; `asked` is how the run was asked to end. */
export function hindered(unwritten: Unwritten, out: string, asked: Ending | undefined): Failure {
  if (unwritten.kind === 'given-up') {
    return new Failure(asked ?? 'interrupted', `interrupted: ${unwritten.now}`)
  }
  if (asked) return new Failure(asked, 'interrupted: nothing was changed')
  switch (unwritten.kind) {
    case 'refused':
      return new Failure('usage', `${out} ${unwritten.reason}`)
    case 'unsettled':
      return new Failure('conflict', `something else changes ${out} at the same time`, [
        'nothing was changed; run it again when that has come to its end',
      ])
    case 'in-the-way':
      return inTheWay(unwritten.workspace, unwritten.holder, out)
    case 'held':
      return new Failure(
        'conflict',
        `another run of winnode holds ${out}: ${whoIs(unwritten.holder)}`,
        [
          'waited 2 seconds; nothing was changed',
          ...(unwritten.holder.standing === 'unknown' ? [unseen(unwritten.workspace)] : []),
        ],
      )
  }
}

function inTheWay(workspace: string, holder: Holder | undefined, out: string): Failure {
  if (!holder) {
    return new Failure('conflict', `${workspace} is in the way: winnode did not make it`, [
      `winnode works there while it writes ${out}; move it away`,
    ])
  }
  const message = `${workspace} is in the way: another user’s run left it, ${whoIs(holder)}`
  return new Failure('conflict', message, [
    'that user renders into the folder again, or it is moved away',
  ])
}

const unseen = (workspace: string) =>
  `whether it still runs cannot be seen from here; if not, remove ${workspace}`

function whoIs({ claim, since }: Holder): string {
  const when = new Date(since).toISOString().replace(/\.\d+/, '')
  return `process ${claim.process} on ${claim.host}, since ${when}`
}
