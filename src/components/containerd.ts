// Why each setting of containerd and crictl stands in its file or on its command line.
import type { ConfigVersion } from '../model/rows.ts'
import { explain, type Settings } from '../model/setting.ts'

const docs = 'https://github.com/containerd/containerd/blob/main/docs'
const cri = `${docs}/cri/config.md`
const main = `${docs}/man/containerd-config.toml.5.md`
const windowsDefaults =
  'https://github.com/containerd/containerd/blob/main/internal/cri/config/config_windows.go'
const shim =
  'https://github.com/microsoft/hcsshim/blob/main/cmd/containerd-shim-runhcs-v1/options/runhcs.proto'

const quoted = (plugin: string) => `plugins.${JSON.stringify(plugin)}`

/** Where a version of the format keeps the settings of the CRI plugin. */
const places = {
  2: {
    grpc: 'grpc',
    images: quoted('io.containerd.grpc.v1.cri'),
    snapshotter: `${quoted('io.containerd.grpc.v1.cri')}.containerd`,
    runtime: quoted('io.containerd.grpc.v1.cri'),
    sandbox: `${quoted('io.containerd.grpc.v1.cri')}.sandbox_image`,
    binDirs: ['bin_dir'],
  },
  3: {
    grpc: 'grpc',
    images: quoted('io.containerd.cri.v1.images'),
    snapshotter: quoted('io.containerd.cri.v1.images'),
    runtime: quoted('io.containerd.cri.v1.runtime'),
    sandbox: `${quoted('io.containerd.cri.v1.images')}.pinned_images.sandbox`,
    binDirs: ['bin_dir', 'bin_dirs[]'],
  },
  4: {
    grpc: quoted('io.containerd.server.v1.grpc'),
    images: quoted('io.containerd.cri.v1.images'),
    snapshotter: quoted('io.containerd.cri.v1.images'),
    runtime: quoted('io.containerd.cri.v1.runtime'),
    sandbox: `${quoted('io.containerd.cri.v1.images')}.pinned_images.sandbox`,
    binDirs: ['bin_dirs[]'],
  },
} as const

function settingsIn(version: ConfigVersion): Settings {
  const at = places[version]
  const handlers = `${at.runtime}.containerd.runtimes`
  return explain(cri, {
    version: {
      why: 'The format of this file; containerd refuses one that is newer than it knows.',
      see: main,
      field: 'containerd.configVersion',
    },
    root: {
      why: 'Images and layers. containerd makes the folder so that only SYSTEM and Administrators open it.',
      see: main,
      field: 'containerd.root',
    },
    state: ['What is running; protected alike.', main],
    [`${at.grpc}.address`]: ['The pipe that the kubelet and crictl talk to.', main],
    ...(version === 4
      ? {
          [`${quoted('io.containerd.server.v1.ttrpc')}.address`]: [
            'The pipe that shims talk to; in this version of the format it does not follow from the other one.',
            main,
          ],
        }
      : {}),
    [at.sandbox]: {
      why: 'The image of every pod’s sandbox. The kubelet does not choose it, and never collects it.',
      field: 'sandboxImage',
    },
    [`${at.images}.registry.config_path`]: [
      'One folder for each registry, with a hosts.toml. On Windows there is no default.',
      `${docs}/hosts.md`,
    ],
    [`${at.snapshotter}.snapshotter`]: [
      'How layers are kept on NTFS; the only one made for it.',
      windowsDefaults,
    ],
    [`${at.runtime}.containerd.default_runtime_name`]:
      'The handler of pods that name no RuntimeClass: process isolation.',
    [`${handlers}.runhcs-wcow-hypervisor`]: {
      why: 'The handler of pods whose RuntimeClass asks for a utility VM.',
      field: 'isolation.hyperV',
    },
    [`${handlers}.*.runtime_type`]: ['The shim that makes Windows containers.', windowsDefaults],
    [`${handlers}.*.pod_annotations[]`]: [
      'Annotations of a pod that may size its utility VM.',
      windowsDefaults,
    ],
    [`${handlers}.*.container_annotations[]`]: [
      'Annotations that reach the shim; since 1.7 a handler written here has to name them.',
      windowsDefaults,
    ],
    [`${handlers}.*.options.SandboxIsolation`]: ['1: a utility VM for each pod.', shim],
    [`${handlers}.*.options.ScaleCpuLimitsToSandbox`]: [
      'CPU limits count within the VM, not on the host.',
      shim,
    ],
    [`${handlers}.*.options.ScrubLogs`]: [
      'Environment variables of containers stay out of the shim’s log. Written from containerd 1.7 on: a handler of ours takes the place of a default one that has it.',
      shim,
    ],
    ...Object.fromEntries(
      at.binDirs.map((key) => [
        `${at.runtime}.cni.${key}`,
        'Where the CNI programs lie; a list since 2.1, and both at once is an error.',
      ]),
    ),
    [`${at.runtime}.cni.conf_dir`]: 'Where the CNI conf lies.',
    [`${at.runtime}.cni.max_conf_num`]: 'One: the first file by name is the network.',
  })
}

/** By version of the format. */
export const containerdSettings: Readonly<Record<ConfigVersion, Settings>> = {
  2: settingsIn(2),
  3: settingsIn(3),
  4: settingsIn(4),
}

const proxy =
  'The proxy of the profile, for this service alone: a machine-wide one would carry the kubelet’s traffic.'

export const containerdFlags = explain(
  'https://github.com/containerd/containerd/blob/main/cmd/containerd/command/service_windows.go',
  {
    '--config': 'The file above; its default lies in the same folder.',
    '--log-file': 'A service has no console: without it nothing is logged.',
    '--run-service': 'It answers the service manager itself.',
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    NO_PROXY: 'Cluster networks, the API server and the metadata of clouds never go through it.',
  },
)

export const hostsSettings = explain(`${docs}/hosts.md`, {
  server: 'The registry itself, asked after every mirror.',
  'host.*.capabilities[]':
    'pull and resolve: the mirror gives layers, and may say what a tag means.',
  'host.*.ca': 'The CA of the mirror. Before containerd 2.3 it replaces the roots of Windows.',
})

export const crictlSettings = explain(
  'https://github.com/kubernetes-sigs/cri-tools/blob/master/docs/crictl.md',
  {
    'runtime-endpoint': 'containerd’s pipe; without it crictl tries others first.',
    'image-endpoint': 'The same pipe, for images.',
    timeout: 'Seconds: the first calls after a start of Windows take longer than the default of 2.',
  },
)
