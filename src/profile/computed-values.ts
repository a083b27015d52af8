// Groups of a NodeSpec that differ from the profile: computed or normalized values.
import { addressAt, formatAddress, formatCidr, parseCidr } from '../net/cidr.ts'
import { cniOf, networkNameOf, settingsOf } from '../cni/index.ts'
import { isOnAzure } from '../cni/wireserver.ts'
import { credentialsOf } from '../cni/kubeconfig.ts'
import type { Credentials } from '../model/credentials.ts'
import { csrApproverName } from '../addons/csr-approver.ts'
import { artifactBases } from '../matrix/artifact-sources.ts'
import { fluentBitImageFor } from '../addons/fluent-bit.ts'
import { windowsOf } from '../matrix/windows.ts'
import { layout } from '../model/layout.ts'
import type { NodeSpec as Spec } from '../model/spec.ts'
import type { ProfileValues as Values } from './fields/index.ts'

/** Empty for a mode that the plugin does not support, which a rule rejects. */
export function backendOf({ backend, cni, mode }: Values['network']): string {
  return backend ?? cniOf(cni).modes[mode]?.backend ?? ''
}

export function nameOf(network: Values['network']): string {
  return network.name ?? networkNameOf(network) ?? ''
}

export const blockWireserverOf = (values: Values): boolean =>
  values.network.blockWireserver ?? isOnAzure(values)

/** The tenth address of the service CIDR, if the profile sets none. */
export function clusterDNSOf({ clusterDNS, serviceCIDRs }: Values['network']): readonly string[] {
  if (clusterDNS) return clusterDNS
  const cidr = parseCidr(serviceCIDRs[0] ?? '')
  return cidr ? [formatAddress(addressAt(cidr, 10))] : []
}

export function networkOf(values: Values): Spec['network'] {
  const { network, join } = values
  return {
    ...network,
    blockWireserver: blockWireserverOf(values),
    backend: backendOf(network),
    name: nameOf(network),
    podCIDRs: network.podCIDRs.map(canonical),
    serviceCIDRs: network.serviceCIDRs.map(canonical),
    nodeCIDRs: network.nodeCIDRs.map(canonical),
    untranslated: network.untranslated.map(canonical),
    clusterDNS: clusterDNSOf(network),
    ...settingsOf(network, join.endpoint),
  }
}

export function clusterOf(values: Values): Spec['cluster'] {
  const { cluster } = values
  return {
    ...cluster,
    csrApprover: { ...cluster.csrApprover, nodeCIDRs: approvedCIDRsOf(values) },
    fluentBit: { ...cluster.fluentBit, image: fluentBitImageOf(values) },
  }
}

export const fluentBitImageOf = ({ cluster, windows }: Values): string | undefined =>
  cluster.fluentBit.image ?? fluentBitImageFor(windowsOf(windows.release).build)

export const approvedCIDRsOf = ({ cluster, network }: Values): readonly string[] =>
  cluster.csrApprover.nodeCIDRs ?? network.nodeCIDRs

export const approverOf = ({ cluster, kubelet }: Values): string | undefined =>
  kubelet.servingCertificateApprover ?? (cluster.csrApprover.enabled ? csrApproverName : undefined)

export function proxyCredentialsOf({ kubeProxy, join }: Values): Credentials {
  return credentialsOf(kubeProxy.credentials, 'kube-proxy', join.endpoint)
}

export function joinOf(join: Values['join']): Spec['join'] {
  return {
    ...join,
    // A trailing dot does not change the name for kubeadm, but certificates never contain it.
    endpoint: join.endpoint?.replace(/\.(?=:\d+$)/, ''),
    discoveryFile: discoveryFileOf(join),
    // kubeadm ignores case, but the node scripts compare text.
    caCertHashes: join.caCertHashes.map((hash) => hash.toLowerCase()),
  }
}

export function registryOf({ mirrors, credentialProvider }: Values['registry']): Spec['registry'] {
  return {
    mirrors: Object.fromEntries(
      Object.entries(mirrors).map(([registry, list]) => [
        registry,
        list.map((mirror) => ({ ...mirror, ca: mirror.ca?.replaceAll('/', '\\') })),
      ]),
    ),
    credentialProvider: credentialProvider && {
      ...credentialProvider,
      binDirectory: credentialProvider.binDirectory.replaceAll('/', '\\').replace(/\\$/, ''),
    },
  }
}

/** `from` becomes a base URL of each source. Paths start with a slash. */
export function artifactsOf({ baseURLs, from, ...pins }: Values['artifacts']): Spec['artifacts'] {
  const place = from && addressOf(from)
  const mirrored = Object.entries(place === undefined ? {} : artifactBases).map(
    ([base, url]) => [base, `${place}/${url.replace(/^https:\/\//, '')}`] as const,
  )
  const named = Object.entries(baseURLs).map(
    ([base, url]) => [base, url.replace(/\/+$/, '')] as const,
  )
  return { from, baseURLs: Object.fromEntries([...mirrored, ...named]), ...pins }
}

/** A share or a folder as a file URL, which .NET turns into the same path again. */
function addressOf(place: string): string {
  const whole = place.replace(/[\\/]+$/, '')
  if (/^https?:/.test(whole)) return whole
  const [host = '', ...folders] = whole.replace(/^\\\\/, '').split('\\')
  const start = whole.startsWith('\\\\') ? `file://${host}` : `file:///${host}`
  return [start, ...folders.map(encodeURIComponent)].join('/')
}

/** Normalizes the spelling only; a rule rejects host bits. */
function canonical(text: string): string {
  const cidr = parseCidr(text)
  return cidr && formatCidr(cidr) === text.toLowerCase() ? formatCidr(cidr) : text
}

export function discoveryFileOf(join: Values['join']): string | undefined {
  if (join.method === 'bootstrapKubeconfig') return join.discoveryFile
  return join.discoveryFile ?? (join.endpoint === undefined ? layout.discovery : undefined)
}
