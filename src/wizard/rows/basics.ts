// The seven questions that every profile needs, in the order of asking.
import { kubeadmConfig } from '../../profile/assumed.ts'
import { runsKubernetes, windowsReleases } from '../../matrix/windows.ts'
import { endpoint, joinHashes } from '../field-codecs.ts'
import { minors, modes, plugins, releases } from '../offers.ts'
import { rowsOf } from '../row.ts'

const joinCommand = '`kubeadm token create --print-join-command` prints it'
const inConfig = (setting: string) =>
  `must match the cluster; in a kubeadm cluster: ${setting} of ${kubeadmConfig}`

export const basics = rowsOf('basics', [
  {
    id: 'api-server',
    field: 'kubernetes.apiServer',
    title: 'Kubernetes API server version',
    offers: minors,
    // It defaults to the kubelet's version.
    decision: 'kubelet',
  },
  {
    id: 'windows',
    field: 'windows.release',
    title: 'Windows Server release',
    offers: releases,
    listed: windowsReleases.filter(runsKubernetes).map(({ id }) => id),
  },
  { id: 'cni', field: 'network.cni', title: 'Network plugin', offers: plugins },
  { id: 'mode', field: 'network.mode', title: 'HNS network mode', offers: modes },
  {
    id: 'endpoint',
    field: 'join.endpoint',
    title: 'API server endpoint (host:port)',
    codec: endpoint,
    hint: joinCommand,
    typing: 'paste the whole line: it contains the CA hash, too; its token is not stored',
    alsoAnswers: 'ca-hashes',
    fallbackText: 'none; Join reads it from discovery.conf, which cluster/prepare.sh creates',
  },
  {
    id: 'ca-hashes',
    field: 'join.caCertHashes',
    title: 'Cluster CA public key hash',
    codec: joinHashes,
    hint: joinCommand,
    typing: 'paste the whole line',
    required: 'without it kubeadm cannot verify the API server at the endpoint',
    isSameStep: true,
  },
  { id: 'pod-network', field: 'network.podCIDRs', title: 'Pod CIDR', hint: inConfig('podSubnet') },
  {
    id: 'service-network',
    field: 'network.serviceCIDRs',
    title: 'Service CIDR',
    hint: inConfig('serviceSubnet'),
  },
])
