// Checks user data against the limits of channels.
import type { Channel } from '../../model/channel.ts'
import { refused, type Refused } from '../target.ts'
import { channelRows } from './channels.ts'

interface UserdataSize {
  readonly channel: Channel
  readonly bytes: number
}

export function fits({ channel, bytes }: UserdataSize): boolean {
  return bytes <= channelRows[channel].limit.max
}

interface Contents {
  /** The user data does not contain the bundle. */
  readonly fetched: boolean
  /** It contains scripts of the user. */
  readonly own: boolean
}

/** A refusal for each channel that is too small. */
export function tooLarge(sizes: readonly UserdataSize[], { fetched, own }: Contents): Refused {
  const large = sizes.filter((size) => !fits(size))
  const others = sizes.filter(fits).map(({ channel }) => channel)
  const remedies = [
    ...(fetched ? [] : ['set targets.userdata.bundleURL, so that machines download the archive']),
    ...(others.length > 0 ? [`set targets.userdata.channels to [${others.join(', ')}]`] : []),
    ...(own ? ['shorten the scripts of targets.userdata.before and after'] : []),
    ...(fetched && !own ? ['shorten targets.userdata.bundleURL'] : []),
  ].join(', or ')
  return refused(
    ...large.map(({ channel, bytes }) => {
      const { max, see } = channelRows[channel].limit
      return {
        path: ['targets', 'userdata', 'channels'],
        message: `user data of ${channel} would have ${number(bytes)} bytes, at most ${number(max)} fit`,
        remedy: `${remedies.charAt(0).toUpperCase()}${remedies.slice(1)}.`,
        see,
      }
    }),
  )
}

/** 16,384 */
function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
