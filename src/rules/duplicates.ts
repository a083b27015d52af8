// Entries listed twice under names that Windows, containerd or Kubernetes treat as equal.
import { registryFolder } from '../matrix/registry-folder.ts'
import type { Path } from '../model/path.ts'
import { defineRule, type Conflict } from '../model/rule.ts'

/** A conflict for each entry that repeats the key of an earlier one. */
function repeated(
  entries: readonly { readonly key: string; readonly path: Path }[],
  message: (at: number, first: number) => string,
): readonly Conflict[] {
  const keys = entries.map(({ key }) => key)
  return entries.flatMap(({ key, path }, at) => {
    const first = keys.indexOf(key)
    return first === at ? [] : [{ path, message: message(at, first) }]
  })
}

export const sharedRegistryFolder = defineRule({
  id: 'registries-share-a-folder',
  severity: 'error',
  summary: 'Each registry has its own folder in certs.d.',
  remedy: 'Merge the mirrors into one entry.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/hosts.md',
  check: ({ spec }) => {
    const names = Object.keys(spec.registry.mirrors)
    return repeated(
      names.map((name) => ({
        key: registryFolder(name).toLowerCase(),
        path: ['registry', 'mirrors', name],
      })),
      (at, first) => `${names[at] ?? ''} and ${names[first] ?? ''} are the same folder on Windows`,
    )
  },
})

export const mirrorTwice = defineRule({
  id: 'mirror-given-twice',
  severity: 'error',
  summary: 'Each mirror of a registry is listed once.',
  remedy: 'Remove one of the entries.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/hosts.md',
  check: ({ spec }) =>
    Object.entries(spec.registry.mirrors).flatMap(([registry, mirrors]) =>
      repeated(
        mirrors.map(({ url }, at) => ({
          key: normalizedUrl(url),
          path: ['registry', 'mirrors', registry, at, 'url'],
        })),
        (at, first) => repeatedMirror(mirrors[at]?.url ?? '', mirrors[first]?.url ?? ''),
      ),
    ),
})

function repeatedMirror(url: string, first: string): string {
  return url === first
    ? `${url} is listed twice; containerd ignores the whole hosts.toml`
    : `${url} is the same mirror as ${first}`
}

/** Lower-case scheme and host, without the scheme's default port and without trailing slashes. */
function normalizedUrl(url: string): string {
  const [, scheme = 'https', host = '', path = ''] =
    /^(?:(https?):\/\/)?([^/]*)(.*)$/i.exec(url) ?? []
  const port = scheme.toLowerCase() === 'http' ? /:0*80$/ : /:0*443$/
  return `${scheme.toLowerCase()} ${host.toLowerCase().replace(port, '')}${path.replace(/\/+$/, '')}`
}

export const featureTwice = defineRule({
  id: 'feature-listed-twice',
  severity: 'error',
  summary: 'Each Windows feature is listed once.',
  remedy: 'Remove one of the entries.',
  see: 'https://learn.microsoft.com/powershell/module/servermanager/install-windowsfeature',
  check: ({ spec }) =>
    repeated(
      spec.host.features.map((name, at) => ({
        key: name.toLowerCase(),
        path: ['host', 'features', at],
      })),
      (at) => `${spec.host.features[at] ?? ''} is listed twice`,
    ),
})

export const taintTwice = defineRule({
  id: 'taint-given-twice',
  severity: 'error',
  summary: 'Taints have different keys or effects.',
  remedy: 'Remove one of the entries.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/',
  check: ({ spec }) =>
    repeated(
      spec.kubelet.taints.map(({ key, effect }, at) => ({
        key: `${key}:${effect}`,
        path: ['kubelet', 'taints', at],
      })),
      (at) =>
        `two taints ${spec.kubelet.taints[at]?.key ?? ''} have the same effect; the API server rejects the node`,
    ),
})
