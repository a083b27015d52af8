// The failure for a bundle that could not be written.
import type { Written } from '../io/bundle.ts'
import { Failure } from './failure.ts'
import type { SignalExit } from './signals.ts'

type Unwritten = Exclude<Written, { readonly kind: 'planned' }>

/** `out` is as typed; `asked` is the exit of the signal that interrupted the run. */
export function writeFailure(unwritten: Unwritten, out: string, asked?: SignalExit): Failure {
  if (unwritten.kind === 'stopped')
    return new Failure(asked ?? 'interrupted', `interrupted: ${unwritten.now}`)
  if (asked) return new Failure(asked, 'interrupted: nothing was changed')
  if (unwritten.kind === 'refused') return new Failure('usage', `${out} ${unwritten.reason}`)
  if (unwritten.kind === 'unsettled')
    return new Failure('conflict', `another program changes ${out} at the same time`, [
      'run the command again when that program is done',
    ])
  const { lock, holder, since } = unwritten
  if (!holder)
    return new Failure('conflict', `${lock} is in the way: winnode did not create it`, [
      `winnode locks ${out} with a file of that name; move it away`,
    ])
  const when = new Date(since).toISOString().replace(/\.\d+/, '')
  const who = `process ${holder.process} on ${holder.host}, since ${when}`
  return new Failure('conflict', `another run of winnode holds ${out}: ${who}`, [
    'waited 2 seconds; nothing was changed',
    `if that run does not exist any more, remove ${lock}`,
  ])
}
