// The folder of a registry below certs.d, as containerd looks for it on Windows.

/**
 * The folder that containerd looks for: `registry:5000` is `registry_5000_`, and any colon left, as
 * in an IPv6 address, goes, because NTFS has none in names.
 * https://github.com/containerd/containerd/blob/main/core/remotes/docker/config/config_windows.go
 */
export function registryFolder(registry: string): string {
  return registry.replace(/^(.+):(.*)$/, '$1_$2_').replaceAll(':', '')
}
