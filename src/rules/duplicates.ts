// Entries listed twice under names that Windows, containerd or Kubernetes treat as equal.
import { registryFolder } from '../matrix/registry-folder.ts'
import { defineRule, repeated } from '../model/rule.ts'

export const sharedRegistryFolder = defineRule({
  id: 'registries-share-a-folder',
  severity: 'error',
  summary: 'Each registry has its own folder in certs.d.',
  remedy: 'Merge the mirrors into one entry.',
  see: 'https://github.com/containerd/containerd/blob/main/docs/hosts.md',
  check: ({ spec }) =>
    repeated(
      Object.keys(spec.registry.mirrors).map((name) => ({
        name,
        key: registryFolder(name).toLowerCase(),
        path: ['registry', 'mirrors', name],
      })),
      (name, first) => `${name} and ${first} are the same folder on Windows`,
    ),
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
          name: url,
          key: normalizedUrl(url),
          path: ['registry', 'mirrors', registry, at, 'url'],
        })),
        repeatedMirror,
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
        name,
        key: name.toLowerCase(),
        path: ['host', 'features', at],
      })),
      (name) => `${name} is listed twice`,
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
        name: key,
        key: `${key}:${effect}`,
        path: ['kubelet', 'taints', at],
      })),
      (name) => `two taints ${name} have the same effect; the API server rejects the node`,
    ),
})
