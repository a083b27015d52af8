// Detects the API server's version and endpoint, the join method, and the CA.
import { textAt, valueAt } from '../../model/json.ts'
import { type Certificate, certificatesIn } from '../certificate.ts'
import type { Evidence, Row } from './evidence.ts'
import { documentIn, foundAt } from './values.ts'

/** Managed clusters add suffixes, as v1.33.5-eks-113cf36; only alpha, beta and rc are part of the version. */
const release = /^v?(\d+\.\d+\.\d+(?:-(?:alpha|beta|rc)\.\d+)?)(?:[-+.].*)?$/

export const join: readonly Row[] = [
  {
    path: ['kubernetes', 'apiServer'],
    valuesIn: ({ objects }) => {
      const version = textAt(objects.get('version'), ['gitVersion'])
      return foundAt(`GET /version, gitVersion ${version}`, release.exec(version)?.[1])
    },
  },
  {
    path: ['join', 'method'],
    valuesIn: ({ objects }) =>
      objects.has('clusterInfo') && objects.has('kubeadmConfig')
        ? foundAt('ConfigMaps kube-public/cluster-info and kube-system/kubeadm-config', 'kubeadm')
        : [],
  },
  {
    path: ['join', 'endpoint'],
    valuesIn: (evidence) => [
      ...foundAt(
        'ConfigMap kube-public/cluster-info, server',
        endpointOf(clusterInfo(evidence).server),
      ),
      ...foundAt(
        'ConfigMap kube-system/kubeadm-config, controlPlaneEndpoint',
        withPort(textAt(clusterConfiguration(evidence), ['controlPlaneEndpoint'])),
      ),
      ...foundAt(`${evidence.access.where}, server`, kubeconfigEndpoint(evidence)),
    ],
  },
  {
    path: ['join', 'caCertHashes'],
    valuesIn: (evidence) =>
      authorities(evidence).flatMap(({ certificates, where }) =>
        foundAt(
          where,
          certificates.map(({ hash }) => hash),
        ),
      ),
  },
  {
    path: ['join', 'ca'],
    // The field holds one certificate.
    valuesIn: (evidence) =>
      authorities(evidence).flatMap(({ certificates: [first, ...more], where }) =>
        more.length === 0 ? foundAt(where, first?.pem) : [],
      ),
  },
]

export function clusterConfiguration({ objects }: Evidence) {
  return documentIn(objects.get('kubeadmConfig'), 'ClusterConfiguration')
}

/** The kubeconfig in kube-public/cluster-info, which kubeadm publishes for joining nodes. */
function clusterInfo({ objects }: Evidence) {
  const kubeconfig = documentIn(objects.get('clusterInfo'), 'kubeconfig')
  const at = ['clusters', 0, 'cluster']
  return {
    server: textAt(kubeconfig, [...at, 'server']),
    ca: textAt(kubeconfig, [...at, 'certificate-authority-data']),
  }
}

function endpointOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  return url.protocol === 'https:' ? `${url.hostname}:${url.port || 443}` : undefined
}

function withPort(endpoint: string): string | undefined {
  return /:\d+$/.test(endpoint) ? endpoint : undefined
}

const loopback = /^(?:localhost(?:\.localdomain)?$|127\.|\[::1\]$|0\.0\.0\.0$)/

/** The kubeconfig's server, unless it is a tunnel, a proxy or a gateway with a path: nodes could not use those. */
function kubeconfigEndpoint({ access: { server, indirect } }: Evidence): string | undefined {
  const direct = !indirect && server.pathname === '/' && !loopback.test(server.hostname)
  return direct ? endpointOf(server.href) : undefined
}

interface Authority {
  readonly certificates: readonly Certificate[]
  readonly where: string
}

function authorities(evidence: Evidence): readonly Authority[] {
  const { ca } = clusterInfo(evidence)
  const rows: readonly (readonly [where: string, pem: string | undefined])[] = [
    [
      'ConfigMap kube-public/cluster-info, certificate-authority-data',
      Buffer.from(ca, 'base64').toString() || undefined,
    ],
    ['ConfigMap kube-system/kube-root-ca.crt', rootOf(evidence)],
    [`${evidence.access.where}, certificate authority`, evidence.access.ca],
  ]
  return rows.map(([where, pem]) => ({ where, certificates: certificatesIn(pem ?? '') }))
}

function rootOf({ objects }: Evidence): string | undefined {
  const pem = valueAt(objects.get('rootCA'), ['data', 'ca.crt'])
  return typeof pem === 'string' ? pem : undefined
}
