// The TCP ports that programs of a node listen on, from their effective configuration.
import { windowsExporterPort } from '../addons/windows-exporter.ts'
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { kubeletPort, proxyHealthPort, proxyMetricsPort } from '../matrix/ports.ts'
import type { Facts } from '../model/facts.ts'
import type { Path } from '../model/path.ts'
import { settingOf } from './config-table.ts'
import { kubelet } from './kubelet.ts'
import { kubeProxy } from './kube-proxy.ts'

export interface Listener {
  /** `metrics of kube-proxy` */
  readonly what: string
  /** Empty for all addresses. */
  readonly address: string
  readonly port: number
  /** The field that sets the port, or the program. */
  readonly path: Path
}

/** The kubelet's API; undefined if the profile turns it off. Port 0 is the default, too. */
export function kubeletListener(facts: Facts): Listener | undefined {
  if (settingOf(kubelet, facts, 'enableServer').value === false) return undefined
  const { value: port, path } = settingOf(kubelet, facts, 'port')
  const { value: address } = settingOf(kubelet, facts, 'address')
  return {
    what: 'API of the kubelet',
    address: typeof address === 'string' ? address : '',
    port: typeof port === 'number' && port > 0 ? port : kubeletPort,
    path,
  }
}

/**
 * The health check of kube-proxy. An address without a port gets the default, and Antrea's agent uses the same one.
 * SetDefaults_KubeProxyConfiguration in https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/apis/config/v1alpha1/defaults.go
 * https://github.com/antrea-io/antrea/blob/main/docs/network-requirements.md
 */
export function proxyHealthListener(facts: Facts): Listener {
  const what = 'health of kube-proxy'
  return kubeProxyRuns(facts.spec) === false
    ? { what, address: '', port: proxyHealthPort, path: ['network', 'cni'] }
    : boundBy(facts, 'healthzBindAddress', what, { address: '', port: proxyHealthPort })
}

function boundBy(
  facts: Facts,
  key: 'healthzBindAddress' | 'metricsBindAddress',
  what: string,
  byDefault: Pick<Listener, 'address' | 'port'>,
): Listener {
  const { value, path } = settingOf(kubeProxy, facts, key)
  if (typeof value !== 'string' || value === '') return { what, path, ...byDefault }
  const [, host = value, port = byDefault.port] = /^(\[.*\]|[^:]*):(\d+)$/.exec(value) ?? []
  return { what, path, address: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

export function isLoopback({ address }: Listener): boolean {
  return /^(?:127\.|localhost|::1$)/.test(address)
}

/** A program that listens on a port of the system's choice is left out. */
export function listenersOf(facts: Facts): readonly Listener[] {
  const { cluster, network } = facts.spec
  const server = kubeletListener(facts)
  const ofKubelet = (
    [
      ['healthzPort', 'health of the kubelet'],
      ['readOnlyPort', 'read-only API of the kubelet'],
    ] as const
  ).map(([key, what]) => {
    const { value, path } = settingOf(kubelet, facts, key)
    return { what, address: '', port: Number(value ?? 0), path }
  })
  const ofPlugin = (cniOf(network.cni).steps?.host?.(facts) ?? []).flatMap((step) =>
    step.kind === 'firewallRule' && step.protocol === 'TCP'
      ? [
          {
            what: step.displayName.replace(/^winnode: /, ''),
            address: '',
            port: Number(step.ports),
            path: ['network', 'cni'],
          },
        ]
      : [],
  )
  const metrics = { address: '127.0.0.1', port: proxyMetricsPort }
  const all: readonly Listener[] = [
    ...(server ? [server] : []),
    ...ofKubelet,
    proxyHealthListener(facts),
    ...(kubeProxyRuns(facts.spec) === false
      ? []
      : [boundBy(facts, 'metricsBindAddress', 'metrics of kube-proxy', metrics)]),
    ...(cluster.windowsExporter.enabled
      ? [
          {
            what: 'windows_exporter',
            address: '',
            port: windowsExporterPort,
            path: ['cluster', 'windowsExporter', 'enabled'],
          },
        ]
      : []),
    ...ofPlugin,
  ]
  // The ports of network.none can be ranges, which are not numbers.
  return all.filter(({ port }) => port > 0)
}
