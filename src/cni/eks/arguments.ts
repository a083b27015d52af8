// The parameters of the bootstrap script of EKS's image, with the arguments of the kubelet.
import type { Amounts, Facts } from '../../model/facts.ts'
import { toText } from '../../model/json.ts'
import type { ResourceAmounts } from '../../model/spec.ts'

/**
 * Fields of KubeletConfiguration that a flag can set; a flag wins over the image's configuration file.
 * https://github.com/kubernetes/kubernetes/blob/master/cmd/kubelet/app/options/options.go, AddKubeletConfigFlags
 */
export const kubeletFlags: Readonly<Record<string, string>> = {
  containerLogMaxFiles: 'container-log-max-files',
  containerLogMaxSize: 'container-log-max-size',
  eventBurst: 'event-burst',
  eventRecordQPS: 'event-qps',
  evictionPressureTransitionPeriod: 'eviction-pressure-transition-period',
  imageGCHighThresholdPercent: 'image-gc-high-threshold',
  imageGCLowThresholdPercent: 'image-gc-low-threshold',
  imageMinimumGCAge: 'minimum-image-ttl-duration',
  kubeAPIBurst: 'kube-api-burst',
  kubeAPIQPS: 'kube-api-qps',
  nodeStatusUpdateFrequency: 'node-status-update-frequency',
  registryBurst: 'registry-burst',
  registryPullQPS: 'registry-qps',
  runtimeRequestTimeout: 'runtime-request-timeout',
  serializeImagePulls: 'serialize-image-pulls',
  streamingConnectionIdleTimeout: 'streaming-connection-idle-timeout',
  syncFrequency: 'sync-frequency',
  volumeStatsAggPeriod: 'volume-stats-agg-period',
}

/** A list is in double quotes, as Karpenter writes it: pkg/providers/amifamily/bootstrap/bootstrap.go. */
const list = (flag: string, items: readonly string[]): readonly string[] =>
  items.length > 0 ? [`--${flag}="${items.join(',')}"`] : []

const pairs = (map: Readonly<Record<string, unknown>>, sign = '=') =>
  Object.entries(map).map(([key, value]) => `${key}${sign}${String(value)}`)

function kubeletArguments({ spec, reservations }: Facts): readonly string[] {
  const { kubelet, reserve } = spec
  return [
    ...list('node-labels', pairs(kubelet.labels)),
    ...list(
      'register-with-taints',
      kubelet.taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`),
    ),
    `--max-pods=${kubelet.maxPods}`,
    ...list('kube-reserved', amounts(reservations.kube, reserve.kube)),
    ...list('system-reserved', amounts(reservations.system, reserve.system)),
    ...list('eviction-hard', pairs(reserve.evictionHard, '<')),
    ...list('feature-gates', pairs(kubelet.featureGates)),
    ...Object.entries(kubelet.config).map(
      ([key, value]) => `--${kubeletFlags[key] ?? key}=${toText(value)}`,
    ),
    `--windows-priorityclass=${kubelet.priorityClass}`,
    `--v=${kubelet.verbosity}`,
  ]
}

function amounts(
  { cpu, memory, ephemeralStorage }: Amounts,
  { pid }: ResourceAmounts,
): readonly string[] {
  return [
    ...(cpu > 0 ? [`cpu=${cpu}m`] : []),
    ...(memory > 0 ? [`memory=${memory}Mi`] : []),
    ...(ephemeralStorage > 0 ? [`ephemeral-storage=${ephemeralStorage}Mi`] : []),
    ...(pid === undefined ? [] : [`pid=${pid}`]),
  ]
}

interface Parameter {
  readonly name: string
  readonly value: string
}

/** https://docs.aws.amazon.com/eks/latest/userguide/eks-optimized-windows-ami.html, without empty ones. */
export function parametersOf(facts: Facts): readonly Parameter[] {
  const { network } = facts.spec
  const { clusterName = '', endpoint = '', certificateAuthority = '' } = network.eks
  return [
    { name: 'EKSClusterName', value: clusterName },
    { name: 'APIServerEndpoint', value: endpoint },
    { name: 'Base64ClusterCA', value: certificateAuthority },
    // The script guesses both from the address of the machine where they are missing.
    { name: 'DNSClusterIP', value: network.clusterDNS[0] ?? '' },
    { name: 'ServiceCIDR', value: network.serviceCIDRs[0] ?? '' },
    { name: 'KubeletExtraArgs', value: kubeletArguments(facts).join(' ') },
  ].filter(({ value }) => value !== '')
}

/** Bytes of the user data, at most: the fixed text of the template, and each parameter with its quotes; all is ASCII. */
export function userDataBytes(facts: Facts): number {
  const fixed = 256
  return parametersOf(facts).reduce(
    (sum, { name, value }) => sum + name.length + value.length + 12,
    fixed,
  )
}
