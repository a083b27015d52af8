// Values to a NodeSpec: whatever a profile leaves open is decided here, with its reason.
import { addressAt, formatAddress, formatCidr, parseCidr } from '../cni/cidr.ts'
import { cniOf } from '../cni/index.ts'
import { kubernetesOf } from '../matrix/kubernetes.ts'
import { defaultSandboxRepository, sandboxTagFor } from '../matrix/sandbox-images.ts'
import { windowsOf } from '../matrix/windows.ts'
import type { WrittenCredentials } from '../model/credentials-field.ts'
import type { Credentials } from '../model/credentials.ts'
import { driveOf, layout, systemDrive } from '../model/layout.ts'
import type { Move } from '../model/move.ts'
import type { Decision } from '../model/plan.ts'
import type { NodeSpec } from '../model/spec.ts'
import { winnodeModel } from '../sizing/models/winnode.ts'
import type { ProfileValues } from './fields/index.ts'
import { decideVersions } from './versions.ts'

export interface Resolved {
  readonly spec: NodeSpec
  readonly decisions: readonly Decision[]
}

/** The values with other versions. */
export function withMove(values: ProfileValues, move: Move): ProfileValues {
  return {
    ...values,
    kubernetes: { ...values.kubernetes, ...move.kubernetes },
    containerd: { ...values.containerd, ...move.containerd },
    sandboxImage: move.sandboxImage ?? values.sandboxImage,
  }
}

/** `name` is the bundle's where the profile gives none. */
export function resolveProfile(values: ProfileValues, name: string): Resolved {
  const { kubernetes, containerd, decisions } = decideVersions(values)
  const sandbox = sandboxImageOf(values, kubernetes.kubeadm)
  const { kubelet, kubeProxy, join, reserve, machine, host } = values
  const spec: NodeSpec = {
    name: values.name ?? name,
    summary: values.summary ?? `A Windows node of Kubernetes ${kubernetes.version}.`,
    windows: { release: values.windows.release, revision: values.windows.revision },
    kubernetes,
    containerd,
    sandboxImage: sandbox.value,
    network: networkOf(values),
    kubelet: {
      ...kubelet,
      nodeName: kubelet.nodeName,
      shutdownGracePeriod: kubelet.shutdownGracePeriod,
      shutdownGracePeriodCriticalPods: kubelet.shutdownGracePeriodCriticalPods,
      servingCertificateApprover: kubelet.servingCertificateApprover,
      cloudProvider: kubelet.cloudProvider,
      providerID: kubelet.providerID,
      dropInDirectory: kubelet.dropInDirectory,
      config: kubelet.config,
    },
    kubeProxy: {
      ...kubeProxy,
      credentials: credentialsOf(kubeProxy.credentials),
      config: kubeProxy.config,
    },
    reserve: {
      ...reserve,
      evictionHard: { ...thresholds(containerd.root), ...reserve.evictionHard },
    },
    machine: { ...machine, secureBoot: machine.secureBoot },
    join: {
      method: join.method,
      endpoint: join.endpoint,
      discoveryFile: discoveryFileOf(join),
      caCertHashes: join.caCertHashes,
      ca: join.ca,
      tokenFile: join.tokenFile,
    },
    services: values.services,
    host: { ...host, pageFileMiB: host.pageFileMiB, proxy: host.proxy },
    registry: {
      mirrors: mirrorsOf(values.registry.mirrors),
      credentialProvider: credentialProvidersOf(values.registry.credentialProvider),
    },
    artifacts: { ...values.artifacts, baseURLs: basesOf(values.artifacts.baseURLs) },
    isolation: values.isolation,
    targets: targetsOf(values.targets),
    ignore: values.ignore,
  }
  return { spec, decisions: [...decisions, { subject: 'sandbox image', ...sandbox }] }
}

/**
 * Of every model and on every minor: a kubelet turns off what its file leaves out. Images on a drive of
 * their own have a signal of their own, with the kubelet's default.
 * https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/v1beta1/defaults_windows.go
 */
