// Channels: what each takes, how it asks for a restart, and where that was read.
import type { Channel } from '../../model/channel.ts'
import type { Limit } from '../target.ts'

/** How a machine comes back to the script after a restart. */
export type Restart =
  /** The channel restarts the machine where the script ends with this code, and runs it again. */
  | { readonly by: 'channel'; readonly exitCode: number }
  /** The script restarts the machine; the channel runs it at each start. */
  | { readonly by: 'script' }
  /** Tasks restart the machine and run the script again, after it has ended well: the channel waits for it. */
  | { readonly by: 'task' }

export interface ChannelRow {
  /** The file that the limit is about. */
  readonly file: string
  readonly limit: Limit
  readonly restart: Restart
  /** What says so of the restart. */
  readonly see: string
  /** What a person does with the file, as one sentence without a dot. */
  readonly next: string
}

const bytes = (of: string, most: number, see: string): Limit => ({ of, most, unit: 'bytes', see })
const ec2 = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html'
const agent = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2launch-v2-settings.html'

export const channelRows: Readonly<Record<Channel, ChannelRow>> = {
  ec2: {
    file: 'ec2/user-data.txt',
    // Before it is encoded in base64.
    limit: bytes('user data of EC2', 16_384, ec2),
    // EC2Launch runs it detached and reads no exit code; with <persist> it runs at each start.
    restart: { by: 'script' },
    see: 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/user-data.html',
    next: 'is the user data of an instance: aws ec2 run-instances --user-data file://user-data.txt',
  },
  'ec2launch-v2': {
    file: 'ec2launch-v2/user-data.yaml',
    limit: bytes('user data of EC2', 16_384, ec2),
    // At most five times for one task.
    restart: { by: 'channel', exitCode: 3010 },
    see: agent,
    next: 'is the user data of an instance with EC2Launch v2: --user-data file://user-data.yaml',
  },
  azure: {
    file: 'azure/custom-data.ps1',
    limit: bytes(
      'custom data of Azure',
      65_535,
      'https://learn.microsoft.com/azure/virtual-machines/custom-data',
    ),
    // The extension waits for the script, runs it once, and must not be restarted over.
    restart: { by: 'task' },
    see: 'https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-windows',
    next: 'is the custom data of a machine, and extension.json the settings of its custom script extension',
  },
  gce: {
    file: 'gce/startup-script.ps1',
    limit: bytes(
      'a metadata value of Compute Engine',
      262_144,
      'https://cloud.google.com/compute/docs/instances/startup-scripts',
    ),
    // Its agent runs it at each start and reads no exit code.
    restart: { by: 'script' },
    see: 'https://github.com/GoogleCloudPlatform/guest-agent/blob/main/google_metadata_script_runner/main.go',
    next: 'is a metadata value: --metadata-from-file windows-startup-script-ps1=startup-script.ps1',
  },
  'cloudbase-init': {
    file: 'cloudbase-init/user-data.mime',
    // That of OpenStack, in base64; other metadata services take more.
    limit: bytes(
      'user data for cloudbase-init',
      49_151,
      'https://docs.openstack.org/nova/stein/user/user-data.html',
    ),
    // 1003 restarts, and processes all parts again; what comes behind the part is left out until then.
    restart: { by: 'channel', exitCode: 1003 },
    see: 'https://cloudbase-init.readthedocs.io/en/latest/userdata.html',
    next: 'is the user data of an image with cloudbase-init; its script has to be the last part',
  },
}
