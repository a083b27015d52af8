// Checks user data against the limits of channels.
import type { Channel } from '../../model/channel.ts'
import type { RenderedFile } from '../../model/plan.ts'
import type { TargetResult } from '../target.ts'
import { gzipOf } from '../archive.ts'
import { channelRows } from './channels.ts'

export interface UserdataSize {
  readonly channel: Channel
  readonly bytes: number
}

export function fits({ channel, bytes }: UserdataSize): boolean {
  return bytes <= channelRows[channel].limit.max
}

/** The refusal, with all sizes and a remedy. `fetched`: the user data does not contain the bundle. */
export function tooLarge(
  sizes: readonly UserdataSize[],
  bundle: readonly RenderedFile[],
  fetched: boolean,
): TargetResult {
  const over = sizes.filter((size) => !fits(size)).map(({ channel }) => channel)
  const well = sizes.filter(fits).map(({ channel }) => channel)
  const rows = sizes.map(({ channel, bytes }) => [
    channel,
    number(bytes),
    `of ${number(channelRows[channel].limit.max)} bytes`,
  ])
  const largest = bundle
    .map(({ path, content }) => ({ path, bytes: content.length, packed: gzipOf(content).length }))
    .toSorted((a, b) => b.packed - a.packed)
    .slice(0, 5)
    .map(({ path, bytes, packed }) => [path, number(bytes), `bytes, packed ${number(packed)}`])
  const set = '--set targets.userdata'
  return {
    kind: 'refused',
    message: `the bundle does not fit into the user data of ${over.join(', ')}`,
    hints: [
      ...columns(rows),
      'the largest files of the bundle:',
      ...columns(largest),
      ...(fetched ? [] : [`${set}.bundleURL=https://... fetches the archive of --for zip instead`]),
      ...(well.length > 0 ? [`${set}.channels=[${well.join(',')}] would fit`] : []),
    ],
  }
}

function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const name = Math.max(...rows.map(([first = '']) => first.length))
  const amount = Math.max(...rows.map(([, second = '']) => second.length))
  return rows.map(
    ([first = '', second = '', rest = '']) =>
      `${first.padEnd(name)}  ${second.padStart(amount)} ${rest}`,
  )
}

/** 16,384 */
function number(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}
