// What containerd and crictl read.
import { containerdSettings, crictlSettings, hostsSettings } from '../components/containerd.ts'
import { registryFolder } from '../matrix/registry-folder.ts'
import { defineArtifact } from '../model/artifact.ts'
import type { Facts } from '../model/facts.ts'
import { layout, pipe } from '../model/layout.ts'
import type { View } from '../model/plan.ts'

export const containerdConfig = defineArtifact({
  id: 'containerd-config',
  plan: (facts) => [
    {
      id: 'containerd-config',
      path: 'files/containerd/config.toml',
      summary:
        'The runtime: its pipe, sandbox image, runtime handlers, CNI folders and registries.',
      body: {
        kind: 'template',
        template: `containerd/config-v${facts.spec.containerd.configVersion}.toml.hbs`,
        view: viewOf(facts),
      },
      settings: containerdSettings[facts.spec.containerd.configVersion],
      install: {
        path: `${layout.containerd}\\config.toml`,
        phase: 'image',
        after: ['directory-containerd'],
      },
    },
  ],
})

function viewOf(facts: Facts): View {
  const { spec } = facts
  const common = {
    root: spec.containerd.root,
    state: layout.containerdState,
    address: pipe.windows,
    sandboxImage: facts.sandbox.normalised,
    registries: layout.registries,
    cniBin: layout.cniBin,
    cniConf: layout.cniConf,
    annotations: facts.has('containerd-handler-annotations'),
    scrubLogs: facts.has('containerd-scrub-logs'),
    hyperV: spec.isolation.hyperV,
  }
  switch (spec.containerd.configVersion) {
    case 2:
      return { ...common, registryFolder: facts.has('containerd-registry-folder') }
    case 3:
      return { ...common, binDirs: facts.has('containerd-bin-dirs') }
    case 4:
      return { ...common, binDirs: true, ttrpcAddress: `${pipe.windows}.ttrpc` }
  }
}

export const crictlConfig = defineArtifact({
  id: 'crictl-config',
  plan: () => [
    {
      id: 'crictl-config',
      path: 'files/crictl/crictl.yaml',
      summary: 'Where crictl finds containerd.',
      body: {
        kind: 'template',
        template: 'crictl/crictl.yaml.hbs',
        view: { endpoint: pipe.endpoint },
      },
      settings: crictlSettings,
      install: {
        // crictl looks for crictl.yaml beside itself, after the folder of the user.
        path: `${layout.programs}\\crictl.yaml`,
        phase: 'image',
        after: ['directory-programs'],
      },
    },
  ],
})

export const registryHosts = defineArtifact({
  id: 'registry-hosts',
  plan: ({ spec, has }) =>
    Object.entries(spec.registry.mirrors).map(([registry, mirrors]) => {
      const folder = registryFolder(registry)
      return {
        id: `registry-${folder.toLowerCase().replace(/[[\]]/g, '_')}`,
        path: `files/containerd/certs.d/${folder}/hosts.toml`,
        summary: `Mirrors that containerd asks before ${registry}.`,
        body: {
          kind: 'template',
          template: 'containerd/hosts.toml.hbs',
          view: {
            hasServer: registry !== '_default',
            server: serverOf(registry),
            mirrors: mirrors.map(({ url, ca, overridePath }) => ({
              url,
              overridePath,
              hasCa: ca !== undefined,
              ca: ca ?? '',
              onlyRoot: !has('containerd-system-roots'),
            })),
          },
        },
        settings: hostsSettings,
        install: {
          path: `${layout.registries}\\${folder}\\hosts.toml`,
          phase: 'image',
          after: ['directory-registries'],
        },
      }
    }),
})

function serverOf(registry: string): string {
  return registry === 'docker.io' ? 'https://registry-1.docker.io' : `https://${registry}`
}
