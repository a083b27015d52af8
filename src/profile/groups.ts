// Groups of a NodeSpec that follow from their own values alone: of the same values the same group.
import { addressAt, formatAddress, formatCidr, parseCidr } from '../net/cidr.ts'
import { cniOf, networkNameOf, settingsOf } from '../cni/index.ts'
import { credentialsOf } from '../cni/kubeconfig.ts'
import { layout } from '../model/layout.ts'
import { remembered } from '../model/remembered.ts'
import type { NodeSpec as Spec } from '../model/spec.ts'
import type { ProfileValues as Values } from './fields/index.ts'

export const networkOf = remembered((network: Values['network']): Spec['network'] => {
  const mode = cniOf(network.cni).modes[network.mode]
  const settings = settingsOf(network)
  return {
    ...network,
    // A rule refuses a mode that the plugin lacks.
    backend: mode?.backend ?? '',
    name: network.name ?? networkNameOf(network.cni, network.mode, settings) ?? '',
    podCIDRs: network.podCIDRs.map(canonical),
    serviceCIDRs: network.serviceCIDRs.map(canonical),
    nodeCIDRs: network.nodeCIDRs.map(canonical),
    untranslated: network.untranslated.map(canonical),
    clusterDNS: network.clusterDNS ?? tenthAddress(network.serviceCIDRs[0]),
    adapter: network.adapter,
    nodeIP: network.nodeIP,
    sourceVip: network.sourceVip,
    ...settings,
  }
})

export const kubeletOf = remembered((kubelet: Values['kubelet']): Spec['kubelet'] => ({
  ...kubelet,
  nodeName: kubelet.nodeName,
  shutdownGracePeriod: kubelet.shutdownGracePeriod,
  shutdownGracePeriodCriticalPods: kubelet.shutdownGracePeriodCriticalPods,
  servingCertificateApprover: kubelet.servingCertificateApprover,
  cloudProvider: kubelet.cloudProvider,
  providerID: kubelet.providerID,
  dropInDirectory: kubelet.dropInDirectory,
  config: kubelet.config,
}))

export const kubeProxyOf = remembered((kubeProxy: Values['kubeProxy']): Spec['kubeProxy'] => ({
  ...kubeProxy,
  credentials: credentialsOf(kubeProxy.credentials),
  config: kubeProxy.config,
}))

export const machineOf = remembered((machine: Values['machine']): Spec['machine'] => ({
  ...machine,
  secureBoot: machine.secureBoot,
}))

export const joinOf = remembered((join: Values['join']): Spec['join'] => ({
  method: join.method,
  // A name that ends with a dot is the same name to kubeadm, and no certificate has the dot.
  endpoint: join.endpoint?.replace(/\.(?=:\d+$)/, ''),
  discoveryFile: discoveryFileOf(join),
  // kubeadm takes both cases; the node compares text.
  caCertHashes: join.caCertHashes.map((hash) => hash.toLowerCase()),
  ca: join.ca,
  tokenFile: join.tokenFile,
}))

export const hostOf = remembered((host: Values['host']): Spec['host'] => ({
  ...host,
  pageFileMiB: host.pageFileMiB,
  proxy: host.proxy,
}))

export const registryOf = remembered(
  ({ mirrors, credentialProvider }: Values['registry']): Spec['registry'] => ({
    mirrors: mirrorsOf(mirrors),
    credentialProvider: credentialProvidersOf(credentialProvider),
  }),
)

export const artifactsOf = remembered((artifacts: Values['artifacts']): Spec['artifacts'] => ({
  ...artifacts,
  baseURLs: basesOf(artifacts.baseURLs),
}))

export const targetsOf = remembered(
  ({ userdata, capi, packer }: Values['targets']): Spec['targets'] => {
    const { provider, cluster, bundleURL, machineVersion, autoscaler } = capi
    return {
      userdata: { ...userdata, bundleURL: userdata.bundleURL },
      capi: { ...capi, provider, cluster, bundleURL, machineVersion, autoscaler },
      packer: { builder: packer.builder, source: packer.source },
    }
  },
)

/** Only the spelling: host bits are left for a rule to refuse. */
function canonical(text: string): string {
  const cidr = parseCidr(text)
  return cidr && formatCidr(cidr) === text.toLowerCase() ? formatCidr(cidr) : text
}

function tenthAddress(text: string | undefined): readonly string[] {
  const cidr = parseCidr(text ?? '')
  return cidr ? [formatAddress(addressAt(cidr, 10))] : []
}

function discoveryFileOf(join: Values['join']): string | undefined {
  if (join.method === 'bootstrapKubeconfig') return join.discoveryFile
  return join.discoveryFile ?? (join.endpoint === undefined ? layout.discovery : undefined)
}

/** Paths begin with their own slash. */
function basesOf(written: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const whole = Object.entries(written).map(
    ([base, url]) => [base, url.replace(/\/+$/, '')] as const,
  )
  return Object.fromEntries(whole)
}

function credentialProvidersOf(
  written: Values['registry']['credentialProvider'],
): Spec['registry']['credentialProvider'] {
  if (!written) return undefined
  const binDirectory = written.binDirectory.replaceAll('/', '\\').replace(/\\$/, '')
  return { ...written, binDirectory, config: written.config }
}

function mirrorsOf(written: Values['registry']['mirrors']): Spec['registry']['mirrors'] {
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
