// The configuration of containerd: each key with its value and the reason.
import type { Facts } from '../model/facts.ts'
import type { JsonObject } from '../model/json.ts'
import { layout, pipe } from '../model/layout.ts'
import type { ConfigVersion } from '../model/choices.ts'
import { rowsOf, settingsOf, stepsOf } from './config-table.ts'

const docs = 'https://github.com/containerd/containerd/blob/main/docs'
const cri = `${docs}/cri/config.md`
const main = `${docs}/man/containerd-config.toml.5.md`
const windowsDefaults =
  'https://github.com/containerd/containerd/blob/main/internal/cri/config/config_windows.go'
const shim =
  'https://github.com/microsoft/hcsshim/blob/main/cmd/containerd-shim-runhcs-v1/options/runhcs.proto'

const processHandler = 'runhcs-wcow-process'

const quoted = (plugin: string) => `plugins.${JSON.stringify(plugin)}`

/** Where a version of the format keeps the settings of the CRI plugin. */
const places2 = {
  head: 'containerd 1.x; the format that every containerd since 1.3 reads.',
  grpc: 'grpc',
  images: quoted('io.containerd.grpc.v1.cri'),
  snapshotter: `${quoted('io.containerd.grpc.v1.cri')}.containerd`,
  runtime: quoted('io.containerd.grpc.v1.cri'),
  sandbox: `${quoted('io.containerd.grpc.v1.cri')}.sandbox_image`,
}

const places3: typeof places2 = {
  head: 'containerd 2.x; the format that every 2.x reads.',
  grpc: 'grpc',
  images: quoted('io.containerd.cri.v1.images'),
  snapshotter: quoted('io.containerd.cri.v1.images'),
  runtime: quoted('io.containerd.cri.v1.runtime'),
  sandbox: `${quoted('io.containerd.cri.v1.images')}.pinned_images.sandbox`,
}

const places4: typeof places2 = {
  ...places3,
  head: 'containerd 2.3 and later; older ones refuse this format.',
  grpc: quoted('io.containerd.server.v1.grpc'),
}

const ttrpc = quoted('io.containerd.server.v1.ttrpc')

