// windows_exporter: its published image, its port, and the collectors that are useful on a node.

/** The tag has no v: https://github.com/prometheus-community/windows_exporter/blob/v0.31.8/.github/workflows/release.yml */
export const windowsExporterImage = 'ghcr.io/prometheus-community/windows-exporter:0.31.8'

/** Where its publisher has it: the same file. */
export const exporterRepositories: readonly string[] = [
  'ghcr.io/prometheus-community/windows-exporter',
  'docker.io/prometheuscommunity/windows-exporter',
  'quay.io/prometheuscommunity/windows-exporter',
]

/** https://github.com/prometheus-community/windows_exporter/blob/v0.31.8/cmd/windows_exporter/main.go */
export const windowsExporterPort = 9182

/**
 * Without the collectors for server roles, and without `performancecounter` and `textfile`, which need settings.
 * https://github.com/prometheus-community/windows_exporter/blob/v0.31.8/pkg/collector/map.go
 */
export const exporterCollectors = [
  'container',
  'cpu_info',
  'diskdrive',
  'gpu',
  'hyperv',
  'license',
  'netframework',
  'pagefile',
  'process',
  'scheduled_task',
  'smb',
  'smbclient',
  'tcp',
  'terminal_services',
  'thermalzone',
  'time',
  'udp',
  'update',
  'vmware',
] as const
