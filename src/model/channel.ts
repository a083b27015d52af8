// A mechanism of a cloud that runs user data on a machine.

export const channels = ['ec2', 'ec2launch-v2', 'azure', 'gce', 'cloudbase-init'] as const

export type Channel = (typeof channels)[number]
