// What containerd and crictl read.
import { documentOf } from '../components/config-table.ts'
import { containerdTables } from '../components/containerd.ts'
import { registryFolder } from '../matrix/registry-folder.ts'
import { reasonsFor } from '../matrix/reasons.ts'
import type { Artifact } from '../model/artifact.ts'
import { layout, pipe } from '../model/layout.ts'

export const containerdConfig: Artifact = (facts) => {
  const { rows, settings, ...text } = containerdTables[facts.spec.containerd.configVersion]
  return {
    id: 'containerd-config',
    path: 'files/containerd/config.toml',
    summary:
      'Configuration of containerd: pipe, sandbox image, runtime handlers, CNI folders, registries.',
    body: { kind: 'toml', value: documentOf(rows, facts), ...text },
    settings,
    install: {
      path: `${layout.containerd}\\config.toml`,
      phase: 'image',
      after: ['directory-containerd'],
    },
  }
}

export const crictlConfig: Artifact = () => ({
  id: 'crictl-config',
  path: 'files/crictl/crictl.yaml',
  summary: 'Where crictl finds containerd.',
  body: {
    kind: 'template',
    template: 'crictl/crictl.yaml.hbs',
    view: { endpoint: pipe.endpoint },
  },
  settings: reasonsFor('crictl.yaml'),
  install: {
    // crictl looks for crictl.yaml beside itself, after the folder of the user.
    path: `${layout.programs}\\crictl.yaml`,
    phase: 'image',
    after: ['directory-programs'],
  },
})

export const registryHosts: Artifact = ({ spec, has }) =>
  Object.entries(spec.registry.mirrors).map(([registry, mirrors]) => {
    const folder = registryFolder(registry)
    return {
      id: `registry-${folder.toLowerCase().replace(/[[\]]/g, '_')}`,
      path: `files/containerd/certs.d/${folder}/hosts.toml`,
      summary: `Mirrors that containerd asks before ${registry}.`,
      body: {
        kind: 'toml',
        head: 'Mirrors are asked in this order, then the registry itself.',
        value: {
          server: serverOf(registry),
          host: Object.fromEntries(
            mirrors.map(({ url, ca, overridePath }) => [
              url,
              {
                capabilities: ['pull', 'resolve'],
                override_path: overridePath || undefined,
                ca,
              },
            ]),
          ),
        },
        comments: has('containerd-system-roots')
          ? []
          : [
              {
                at: ['host', '*', 'ca'],
                text: 'The only root that counts for this mirror: containerd before 2.3 does not ask Windows for others.',
              },
            ],
      },
      settings: reasonsFor('hosts.toml'),
      install: {
        path: `${layout.registries}\\${folder}\\hosts.toml`,
        phase: 'image',
        after: ['directory-registries'],
      },
    }
  })

/** As MatchLocalhost in core/remotes/docker/registry.go of containerd. */
const isLocalhost = (registry: string) =>
  /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/.test(registry)

/**
 * Without a server containerd asks localhost over TLS, takes any certificate, and falls back to http. With one it does
 * neither. https://github.com/containerd/containerd/blob/v2.3.4/core/remotes/docker/config/hosts.go
 */
function serverOf(registry: string): string | undefined {
  if (registry === '_default' || isLocalhost(registry)) return undefined
  return registry === 'docker.io' ? 'https://registry-1.docker.io' : `https://${registry}`
}
