// The folder of a registry below certs.d, as containerd looks for it on Windows.

/**
 * `registry:5000` becomes `registry_5000_`; other colons, as in an IPv6 address, are removed,
 * because NTFS does not allow them in names.
 * https://github.com/containerd/containerd/blob/main/core/remotes/docker/config/config_windows.go
 */
export function registryFolder(registry: string): string {
  return registry.replace(/^(.+):(.*)$/, '$1_$2_').replaceAll(':', '')
}
