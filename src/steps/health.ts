// What shows that a member works: the checks of Test, with what each needs of the profile.
import { cniOf } from '../cni/index.ts'
import { fileOf } from '../components/component.ts'
import { kubelet } from '../components/kubelet.ts'
import { kubeProxy } from '../components/kube-proxy.ts'
import { kubeletHealthPort, kubeletPort, proxyHealthPort } from '../matrix/ports.ts'
import type { Facts } from '../model/facts.ts'
import type { HealthCheck } from '../model/health.ts'
import { driveOf, layout, systemDrive } from '../model/layout.ts'
import { mebibytes } from '../sizing/quantities.ts'

export function healthOf(facts: Facts): readonly HealthCheck[] {
  const served = kubeletHealth(facts)
  const proxy = proxyHealth(facts)
  return [
    ...(served ? [{ id: 'kubelet', kind: 'kubelet', with: { ...served } } as const] : []),
    { id: 'certificate', kind: 'certificate', with: {} },
    { id: 'node', kind: 'node', with: wantedNode(facts) },
    ...networkChecks(facts),
    ...(proxy ? [{ id: 'proxy', kind: 'proxy', with: { ...proxy } } as const] : []),
    ...(cniOf(facts.spec.network.cni).kubeProxy
      ? [{ id: 'services', kind: 'services', with: {} } as const]
      : []),
    {
      id: 'sandbox-image',
      kind: 'image',
      with: { image: facts.spec.sandboxImage, crictl: `${layout.programs}\\crictl.exe` },
    },
    { id: 'clock', kind: 'clock', with: { seconds: 300 } },
    ...diskChecks(facts),
    { id: 'ports', kind: 'ports', with: { ports: portsOf(served, proxy) } },
  ]
}

interface Listener {
  readonly address: string
  readonly port: number
}

/** Where the kubelet says that it runs, or nothing where the profile turns that off. */
function kubeletHealth(facts: Facts): Listener | undefined {
  const { healthzPort, healthzBindAddress } = fileOf(kubelet, facts)
  const port = Number(healthzPort ?? kubeletHealthPort)
  return port === 0 ? undefined : { address: askedAt(healthzBindAddress), port }
}

/**
 * Where kube-proxy says whether it keeps up with what changes, or nothing where the plugin replaces it.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/healthcheck/proxy_health.go
 */
function proxyHealth(facts: Facts): Listener | undefined {
  if (!cniOf(facts.spec.network.cni).kubeProxy) return undefined
  const { healthzBindAddress: written } = fileOf(kubeProxy, facts)
  const bound = typeof written === 'string' ? written : ''
  const [, host = bound, port = proxyHealthPort] = /^(\[.*\]|[^:]*):(\d+)$/.exec(bound) ?? []
  return { address: askedAt(host.replace(/^\[|\]$/g, '')), port: Number(port) }
}

/** What listens everywhere is asked at home. */
function askedAt(bound: unknown): string {
  if (bound === '::') return '::1'
  return typeof bound === 'string' && bound !== '' && bound !== '0.0.0.0' ? bound : '127.0.0.1'
}

function wantedNode({ spec }: Facts): HealthCheck['with'] {
  const { labels, taints } = spec.kubelet
  return {
    kubelet: spec.kubernetes.version,
    labels: Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    taints: taints.map(({ key, value, effect }) => `${key}=${value}:${effect}`),
  }
}

/** The plugin's network, and the endpoint that the host has in it: without that one it reaches no pod. */
function networkChecks({ spec }: Facts): readonly HealthCheck[] {
  const { cni, mode, name } = spec.network
  const { hnsType: type } = cniOf(cni).modes[mode] ?? {}
  if (type === undefined || type === 'Transparent') return []
  const endpoint = type === 'Overlay' ? {} : { endpoint: `${name}_ep` }
  return [{ id: 'network', kind: 'network', with: { network: name, type, ...endpoint } }]
}

/** The kubelet's own thresholds: below them it evicts pods, and takes none. */
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
    if (least === undefined) return []
    const share = /^(\d+(?:\.\d+)?)%$/.exec(least)?.[1]
    const amount = share === undefined ? { mib: mebibytes(least, 'up') ?? 0 } : { percent: +share }
    return [{ id, kind: 'disk' as const, with: { drive, ...amount } }]
  })
}

/** Ports that must be the programs' own; another one that holds them keeps these from starting. */
function portsOf(served: Listener | undefined, proxy: Listener | undefined): readonly string[] {
  return [
    `${kubeletPort} kubelet`,
    ...(served ? [`${served.port} kubelet`] : []),
    ...(proxy ? [`${proxy.port} kube-proxy`] : []),
  ]
}
