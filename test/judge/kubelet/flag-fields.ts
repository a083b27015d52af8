// Which field of KubeletConfiguration a flag sets: cmd/kubelet/app/options/options.go, AddKubeletConfigFlags.
import { minors } from '../tables.ts'

/** Flags whose letters differ from the field, or from the last part of its path. */
const renamed: Readonly<Record<string, string>> = {
  'anonymous-auth': 'authentication.anonymous.enabled',
  'authentication-token-webhook': 'authentication.webhook.enabled',
  'authentication-token-webhook-cache-ttl': 'authentication.webhook.cacheTTL',
  'contention-profiling': 'enableContentionProfiling',
  'event-qps': 'eventRecordQPS',
  'image-gc-high-threshold': 'imageGCHighThresholdPercent',
  'image-gc-low-threshold': 'imageGCLowThresholdPercent',
  'kube-api-content-type': 'contentType',
  'log-flush-frequency': 'logging.flushFrequency',
  'log-json-info-buffer-size': 'logging.options.json.infoBufferSize',
  'log-json-split-stream': 'logging.options.json.splitStream',
  'log-text-info-buffer-size': 'logging.options.text.infoBufferSize',
  'log-text-split-stream': 'logging.options.text.splitStream',
  'logging-format': 'logging.format',
  'manifest-url': 'staticPodURL',
  'manifest-url-header': 'staticPodURLHeader',
  'minimum-image-ttl-duration': 'imageMinimumGCAge',
  'pod-manifest-path': 'staticPodPath',
  'pod-max-pids': 'podPidsLimit',
  'registry-qps': 'registryPullQPS',
  'reserved-cpus': 'reservedSystemCPUs',
  'rotate-server-certificates': 'serverTLSBootstrap',
  v: 'logging.verbosity',
  vmodule: 'logging.vmodule',
}

const letters = (text: string) => text.replaceAll(/[-.]/g, '').toLowerCase()

const depthOf = (path: string) => path.split('.').length

/** The last entry wins: a field of the document before one inside of another. */
const byLetters = new Map(
  [...new Set(minors.flatMap(({ kubelet }) => Object.keys(kubelet.fields ?? {})))]
    .filter((path) => !path.includes('[]'))
    .toSorted((a, b) => depthOf(b) - depthOf(a))
    .flatMap((path) => [
      [letters(path.split('.').at(-1) ?? ''), path],
      [letters(path), path],
    ]),
)

/** Absent for a flag that no field replaces. */
export function fieldOfFlag(flag: string): string | undefined {
  return Object.hasOwn(renamed, flag) ? renamed[flag] : byLetters.get(letters(flag))
}