function tableIn(version: ConfigVersion, at: typeof places2) {
  const handlers = `${at.runtime}.containerd.runtimes`
  const binDirs = {
    why: 'Where the CNI programs lie; a list since 2.1, and both at once is an error.',
  }
  const listed = (facts: Facts) => version > 2 && facts.has('containerd-bin-dirs')
  const rows = rowsOf({
    version: {
      value: version,
      field: 'containerd.configVersion',
      why: 'The format of this file; containerd refuses one that is newer than it knows.',
      see: main,
    },
    root: {
      value: ({ spec }) => spec.containerd.root,
      field: 'containerd.root',
      why: 'Images and layers. containerd makes the folder so that only SYSTEM and Administrators open it.',
      see: main,
    },
    state: {
      value: layout.containerdState,
      why: 'What is running; protected alike.',
      see: main,
    },
    [`${at.grpc}.address`]: {
      value: pipe.windows,
      why: 'The pipe that the kubelet and crictl talk to.',
      see: main,
    },
    ...(version === 4 && {
      [`${ttrpc}.address`]: {
        value: `${pipe.windows}.ttrpc`,
        why: 'The pipe that shims connect to; this version of the format does not derive it from the gRPC address.',
        see: main,
      },
    }),
    [at.sandbox]: {
      value: ({ sandbox }) => sandbox.normalised,
      field: 'sandboxImage',
      why: 'The sandbox image of every pod; image garbage collection never deletes it.',
    },
    [`${at.images}.registry.config_path`]: {
      value: ({ has }) => (has('containerd-registry-folder') ? layout.registries : undefined),
      why: 'One folder for each registry, with a hosts.toml. On Windows there is no default.',
      see: `${docs}/hosts.md`,
    },
    [`${at.snapshotter}.snapshotter`]: {
      value: 'windows',
      why: 'How layers are kept on NTFS; the only one made for it.',
      see: windowsDefaults,
    },
    [`${at.runtime}.containerd.default_runtime_name`]: {
      value: processHandler,
      why: 'The handler of pods that name no RuntimeClass: process isolation.',
    },
    [`${handlers}.${processHandler}`]: {
      value: (facts) => handlerOf(facts, false),
      why: 'The handler of process isolation.',
    },
    [`${handlers}.runhcs-wcow-hypervisor`]: {
      value: (facts) => (facts.spec.isolation.hyperV ? handlerOf(facts, true) : undefined),
      field: 'isolation.hyperV',
      why: 'The handler of pods whose RuntimeClass asks for a utility VM.',
    },
    [`${handlers}.*.runtime_type`]: {
      why: 'The shim that makes Windows containers.',
      see: windowsDefaults,
    },
    [`${handlers}.*.pod_annotations[]`]: {
      why: 'Annotations of a pod that reach the shim: they size its utility VM, and with host.processDumps name the folder in a container where dumps of its processes go.',
      see: 'https://github.com/microsoft/hcsshim/blob/main/pkg/annotations/annotations.go',
    },
    [`${handlers}.*.container_annotations[]`]: {
      why: 'Annotations that reach the shim; since 1.7 a handler written here has to name them.',
      see: windowsDefaults,
    },
    [`${handlers}.*.options.SandboxIsolation`]: { why: '1: a utility VM for each pod.', see: shim },
    [`${handlers}.*.options.ScaleCpuLimitsToSandbox`]: {
      why: 'CPU limits count within the VM, not on the host.',
      see: shim,
    },
    [`${handlers}.*.options.ScrubLogs`]: {
      why: 'Environment variables of containers stay out of the shim’s log. Written from containerd 1.7 on: a handler in this file replaces the default one of its name, options included.',
      see: shim,
    },
    ...(version < 4 && {
      [`${at.runtime}.cni.bin_dir`]: {
        ...binDirs,
        value: (facts: Facts) => (listed(facts) ? undefined : layout.cniBin),
      },
    }),
    ...(version > 2 && {
      [`${at.runtime}.cni.bin_dirs[]`]: {
        ...binDirs,
        value: (facts: Facts) => (listed(facts) ? [layout.cniBin] : undefined),
      },
    }),
    [`${at.runtime}.cni.conf_dir`]: {
      value: layout.cniConf,
      why: 'Folder of the CNI configuration.',
    },
    [`${at.runtime}.cni.max_conf_num`]: {
      value: 1,
      why: 'Only the first file by name is used.',
    },
  })
  const comments = {
    root: 'containerd lets only SYSTEM and Administrators open these folders.',
    [ttrpc]: 'This format does not derive it from the gRPC address.',
    ...(version > 2 && {
      [at.sandbox]: 'The sandbox image of every pod; image garbage collection never deletes it.',
    }),
    [`${at.images}.registry.config_path`]: 'One folder for each registry, with a hosts.toml.',
    [`${handlers}.${processHandler}.options.ScrubLogs`]:
      "Keeps environment variables out of the shim's log.",
    [`${at.runtime}.cni.max_conf_num`]: 'Only the first file by name is used.',
  }
  return {
    rows,
    settings: settingsOf(rows, cri),
    head: at.head,
    comments: Object.entries(comments).map(([key, text]) => ({ at: stepsOf(key), text })),
    // As `containerd config default` of each major writes the names of plugins.
    literalNames: version > 2,
  }
}

/**
 * hcsshim sets the registry values of dumps in the container.
 * https://github.com/Azure/AgentBaker/blob/06836ee2301e362039418c3a7ed0fe6004a641fd/staging/cse/windows/containerdfunc.ps1
 */
const dumpAnnotations = [
  'io.microsoft.container.processdumplocation',
  'io.microsoft.wcow.processdumptype',
  'io.microsoft.wcow.processdumpcount',
]

/** A handler of the file takes the place of the default one of its name, whole. */
function handlerOf({ spec, has }: Facts, hyperV: boolean): JsonObject {
  const ofPods = [
    ...(hyperV ? ['io.microsoft.virtualmachine.*'] : []),
    ...(spec.host.processDumps === undefined ? [] : dumpAnnotations),
  ]
  return {
    runtime_type: 'io.containerd.runhcs.v1',
    ...(has('containerd-handler-annotations') && {
      ...(ofPods.length > 0 && { pod_annotations: ofPods }),
      container_annotations: ['io.microsoft.container.*'],
    }),
    options: {
      ...(hyperV && { SandboxIsolation: 1, ScaleCpuLimitsToSandbox: true }),
      ...(has('containerd-scrub-logs') && { ScrubLogs: true }),
    },
  }
}

/** config.toml, by version of the format. */
export const containerdTables = {
  2: tableIn(2, places2),
  3: tableIn(3, places3),
  4: tableIn(4, places4),
}
