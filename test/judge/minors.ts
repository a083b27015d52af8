// Versions, compared by their minor.

/** 1.30.14, 1.30 and 1.30.0-rc.1 are all 1.30. */
export function minorOf(version: string): number {
  const [, major = '0', minor = '0'] = /^v?(\d+)\.(\d+)/.exec(version) ?? []
  return Number(major) * 1000 + Number(minor)
}

export const isBefore = (version: string, minor: string) => minorOf(version) < minorOf(minor)

/** `1.25-1.30` with both ends, `1.31-` and `-1.30` with one, `1.37` alone. */
export function isWithin(version: string, minors: string): boolean {
  const [from = '', to = from] = minors.split('-')
  const minor = minorOf(version)
  return (from === '' || minor >= minorOf(from)) && (to === '' || minor <= minorOf(to))
}
