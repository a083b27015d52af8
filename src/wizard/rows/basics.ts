// The seven questions that every profile needs, in the order of asking.
import { endpoint, joinHashes } from '../field-codecs.ts'
import { minors, modes, plugins, releases } from '../offers.ts'
import type { Row } from '../row.ts'

const joinCommand = 'kubeadm token create --print-join-command prints it; paste the whole line'

export const basics: readonly Row[] = (
  [
    {
      id: 'api-server',
      path: ['kubernetes', 'apiServer'],
      title: 'Kubernetes API server version',
      offers: minors,
      // It defaults to the kubelet's version.
      decision: 'kubelet',
    },
    {
      id: 'windows',
      path: ['windows', 'release'],
      title: 'Windows Server release',
      offers: releases,
    },
    {
      id: 'cni',
      path: ['network', 'cni'],
      title: 'Network plugin',
      offers: plugins,
    },
    {
      id: 'mode',
      path: ['network', 'mode'],
      title: 'HNS network mode',
      offers: modes,
    },
    {
      id: 'endpoint',
      path: ['join', 'endpoint'],
      title: 'API server endpoint (host:port)',
      codec: endpoint,
      hint: joinCommand,
      fallbackText: 'from the discovery file on the node',
    },
    {
      id: 'ca-hashes',
      path: ['join', 'caCertHashes'],
      title: 'Cluster CA public key hash',
      codec: joinHashes,
      hint: joinCommand,
      isSameStep: true,
    },
    {
      id: 'pod-network',
      path: ['network', 'podCIDRs'],
      title: 'Pod CIDR',
    },
    {
      id: 'service-network',
      path: ['network', 'serviceCIDRs'],
      title: 'Service CIDR',
    },
  ] satisfies Omit<Row, 'group'>[]
).map((row) => ({ ...row, group: 'basics' }))
