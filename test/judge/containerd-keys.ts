// Keys of containerd's config.toml by its version, of hosts.toml, and of crictl.yaml.
// https://github.com/containerd/containerd/blob/main/cmd/containerd/server/config/config.go
// https://github.com/containerd/containerd/blob/main/internal/cri/config/config.go
// https://github.com/containerd/containerd/blob/release/1.7/pkg/cri/config/config.go
// https://github.com/microsoft/hcsshim/blob/main/cmd/containerd-shim-runhcs-v1/options/runhcs.proto
import type { Keys } from './keys.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const number = { type: 'integer' } as const
const texts = { type: 'list of strings' } as const
const map = { type: 'object' } as const

function below(prefix: string, keys: Keys): Keys {
  return Object.fromEntries(
    Object.entries(keys).map(([key, row]) => [key === '' ? prefix : `${prefix}.${key}`, row]),
  )
}

const everywhere: Keys = {
  version: number,
  root: text,
  state: text,
  temp: text,
  oom_score: number,
  disabled_plugins: texts,
  required_plugins: texts,
  imports: texts,
  timeouts: { type: 'map to strings' },
  debug: map,
  'debug.level': text,
  'debug.format': { ...text, values: ['text', 'json'] },
  plugins: map,
}

const socket: Keys = {
  '': map,
  address: text,
  max_recv_message_size: number,
  max_send_message_size: number,
}

/** Top-level until version 3; separate plugins from 4 on. */
const oldServer: Keys = {
  ...below('grpc', socket),
  ...below('ttrpc', { '': map, address: text }),
  ...below('metrics', { '': map, address: text, grpc_histogram: flag }),
  'debug.address': text,
}
const newServer: Keys = {
  ...below('plugins.io.containerd.server.v1.grpc', socket),
  ...below('plugins.io.containerd.server.v1.ttrpc', { '': map, address: text }),
  ...below('plugins.io.containerd.server.v1.debug', { '': map, address: text }),
  ...below('plugins.io.containerd.server.v1.metrics', { '': map, address: text }),
}

/** The shim's options, by the names of its Go type. */
const runhcs: Keys = {
  '': map,
  Debug: flag,
  DebugType: number,
  LogLevel: text,
  SandboxIsolation: { type: 'integer' },
  ScaleCpuLimitsToSandbox: flag,
  ScrubLogs: flag,
  VmMemorySizeInMb: number,
  VmProcessorCount: number,
}

const runtimes: Keys = {
  '': map,
  default_runtime_name: text,
  runtimes: map,
  'runtimes.*': map,
  'runtimes.*.runtime_type': { ...text, values: ['io.containerd.runhcs.v1'] },
  'runtimes.*.runtime_path': text,
  'runtimes.*.pod_annotations': texts,
  'runtimes.*.container_annotations': texts,
  'runtimes.*.base_runtime_spec': text,
  'runtimes.*.cni_conf_dir': text,
  'runtimes.*.cni_max_conf_num': number,
  'runtimes.*.snapshotter': { ...text, added: '1.7' },
  'runtimes.*.sandboxer': { ...text, added: '2.0' },
  ...below('runtimes.*.options', runhcs),
}

const cni: Keys = {
  '': map,
  conf_dir: text,
  max_conf_num: number,
  conf_template: text,
  ip_pref: { ...text, added: '1.6' },
}

const registry: Keys = {
  '': map,
  config_path: { ...text, added: '1.5' },
  headers: { type: 'map to lists', added: '1.5' },
}

const pulling: Keys = {
  max_concurrent_downloads: number,
  image_pull_progress_timeout: { type: 'duration', added: '1.7' },
  stats_collect_period: number,
}

const cri = 'plugins.io.containerd.grpc.v1.cri'
const images = 'plugins.io.containerd.cri.v1.images'
const runtime = 'plugins.io.containerd.cri.v1.runtime'

const before2: Keys = {
  [cri]: map,
  ...below(cri, { ...pulling, sandbox_image: text }),
  ...below(`${cri}.registry`, registry),
  ...below(`${cri}.containerd`, {
    ...runtimes,
    snapshotter: { ...text, values: ['windows'] },
    disable_snapshot_annotations: flag,
    discard_unpacked_layers: flag,
  }),
  ...below(`${cri}.cni`, { ...cni, bin_dir: text }),
}

const from2: Keys = {
  [images]: map,
  ...below(images, {
    ...pulling,
    snapshotter: { ...text, values: ['windows'] },
    disable_snapshot_annotations: flag,
    discard_unpacked_layers: flag,
  }),
  ...below(`${images}.pinned_images`, { '': map, sandbox: text }),
  ...below(`${images}.registry`, registry),
  [runtime]: map,
  ...below(`${runtime}.containerd`, runtimes),
  // The deprecated one of 2.1 and later still works, but both together are an error.
  ...below(`${runtime}.cni`, {
    ...cni,
    bin_dir: { ...text, removed: '2.1' },
    bin_dirs: { ...texts, added: '2.1' },
  }),
}

/** By the version of the format that the file names. */
export const containerdKeys: Readonly<Record<number, Keys>> = {
  2: { ...everywhere, ...oldServer, ...before2 },
  3: { ...everywhere, ...oldServer, ...from2 },
  4: { ...everywhere, ...newServer, ...from2 },
}

/** https://github.com/containerd/containerd/blob/main/core/remotes/docker/config/hosts.go */
export const hostsKeys: Keys = {
  server: text,
  host: map,
  'host.*': map,
  'host.*.capabilities': { ...texts, values: ['pull', 'resolve', 'push'] },
  'host.*.ca': text,
  'host.*.skip_verify': flag,
  'host.*.override_path': { ...flag, added: '1.6' },
  'host.*.dial_timeout': { type: 'duration', added: '2.1' },
}

/** https://github.com/kubernetes-sigs/cri-tools/blob/master/pkg/common/file.go */
export const crictlKeys: Keys = {
  'runtime-endpoint': text,
  'image-endpoint': text,
  timeout: number,
  debug: flag,
  'pull-image-on-create': flag,
  'disable-pull-on-run': flag,
}
