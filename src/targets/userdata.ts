// Target userdata: the user data of clouds, for each channel that the profile names.
import type { RenderedFile } from '../model/plan.ts'
import { bundleArchive } from './bundle-archive.ts'
import { installScript, serveStep } from './install-script.ts'
import { defineTarget, refused } from './target.ts'
import { channelRows } from './userdata/channels.ts'
import { ownScripts } from './userdata/own-scripts.ts'
import { fits, tooLarge } from './userdata/sizes.ts'
import { channelFiles } from './userdata/channel-files.ts'
import { archiveFile } from './zip.ts'

/** Manifests and scripts for the cluster would only take room within the limits. */
const onMachines = ({ path }: RenderedFile) => !path.startsWith('cluster/')

export const userdata = defineTarget({
  name: 'userdata',
  single: false,
  make: async (input) => {
    const { bundle } = input
    const { spec } = input.facts
    const { channels: wanted, bundleURL, join } = spec.targets.userdata
    const { before, after, refusals } = ownScripts(input)
    if (refusals.length > 0) return refused(...refusals)
    if (join && spec.join.tokenFile === undefined)
      return refused({
        path: ['targets', 'userdata', 'join'],
        message: 'targets.userdata.join needs join.tokenFile: user data contains no token',
        remedy:
          'Set join.tokenFile to the file on the machine that will contain the token, such as one that a script of targets.userdata.before writes.',
      })
    const packed = bundleArchive(bundleURL === undefined ? bundle.filter(onMachines) : bundle)
    const runs = ['Install', ...(join ? ['Join'] : [])]
    const made = await Promise.all(
      [...new Set(wanted)].map(async (channel) => {
        const { restart } = channelRows[channel]
        const options = { bundleURL, runs, restart, before, after }
        const script = await installScript(input, packed, options)
        const files = await Promise.all(channelFiles(channel, script).map(input.render))
        return { channel, files, bytes: files[0]?.content.length ?? 0 }
      }),
    )
    if (!made.every(fits))
      return tooLarge(made, {
        fetched: bundleURL !== undefined,
        own: before.length + after.length > 0,
      })
    const next = made.map(
      ({ channel }) => `use ${channelRows[channel].file} ${channelRows[channel].next}`,
    )
    const files = made.flatMap((one) => one.files)
    if (bundleURL === undefined) return { kind: 'made', files, next }
    const archive = archiveFile(input.plan, packed.archive)
    const serve = serveStep(archive.path, bundleURL, packed)
    return { kind: 'made', files: [...files, archive], next: [...next, serve] }
  },
})
