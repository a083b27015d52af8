// Target-settings: what a profile says for targets, beside the node itself.
import type { Channel } from './channel.ts'

export interface TargetSettings {
  readonly userdata: {
    readonly channels: readonly Channel[]
    /** Where the archive of the bundle is served. */
    readonly bundleURL: string | undefined
    readonly join: boolean
  }
}
