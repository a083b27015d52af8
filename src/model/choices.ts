// Values that both profiles and tables use; kept out of tables.ts, whose schemas only the build needs.

/** Formats of config.toml, oldest first. */
export const configVersions = [2, 3, 4] as const
export type ConfigVersion = (typeof configVersions)[number]

/** Oldest build first. */
export const windowsIds = [
  'ws2016',
  'ws1709',
  'ws1803',
  'ws2019',
  'ws1809sac',
  'ws1903',
  'ws1909',
  'ws2004',
  'ws20h2',
  'ws2022',
  'ws23h2',
  'ws2025',
] as const
export type WindowsId = (typeof windowsIds)[number]
