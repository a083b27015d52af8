// Health checks of a joined node, which Test-WinNode.ps1 runs, and their parameters.
import { apiClientsOf } from '../cni/api-clients.ts'
import { externalNetwork, externalType } from '../cni/external-network.ts'
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { fileOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { kubeletListener, type Listener, proxyHealthListener } from '../components/listeners.ts'
import type { Facts } from '../model/facts.ts'
import type { HealthCheck } from '../model/health.ts'
import { driveOf, layout, systemDrive } from '../model/layout.ts'
import { parsePercentage } from '../go/floating.ts'
import { mebibytes, turnsOff } from '../sizing/quantities.ts'

export function healthOf(facts: Facts): readonly HealthCheck[] {
  const kubeletHealthz = kubeletHealthEndpoint(facts)
  const proxyHealthz = proxyHealthEndpoint(facts)
  const checks: readonly (HealthCheck | false)[] = [
    kubeletHealthz !== undefined && {
      id: 'kubelet',
      kind: 'kubelet',
      with: { ...kubeletHealthz },
    },
    { id: 'certificate', kind: 'certificate', with: {} },
    { id: 'node', kind: 'node', with: expectedNode(facts) },
    ...networkChecks(facts),
    ...externalCheck(facts),
    { id: 'sandboxes', kind: 'sandboxes', with: { byDaemonSet: isByDaemonSet(facts) } },
    ...(cniOf(facts.spec.network.cni).health?.(facts.spec) ?? []),
    proxyHealthz !== undefined && {
      id: 'proxy',
      kind: 'proxy',
      with: {
        ...proxyHealthz,
        network: facts.spec.network.name,
        ...(kubeProxyRuns(facts.spec) === 'daemonSet' ? { byDaemonSet: true } : {}),
      },
    },
    // Its credentials are on the node only if it is a service.
    kubeProxyRuns(facts.spec) === 'service' && { id: 'services', kind: 'services', with: {} },
    {
      id: 'sandbox-image',
      kind: 'image',
      with: { image: facts.spec.sandboxImage, crictl: `${layout.programs}\\crictl.exe` },
    },
    { id: 'clock', kind: 'clock', with: { seconds: 300 } },
    ...diskChecks(facts),
    {
      id: 'ports',
      kind: 'ports',
      with: {
        ports: portsOf(kubeletListener(facts), kubeletHealthz, proxyHealthz),
        dynamic: facts.spec.host.dynamicPorts,
      },
    },
    facts.has('log-runner-rotates') && { id: 'logs', kind: 'logs', with: {} },
    { id: 'firewall', kind: 'firewall', with: {} },
    ...tokenCheck(facts),
    ...gmsaCheck(facts),
  ]
  return checks.filter((check) => check !== false)
}

/** When the tokens of kube-proxy and the network plugin in files expire. */
function tokenCheck({ spec }: Facts): readonly HealthCheck[] {
  const paths = apiClientsOf(spec).flatMap(({ credentials }) =>
    credentials.kind === 'tokenFile' ? [credentials.tokenFile] : [],
  )
  return paths.length === 0 ? [] : [{ id: 'tokens', kind: 'tokens', with: { paths } }]
}

/** A node in the domain gets the password of an account itself; a spec that names a plug-in needs the plug-in instead. */
function gmsaCheck({ spec }: Facts): readonly HealthCheck[] {
  const plugins = spec.cluster.gmsa.credentialSpecs.map((one) => one.hostAccountConfig?.pluginGUID)
  if (plugins.length === 0) return []
  const named = [...new Set(plugins.filter((plugin) => plugin !== undefined))]
  return [
    { id: 'gmsa', kind: 'gmsa', with: { plugins: named, domain: plugins.includes(undefined) } },
  ]
}

interface Endpoint {
  readonly address: string
  readonly port: number
}

/** The kubelet's /healthz; undefined if the profile turns it off with port 0. */
function kubeletHealthEndpoint(facts: Facts): Endpoint | undefined {
  const { healthzPort, healthzBindAddress } = fileOf(kubelet, facts)
  const port = Number(healthzPort)
  return port === 0 ? undefined : { address: clientAddress(healthzBindAddress), port }
}

/**
 * The /healthz of kube-proxy; undefined if the plugin replaces kube-proxy.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/healthcheck/proxy_health.go
 */
function proxyHealthEndpoint(facts: Facts): Endpoint | undefined {
  if (kubeProxyRuns(facts.spec) === false) return undefined
  const { address, port } = proxyHealthListener(facts)
  return { address: clientAddress(address), port }
}

/** The address to connect to: loopback where a program listens on all addresses. */
function clientAddress(bound: unknown): string {
  if (bound === '::') return '::1'
  return typeof bound === 'string' && bound !== '' && bound !== '0.0.0.0' ? bound : '127.0.0.1'
}

function expectedNode({ spec }: Facts): HealthCheck['with'] {
  const { labels, taints } = spec.kubelet
  return {
    kubelet: spec.kubernetes.version,
    labels: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    taints: taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`),
  }
}

/** Whether the plugin's DaemonSet creates the HNS network, and no step. */
function isByDaemonSet({ spec }: Facts): boolean {
  return cniOf(spec.network.cni).provides?.(spec).network === undefined
}

/**
 * The plugin's HNS network, if its name is known, with the host's endpoint in it, without which the host reaches no pod;
 * and the endpoints of pods. With Open vSwitch there is no such endpoint, and pods' endpoints have other names.
 */
function networkChecks(facts: Facts): readonly HealthCheck[] {
  const { cni, mode, name } = facts.spec.network
  const { modes, sourceVip } = cniOf(cni)
  const { hnsType: type, agent, withoutEndpoint } = modes[mode] ?? {}
  if (type === undefined || name === '') return []
  if (agent !== undefined) {
    const expected = { network: name, type, byDaemonSet: isByDaemonSet(facts), endpoint: '' }
    return [{ id: 'network', kind: 'network', with: { ...expected, ...agent } }]
  }
  const endpoint = !withoutEndpoint && kubeProxyRuns(facts.spec) !== false ? `${name}_ep` : ''
  // kube-proxy itself creates the one with a reserved source VIP, without a name.
  const named = sourceVip?.(facts.spec.network) === undefined ? { endpoint } : {}
  const byDaemonSet = isByDaemonSet(facts)
  return [
    { id: 'network', kind: 'network', with: { network: name, type, byDaemonSet, ...named } },
    { id: 'endpoints', kind: 'endpoints', with: {} },
  ]
}

/** Without it, pods still have their network, and the machine loses its own when the plugin makes that again. */
function externalCheck({ spec }: Facts): readonly HealthCheck[] {
  const type = externalType(spec.network)
  if (type === undefined) return []
  const external = { network: externalNetwork.name, type, byDaemonSet: false, endpoint: '' }
  return [{ id: 'external-network', kind: 'network', with: external }]
}

/** Checks free space against the kubelet's eviction thresholds, below which it evicts pods and admits none. */
function diskChecks({ spec }: Facts): readonly HealthCheck[] {
  const images = driveOf(spec.containerd.root)
  const rows = [
    { id: 'disk', drive: systemDrive, signal: 'nodefs.available' },
    ...(images === systemDrive
      ? []
      : [{ id: 'disk-images', drive: images, signal: 'imagefs.available' }]),
  ]
  return rows.flatMap(({ id, drive, signal }) => {
    const least = spec.reserve.evictionHard[signal]
    if (least === undefined || turnsOff(least)) return []
    const percent = parsePercentage(least)
    // A share that is not a number is no threshold.
    if (Number.isNaN(percent)) return []
    const amount = percent === undefined ? { mib: mebibytes(least, 'up') ?? 0 } : { percent }
    return [{ id, kind: 'disk' as const, with: { drive, ...amount } }]
  })
}

/** Ports, each with the program that must listen on it: another listener keeps the program from starting. */
function portsOf(
  kubeletApi: Listener | undefined,
  kubeletHealthz: Endpoint | undefined,
  proxyHealthz: Endpoint | undefined,
): readonly string[] {
  return [
    ...(kubeletApi ? [`${kubeletApi.port} kubelet`] : []),
    ...(kubeletHealthz ? [`${kubeletHealthz.port} kubelet`] : []),
    ...(proxyHealthz ? [`${proxyHealthz.port} kube-proxy`] : []),
  ]
}
