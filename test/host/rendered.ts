// Simulated machines and clusters that match the profile of a rendered bundle.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { root } from '../tools/run.ts'
import { checksOf, needs, renderBundle, type NodeDocument } from './bundle.ts'
import type { Cluster, Host } from './host.ts'
import type { Stage } from './stage.ts'

/** A bundle for EKS's image has no scripts. */
export const isInstalled = (name: string) => !name.endsWith('-eks')

/** Profiles of which all files are kept. */
export const goldenProfiles: readonly string[] = readdirSync(path.join(root, 'test/golden'))
  .filter(isInstalled)
  .map((name) => `test/golden/${name}/profile.yaml`)
  .filter((name) => existsSync(path.join(root, name)))

interface Rendered {
  readonly node: NodeDocument
  /** Puts what the profile makes with other settings into the same place. */
  readonly again: (settings: readonly string[], folder?: string) => NodeDocument
}

/** A fresh machine with the bundle of a profile in C:\\win-node, with settings such as `kubernetes.version=1.36`. */
export async function renderedMachine(
  { host, artifacts }: Pick<Stage, 'host' | 'artifacts'>,
  profile: string,
  drive: string,
  settings: readonly string[] = [],
): Promise<Rendered> {
  await host.fresh(drive)
  const cluster = flagsOf(profile, await host.cluster())
  const bundle = path.join(drive, 'win-node')
  const again = (more: readonly string[], folder = bundle) => {
    // Downloads from a test server change the bundle.
    rmSync(folder, { recursive: true, force: true })
    const flags = more.flatMap((one) => ['--set', one])
    return renderBundle(profile, folder, artifacts, [...cluster, ...flags])
  }
  const node = again(settings)
  await host.fresh(drive, {
    Build: Number(needs(node, 'windowsBuild', 'build')),
    Revision: Number(needs(node, 'revisionAtLeast', 'revision') ?? 9999),
  })
  await registerPlugins(host, node)
  const made = daemonSetOf(nameOf(profile))
  if (made) await host.ps('Set-HostFact -Name DaemonSet -Value $with.made', { made })
  await host.ps(`Set-HostObject -Path /version -Value @{ gitVersion = 'v${versionOf(node)}' }`)
  // The Linux nodes tunnel as this bundle wants.
  const Backend = needs(node, 'cluster', 'flannelBackend') ?? ''
  const VNI = needs(node, 'cluster', 'flannelVNI')
  const like = { Backend, Data: VNI === undefined ? 'null' : JSON.stringify({ VNI }) }
  await host.ps('$like = $with.like; Add-HostLinuxNode -Name linux-a @like', { like })
  return { node, again }
}

/** Plug-ins of Container Credential Guard that the profile names are a part of the image. */
async function registerPlugins(host: Host, node: NodeDocument): Promise<void> {
  const health = node['health'] as ReturnType<typeof checksOf>
  const plugins = health
    .filter(({ kind }) => kind === 'gmsa')
    .flatMap((check) => check.with)
    .filter(({ name }) => name === 'plugins')
    .flatMap(({ value }) => value)
  const roots = ['SOFTWARE\\Classes\\CLSID', 'SYSTEM\\CurrentControlSet\\Control\\CCG\\COMClasses']
  const keys = plugins.flatMap((plugin) => roots.map((above) => `${above}\\${String(plugin)}`))
  await host.ps(`foreach ($key in $with.keys) { $null = [WinNodeHost.Registry]::Create($key) }`, {
    keys,
  })
}

/** What says which profile it is: a temporary folder is named after its test, such as kube-proxy-pods. */
const nameOf = (profile: string): string =>
  path.isAbsolute(profile) ? path.basename(profile) : profile

/** The HNS network of a plugin that its own DaemonSet installs; true where no check knows its name. */
function daemonSetOf(profile: string) {
  const network = { Name: 'Calico', Type: /bgp|routed/.test(profile) ? 'L2Bridge' : 'Overlay' }
  if (profile.includes('calico-routed')) return { ...network, Proxy: true, Backend: 'none' }
  if (profile.includes('calico')) return { ...network, Proxy: true }
  if (profile.includes('-pods')) {
    const flannel = { Proxy: true, Flannel: true }
    return profile.includes('l2bridge')
      ? { ...flannel, Name: 'cbr0', Type: 'L2Bridge' }
      : { ...flannel, Name: 'flannel.4096', Type: 'Overlay' }
  }
  if (profile.includes('-host-process')) return { Name: 'flannel.4096', Proxy: true }
  if (profile.includes('antrea')) return { Name: 'antrea-hnsnetwork', Type: 'Transparent' }
  if (profile.includes('test/golden/ws2022-none')) return network
  return profile.includes('none')
}

/** The version of the kubelet. */
export const versionOf = (node: NodeDocument): string => String(needs(node, 'cluster', 'kubelet'))

/** What a metadata script writes on a machine of a cloud. */
const ofTheCloud: Readonly<Record<string, string>> = {
  'node-name': 'Pool-1a2b\n',
  'provider-id': 'aws:///eu-west-1a/i-0123456789abcdef0\n',
}

/** Files that must exist before Install, and before Join. */
export function filesOf(node: NodeDocument) {
  const present = checksOf(node).filter(({ kind }) => kind === 'filePresent')
  const pathsOf = (first: boolean) =>
    present
      .filter(({ id }) => (id === 'mirror-files') === first)
      .flatMap((check) => check.with.map(({ value }) => value))
      .flat() as readonly string[]
  return { first: pathsOf(true), later: pathsOf(false), texts: ofTheCloud }
}

/** The API server of a profile that names one, or asks for one, is the simulated cluster's. */
export function flagsOf(named: string, { endpoint, digest, ca }: Cluster): readonly string[] {
  const profile = nameOf(named)
  const where = ['--set', `join.endpoint=${endpoint}`]
  // One of flannel with an endpoint, so that its tokens are in files.
  if (/antrea|calico|-cloud|flannel-l2bridge$/.test(profile))
    return [...where, '--set', `join.caCertHashes=[${digest}]`]
  if (!profile.includes('without-kubeadm')) return []
  return [...where, '--set', `join.ca=${JSON.stringify(ca)}`]
}

/** Settings for a minor version and the one after it; the newest one is where it leads. */
export function stepOf(version: string): readonly [readonly string[], readonly string[]] {
  const minor = Number(version.split('.')[1])
  const of = (one: number) => [`kubernetes.version=1.${one}`]
  if (kubernetesMinors.at(-1)?.minor === `1.${minor}`) return [of(minor - 1), []]
  // The kubelet of 1.26 speaks CRI v1 only.
  const containerd = minor + 1 === 26 ? ['containerd.version=1.7'] : []
  return [[], [...of(minor + 1), ...containerd]]
}
