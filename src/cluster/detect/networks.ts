// Detects pod and service CIDRs, cluster DNS and the NodePort range.
import { type Json, type JsonObject, nameOf, textAt } from '../../model/json.ts'
import type { DetectedValue } from '../../model/detected.ts'
import { flagOf, listFlag } from './control-plane.ts'
import type { Evidence, Row } from './evidence.ts'
import { documentIn, listAt, foundAt, splitList } from './values.ts'
import { clusterConfiguration } from './join.ts'

const kubeadmConfig = 'ConfigMap kube-system/kubeadm-config'
const kubeletConfig = 'ConfigMap kube-system/kubelet-config'

export const networks: readonly Row[] = [
  {
    path: ['network', 'podCIDRs'],
    valuesIn: (evidence) => [
      ...kubeadmNetworking(evidence, 'podSubnet'),
      ...listFlag(evidence, 'kube-controller-manager', 'cluster-cidr'),
      ...(evidence.network.fields.get('network.podCIDRs') ?? []),
      ...foundAt(
        'ConfigMap kube-system/kube-proxy, clusterCIDR',
        splitList(
          textAt(documentIn(evidence.objects.get('kubeProxy'), 'config.conf'), ['clusterCIDR']),
        ),
      ),
    ],
  },
  {
    path: ['network', 'serviceCIDRs'],
    valuesIn: (evidence) => [
      ...serviceCIDRs(evidence),
      ...listFlag(evidence, 'kube-apiserver', 'service-cluster-ip-range'),
      ...kubeadmNetworking(evidence, 'serviceSubnet'),
      ...listFlag(evidence, 'kube-controller-manager', 'service-cluster-ip-range'),
    ],
  },
  {
    path: ['network', 'nodeCIDRMaskSize'],
    valuesIn: (evidence) => [
      ...['node-cidr-mask-size-ipv4', 'node-cidr-mask-size'].flatMap((flag) =>
        flagOf(evidence, 'kube-controller-manager', flag).map(({ value, where }) => ({
          value: Number(value),
          where,
        })),
      ),
      ...nodeCIDRMaskSize(evidence),
    ],
  },
  {
    path: ['network', 'clusterDNS'],
    valuesIn: (evidence) => [
      ...foundAt(
        `${kubeletConfig}, clusterDNS`,
        listAt(kubelet(evidence), ['clusterDNS']).filter((address) => !isLinkLocal(address)),
      ),
      ...(evidence.lists.get('dnsServices') ?? []).flatMap((service) =>
        foundAt(`Service kube-system/${nameOf(service)}, clusterIPs`, addressesOf(service)),
      ),
    ],
  },
  {
    path: ['network', 'clusterDomain'],
    valuesIn: (evidence) => [
      ...foundAt(`${kubeletConfig}, clusterDomain`, textAt(kubelet(evidence), ['clusterDomain'])),
      ...foundAt(
        `${kubeadmConfig}, dnsDomain`,
        textAt(clusterConfiguration(evidence), ['networking', 'dnsDomain']),
      ),
      ...foundAt(
        'ConfigMap kube-system/coredns, Corefile',
        clusterDomainIn(textAt(evidence.objects.get('coreDNS'), ['data', 'Corefile'])),
      ),
    ],
  },
  {
    path: ['host', 'firewall', 'nodePortRange'],
    valuesIn: (evidence) => flagOf(evidence, 'kube-apiserver', 'service-node-port-range'),
  },
]

function kubeadmNetworking(evidence: Evidence, key: string): readonly DetectedValue[] {
  const text = textAt(clusterConfiguration(evidence), ['networking', key])
  return foundAt(`${kubeadmConfig}, networking.${key}`, splitList(text))
}

/**
 * Such an address is that of NodeLocal DNSCache: with kube-proxy in IPVS mode, it is the cluster DNS of Linux nodes.
 * https://kubernetes.io/docs/tasks/administer-cluster/nodelocaldns/
 */
function isLinkLocal(address: Json): boolean {
  return typeof address === 'string' && address.startsWith('169.254.')
}

function kubelet({ objects }: Evidence): JsonObject | undefined {
  return documentIn(objects.get('kubeletConfig'), 'kubelet')
}

/** The ServiceCIDR `kubernetes`, which the API server creates from its flag, comes first. */
function serviceCIDRs({ lists }: Evidence): readonly DetectedValue[] {
  const all = lists.get('serviceCIDRs') ?? []
  const own = all.filter((one) => nameOf(one) === 'kubernetes')
  const sorted = [...own, ...all.filter((one) => !own.includes(one))]
  const names = sorted.map(nameOf).join(', ')
  return foundAt(
    `ServiceCIDR ${names}`,
    sorted.flatMap((one) => listAt(one, ['spec', 'cidrs'])),
  )
}

/** The mask size of the nodes' pod CIDRs, if all have the same. */
function nodeCIDRMaskSize({ lists }: Evidence): readonly DetectedValue[] {
  const found = (lists.get('nodes') ?? []).flatMap((node) => {
    const [, size] = /^[\d.]+\/(\d+)$/.exec(textAt(node, ['spec', 'podCIDR'])) ?? []
    return size === undefined ? [] : [{ node, size: Number(size) }]
  })
  const [first] = found
  if (!first || found.some(({ size }) => size !== first.size)) return []
  return foundAt(`Node ${nameOf(first.node)}, podCIDR`, first.size)
}

function addressesOf(service: JsonObject) {
  const addresses = listAt(service, ['spec', 'clusterIPs'])
  const one = textAt(service, ['spec', 'clusterIP'])
  const all = addresses.length > 0 || one === '' ? addresses : [one]
  return all.filter((address) => address !== 'None')
}

/** The first zone that is not for reverse lookup: https://github.com/coredns/coredns/blob/master/plugin/kubernetes/setup.go */
function clusterDomainIn(corefile: string): string | undefined {
  const [, zones] = /^[ \t]*kubernetes[ \t]+([^{}\n#]+?)[ \t]*(?:\{|$)/m.exec(corefile) ?? []
  return zones
    ?.split(/\s+/)
    .find((zone) => !/\.arpa\.?$/.test(zone))
    ?.replace(/\.$/, '')
}
