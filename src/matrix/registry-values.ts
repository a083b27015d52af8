// Registry values that image builders of Kubernetes set, by Windows build.
import tables from '#tables'

export const registryValues = tables['registry-values'].values

/** `HKEY_LOCAL_MACHINE\\X` and `HKLM:\\X` as `HKLM\\X`. */
export const registryKey = (path: string): string =>
  path.replace(/^(?:HKLM|HKEY_LOCAL_MACHINE):?\\/i, 'HKLM\\')

/** Names a value as Windows compares it: without case. */
export const registryIdentity = ({ path, name }: { path: string; name: string }): string =>
  `${registryKey(path)}\\${name}`.toLowerCase()
