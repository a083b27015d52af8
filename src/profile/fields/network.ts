// Fields of the pod network.
import * as v from 'valibot'
import { address, cidr, exactVersion, field, group, ipv4, nodePath, open, whole } from './kinds.ts'

/** Paths on the node; exactly one way is given. */
export function credentials(component: string, fallback: string) {
  return field(
    v.union(
      [
        v.strictObject({ kubeconfig: nodePath }),
        v.strictObject({ tokenFile: nodePath }),
        v.strictObject({ certificate: nodePath, key: nodePath }),
      ],
      'one of {kubeconfig: PATH}, {tokenFile: PATH} and {certificate: PATH, key: PATH}',
    ),
    { kubeconfig: fallback },
    {
      what: `Where ${component} finds its own credentials on the node.`,
      why: 'The kubelet’s credentials do not serve: the node authorizer hands out neither endpoint slices nor other nodes.',
      example: { tokenFile: 'C:\\etc\\kubernetes\\token' },
    },
  )
}

export const network = group(
  {
    mode: field(v.picklist(['l2bridge', 'overlay', 'transparent']), 'overlay', {
      what: 'The type of the HNS network that pods attach to.',
      example: 'l2bridge',
    }),
    cni: field(v.picklist(['flannel', 'antrea']), 'flannel', {
      what: 'The network plugin of the cluster.',
      example: 'flannel',
    }),
    podCIDRs: field(v.pipe(v.array(cidr), v.minLength(1, 'at least one CIDR')), ['10.244.0.0/16'], {
      what: 'The pod network of the cluster, one CIDR for each address family.',
      example: ['10.244.0.0/16'],
    }),
    nodeCIDRMaskSize: field(whole(16, 30), 24, {
      what: 'Prefix length of the share of the pod network that each node gets.',
      why: 'It limits how many pods get an address.',
      example: 24,
    }),
    serviceCIDRs: field(
      v.pipe(v.array(cidr), v.minLength(1, 'at least one CIDR')),
      ['10.96.0.0/12'],
      { what: 'The service network of the cluster.', example: ['10.96.0.0/12'] },
    ),
    nodeCIDRs: field(v.array(cidr), [], {
      what: 'The subnets of the nodes’ own addresses.',
      why: 'On l2bridge pods reach nodes without address translation only when it is listed; the firewall rule of the overlay is limited to it.',
      example: ['10.0.0.0/24'],
    }),
    clusterDNS: open(v.pipe(v.array(address), v.minLength(1, 'at least one address')), {
      what: 'Addresses of the cluster’s DNS service.',
      derived: 'the tenth address of the service network',
      example: ['10.96.0.10'],
    }),
    clusterDomain: field(
      v.pipe(
        v.string(),
        v.regex(
          /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/,
          'a DNS domain such as cluster.local',
        ),
      ),
      'cluster.local',
      { what: 'The DNS domain of the cluster.' },
    ),
    vni: field(whole(0, 16_777_215), 4096, {
      what: 'VXLAN network identifier of an overlay network.',
      why: 'flanneld on Windows refuses less than 4096; the Linux default is 1, so the Linux side must be set too.',
      example: 4096,
    }),
    port: field(whole(1, 65_535), 4789, {
      what: 'UDP port of an overlay network.',
      why: 'flanneld on Windows takes 4789 only; the Linux default is 8472, so the Linux side must be set too.',
    }),
    name: open(
      v.pipe(
        v.string(),
        v.regex(
          /^[A-Za-z0-9][\w.-]{0,62}$/,
          'a name of letters, digits, dots, dashes and underscores',
        ),
      ),
      {
        what: 'The exact name of the HNS network; kube-proxy and the plugin must agree on it.',
        derived: 'what the plugin calls it: flannel.<vni>, cbr0',
        example: 'flannel.4096',
      },
    ),
    macPrefix: field(
      v.pipe(
        v.string(),
        v.regex(/^[0-9A-Fa-f]{2}-[0-9A-Fa-f]{2}$/, 'two hex pairs joined by a dash, such as 0E-2A'),
      ),
      '0E-2A',
      { what: 'First two bytes of the MAC addresses of an overlay network’s endpoints.' },
    ),
    dsr: field(v.boolean(), true, {
      what: 'Direct server return: replies bypass the load balancer.',
      why: 'Without it client addresses are lost and each service takes 64 ephemeral ports.',
    }),
    adapter: open(v.pipe(v.string(), v.minLength(1, 'the alias of a network adapter')), {
      what: 'Alias of the network adapter that carries pod traffic.',
      derived: 'on the node: the adapter of the default route',
      example: 'Ethernet',
    }),
    nodeIP: open(ipv4, {
      what: 'The node’s address; only for a bundle that serves a single machine.',
      derived: 'on the node: the IPv4 address of the adapter',
    }),
    sourceVip: open(ipv4, {
      what: 'The address that kube-proxy sends from on an overlay network; only for a single machine.',
      derived: 'on the node: reserved from its pod subnet at each start',
    }),
    cniPlugins: field(exactVersion, '1.9.1', {
      what: 'Version of the CNI plugins archive (win-overlay, win-bridge, host-local).',
    }),
    flannel: group(
      {
        version: field(exactVersion, '0.28.9', { what: 'Version of flanneld.' }),
        cniPlugin: field(exactVersion, '1.9.1-flannel3', {
          what: 'Version of flannel’s CNI plugin.',
        }),
      },
      'Versions of flannel.',
    ),
    ovsDriver: open(v.picklist(['signed', 'testSigned']), {
      what: 'How the Open vSwitch driver below Antrea is signed.',
      why: 'Antrea publishes a test-signed one: Windows loads it in test mode only, and never under Secure Boot. A signed one is your own.',
      example: 'signed',
    }),
    credentials: credentials('the network plugin’s agent', 'C:\\etc\\kubernetes\\flannel.conf'),
  },
  'The pod network.',
)
