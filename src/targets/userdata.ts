// Target userdata: what clouds hand to a machine at its first start, for each channel that the profile names.
import type { Channel } from '../model/channel.ts'
import { channels } from '../model/channel.ts'
import type { Part, RenderedFile } from '../model/plan.ts'
import { type Arrival, arrivalOf, linesOf } from './arrival.ts'
import { type Input, defineTarget } from './target.ts'
import { channelRows, type Restart } from './userdata/channels.ts'
import { fits, tooLarge } from './userdata/sizes.ts'
import { wrapped } from './userdata/wrapped.ts'
import { archiveFile } from './zip.ts'

export const userdata = defineTarget({
  name: 'userdata',
  summary: 'User data for EC2, Azure, Compute Engine and cloudbase-init, within the limit of each.',
  single: false,
  limits: channels.map((channel) => channelRows[channel].limit),
  reads: ['channels', 'bundleURL', 'join'],
  make: async (input) => {
    const { bundle } = input
    const { spec } = input.facts
    const { channels: wanted, bundleURL, join } = spec.targets.userdata
    if (join && spec.join.tokenFile === undefined)
      return {
        kind: 'refused',
        message: 'targets.userdata.join needs join.tokenFile',
        hints: ['user data holds no token: name the file on the machine that will hold it'],
      }
    const arrival = arrivalOf(bundle)
    const made = await Promise.all(
      wanted.map(async (channel) => {
        const script = await scriptFor(channel, input, arrival)
        const files = await Promise.all(wrapped(channel, script).map(input.render))
        return { channel, files, bytes: files[0]?.content.length ?? 0 }
      }),
    )
    if (!made.every(fits)) return tooLarge(made, bundle, bundleURL !== undefined)
    const next = made.map(
      ({ channel }) => `${channelRows[channel].file} ${channelRows[channel].next}`,
    )
    const files = made.flatMap((one) => one.files)
    if (bundleURL === undefined) return { kind: 'made', files, next }
    const archive = archiveFile(input.plan, arrival.archive)
    const upload = `${archive.path} has to be what ${bundleURL} serves; its sha256 is ${arrival.view.sha256}`
    return { kind: 'made', files: [...files, archive], next: [...next, upload] }
  },
})

function scriptFor(
  channel: Channel,
  { plan, facts: { spec }, render }: Input,
  { archive, view }: Arrival,
): Promise<RenderedFile> {
  const { bundleURL, join } = spec.targets.userdata
  const names = ['Install', ...(join ? ['Join'] : [])]
  const scripts = names.map((name) => ({ file: `${name}-WinNode.ps1` }))
  const proxy = spec.host.proxy?.url ?? false
  const source: Part =
    bundleURL === undefined
      ? { template: 'targets/carried.ps1.hbs', view: { lines: linesOf(archive) } }
      : { template: 'targets/fetched.ps1.hbs', view: { url: bundleURL, proxy } }
  const parts = [
    { template: 'targets/userdata-head.ps1.hbs', view: {} },
    { template: 'targets/arrive.ps1.hbs', view: {} },
    source,
    {
      template: 'targets/userdata.ps1.hbs',
      view: { ...view, scripts, ...contract(channelRows[channel].restart) },
    },
  ]
  return render({ path: `${plan.name}.ps1`, body: { kind: 'page', parts } })
}

function contract(restart: Restart) {
  return {
    restartExitCode: restart.by === 'channel' ? restart.exitCode : 0,
    restarts: restart.by === 'script',
    tasks: restart.by === 'task',
  }
}