function thresholds(root: string): Readonly<Record<string, string>> {
  const images = driveOf(root) === systemDrive ? {} : { 'imagefs.available': '15%' }
  return { ...winnodeModel.eviction.windows, ...images }
}

function networkOf({ network }: ProfileValues): NodeSpec['network'] {
  const mode = cniOf(network.cni).modes[network.mode]
  return {
    ...network,
    // A rule refuses a mode that the plugin lacks.
    backend: mode?.backend ?? '',
    name: network.name ?? mode?.networkName(network.flannel) ?? '',
    podCIDRs: network.podCIDRs.map(canonical),
    serviceCIDRs: network.serviceCIDRs.map(canonical),
    nodeCIDRs: network.nodeCIDRs.map(canonical),
    untranslated: network.untranslated.map(canonical),
    clusterDNS: network.clusterDNS ?? tenthAddress(network.serviceCIDRs[0]),
    adapter: network.adapter,
    nodeIP: network.nodeIP,
    sourceVip: network.sourceVip,
    flannel: { ...network.flannel, credentials: credentialsOf(network.flannel.credentials) },
    antrea: { ovsDriver: network.antrea.ovsDriver },
  }
}

/** Only the spelling: host bits are left for a rule to refuse. */
function canonical(text: string): string {
  const cidr = parseCidr(text)
  return cidr && formatCidr(cidr) === text.toLowerCase() ? formatCidr(cidr) : text
}

function tenthAddress(text: string | undefined): readonly string[] {
  const cidr = parseCidr(text ?? '')
  return cidr ? [formatAddress(addressAt(cidr, 10))] : []
}

function credentialsOf(written: WrittenCredentials): Credentials {
  if ('kubeconfig' in written) return { kind: 'kubeconfig', ...written }
  if ('tokenFile' in written) return { kind: 'tokenFile', ...written }
  return { kind: 'clientCertificate', ...written }
}

function discoveryFileOf(join: ProfileValues['join']): string | undefined {
  if (join.method === 'bootstrapKubeconfig') return join.discoveryFile
  return join.discoveryFile ?? (join.endpoint === undefined ? layout.discovery : undefined)
}

function targetsOf({ userdata, capi, packer }: ProfileValues['targets']): NodeSpec['targets'] {
  const { provider, cluster, bundleURL, machineVersion, autoscaler } = capi
  return {
    userdata: { ...userdata, bundleURL: userdata.bundleURL },
    capi: { ...capi, provider, cluster, bundleURL, machineVersion, autoscaler },
    packer: { builder: packer.builder, source: packer.source },
  }
}

/** Paths begin with their own slash. */
function basesOf(written: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const whole = Object.entries(written).map(
    ([base, url]) => [base, url.replace(/\/+$/, '')] as const,
  )
  return Object.fromEntries(whole)
}

function credentialProvidersOf(
  written: ProfileValues['registry']['credentialProvider'],
): NodeSpec['registry']['credentialProvider'] {
  if (!written) return undefined
  const binDirectory = written.binDirectory.replaceAll('/', '\\').replace(/\\$/, '')
  return { ...written, binDirectory, config: written.config }
}

function mirrorsOf(written: ProfileValues['registry']['mirrors']): NodeSpec['registry']['mirrors'] {
  return Object.fromEntries(
    Object.entries(written).map(([registry, mirrors]) => [
      registry,
      mirrors.map(({ url, ca, overridePath }) => ({
        url,
        ca: ca?.replaceAll('/', '\\'),
        overridePath,
      })),
    ]),
  )
}

function sandboxImageOf(
  { sandboxImage, windows }: ProfileValues,
  kubeadm: string,
): Omit<Decision, 'subject'> {
  if (sandboxImage !== undefined) return { value: sandboxImage, reason: 'as the profile says' }
  const asked = kubernetesOf(kubeadm).row.sandboxTag
  const { build } = windowsOf(windows.release)
  const tag = sandboxTagFor(build, asked) ?? asked
  return {
    value: `${defaultSandboxRepository}:${tag}`,
    reason:
      tag === asked
        ? 'what kubeadm asks for'
        : `the first after ${asked}, which kubeadm asks for, with an entry for this Windows build`,
  }
}
