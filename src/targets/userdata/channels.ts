// The channels of user data: size limit and way to restart.
import type { Channel } from '../../model/channel.ts'

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
  /** In bytes. */
  readonly limit: { readonly max: number; readonly see: string }
  readonly restart: Restart
  /** What to do with the file, as one sentence without a period. */
  readonly next: string
}

const ec2 = 'https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instancedata-add-user-data.html'

export const channelRows: Readonly<Record<Channel, ChannelRow>> = {
  ec2: {
    file: 'ec2/user-data.txt',
    // Before base64 encoding.
    limit: { max: 16_384, see: ec2 },
    // EC2Launch runs it detached and reads no exit code; with <persist> it runs at each start.
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/user-data.html
    restart: { by: 'script' },
    next: 'as user data: aws ec2 run-instances --user-data file://user-data.txt',
  },
  'ec2launch-v2': {
    file: 'ec2launch-v2/user-data.yaml',
    limit: { max: 16_384, see: ec2 },
    // At most five restarts for one task.
    // https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/ec2launch-v2-settings.html
    restart: { by: 'channel', exitCode: 3010 },
    next: 'as user data of an instance with EC2Launch v2: --user-data file://user-data.yaml',
  },
  azure: {
    file: 'azure/custom-data.ps1',
    limit: {
      max: 65_535,
      see: 'https://learn.microsoft.com/azure/virtual-machines/custom-data',
    },
    // The extension runs the script once and waits for it; a restart meanwhile would fail it.
    // https://learn.microsoft.com/azure/virtual-machines/extensions/custom-script-windows
    restart: { by: 'task' },
    next: 'as custom data, and azure/extension.json as settings of the custom script extension',
  },
  gce: {
    file: 'gce/startup-script.ps1',
    limit: {
      max: 262_144,
      see: 'https://cloud.google.com/compute/docs/instances/startup-scripts',
    },
    // The guest agent runs it at each boot and ignores its exit code.
    // https://github.com/GoogleCloudPlatform/guest-agent/blob/main/google_metadata_script_runner/main.go
    restart: { by: 'script' },
    next: 'as startup script: --metadata-from-file windows-startup-script-ps1=startup-script.ps1',
  },
  'cloudbase-init': {
    file: 'cloudbase-init/user-data.mime',
    // The limit of OpenStack, in base64; other metadata services allow more.
    limit: {
      max: 49_151,
      see: 'https://docs.openstack.org/nova/stein/user/user-data.html',
    },
    // 1003 restarts and processes all parts again; parts after this one are skipped until then.
    // https://cloudbase-init.readthedocs.io/en/latest/userdata.html
    restart: { by: 'channel', exitCode: 1003 },
    next: 'as user data of an image with cloudbase-init; keep its script as the last part',
  },
}
