// Channel: a way by which a cloud hands user data to a machine.

export const channels = ['ec2', 'ec2launch-v2', 'azure', 'gce', 'cloudbase-init'] as const

export type Channel = (typeof channels)[number]
