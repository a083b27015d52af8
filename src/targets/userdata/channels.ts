// The channels of user data: size limit, way to restart, and sources.
import type { Channel } from '../../model/channel.ts'
import type { Limit } from '../target.ts'

/** How the script continues after a restart. */
export type Restart =
  /** The channel restarts the machine on this exit code, and runs the script again. */
  | { readonly by: 'channel'; readonly exitCode: number }
  /** The script restarts the machine; the channel runs it at each boot. */
  | { readonly by: 'script' }
  /** Scheduled tasks restart the machine and rerun the script, after it has ended: the channel waits for its success. */
  | { readonly by: 'task' }

interface ChannelRow {
  /** The file to which the limit applies. */
  readonly file: string
  readonly limit: Limit
  readonly restart: Restart
  /** Source for `restart`. */
  readonly see: string
  /** What to do with the file, as one sentence without a period. */
  readonly next: string
}

const bytes = (of: string, max: number, see: string): Limit => ({ of, max, unit: 'bytes', see })
const ec2 = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html'
const agent = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2launch-v2-settings.html'

export const channelRows: Readonly<Record<Channel, ChannelRow>> = {
  ec2: {
    file: 'ec2/user-data.txt',
    // Before base64 encoding.
    limit: bytes('user data of EC2', 16_384, ec2),
    // EC2Launch runs it detached and reads no exit code; with <persist> it runs at each start.
    restart: { by: 'script' },
    see: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/user-data.html',
    next: 'as user data: aws ec2 run-instances --user-data file://user-data.txt',
  },
  'ec2launch-v2': {
    file: 'ec2launch-v2/user-data.yaml',
    limit: bytes('user data of EC2', 16_384, ec2),
    // At most five restarts for one task.
    restart: { by: 'channel', exitCode: 3010 },
    see: agent,
    next: 'as user data of an instance with EC2Launch v2: --user-data file://user-data.yaml',
  },
  azure: {
    file: 'azure/custom-data.ps1',
    limit: bytes(
      'custom data of Azure',
      65_535,
      'https://learn.microsoft.com/azure/virtual-machines/custom-data',
    ),
    // The extension runs the script once and waits for it; a restart meanwhile would fail it.
    restart: { by: 'task' },
    see: 'https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-windows',
    next: 'as custom data, and azure/extension.json as settings of the custom script extension',
  },
  gce: {
    file: 'gce/startup-script.ps1',
    limit: bytes(
      'a metadata value of Compute Engine',
      262_144,
      'https://cloud.google.com/compute/docs/instances/startup-scripts',
    ),
    // The guest agent runs it at each boot and ignores its exit code.
    restart: { by: 'script' },
    see: 'https://github.com/GoogleCloudPlatform/guest-agent/blob/main/google_metadata_script_runner/main.go',
    next: 'as startup script: --metadata-from-file windows-startup-script-ps1=startup-script.ps1',
  },
  'cloudbase-init': {
    file: 'cloudbase-init/user-data.mime',
    // The limit of OpenStack, in base64; other metadata services allow more.
    limit: bytes(
      'user data for cloudbase-init',
      49_151,
      'https://docs.openstack.org/nova/stein/user/user-data.html',
    ),
    // 1003 restarts and processes all parts again; parts after this one are skipped until then.
    restart: { by: 'channel', exitCode: 1003 },
    see: 'https://cloudbase-init.readthedocs.io/en/latest/userdata.html',
    next: 'as user data of an image with cloudbase-init; keep its script as the last part',
  },
}
