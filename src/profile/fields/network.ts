// Fields of the pod network.
import * as v from 'valibot'
import { tools } from '../../matrix/tools.ts'
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
      why: 'The kubelet’s credentials do not serve: the node authorizer hands out no endpoint slices, and from Kubernetes 1.32 on no other nodes.',
      example: { tokenFile: 'C:\\etc\\kubernetes\\token' },
    },
  )
}

export const network = group(
  {
    mode: field(v.picklist(['l2bridge', 'overlay', 'transparent']), 'overlay', {
      what: 'The type of the HNS network that pods attach to: overlay wraps pod traffic into VXLAN, l2bridge sends it as it is.',
      why: 'overlay works over any routed network; l2bridge needs all nodes in one subnet. The Linux side must use the same.',
      example: 'l2bridge',
    }),
    cni: field(v.picklist(['flannel', 'antrea']), 'flannel', {
      what: 'The network plugin of the cluster.',
      why: 'It decides which programs, services and files the node gets, and the name of its HNS network.',
      example: 'flannel',
    }),
    podCIDRs: field(v.pipe(v.array(cidr), v.minLength(1, 'at least one CIDR')), ['10.244.0.0/16'], {
      what: 'The pod network of the cluster, one CIDR for each address family.',
      why: 'Pods reach it without address translation, and kube-proxy tells pods from others by it: it must be the cluster’s own.',
      example: ['10.244.0.0/16'],
    }),
    nodeCIDRMaskSize: field(whole(16, 30), 24, {
      what: 'Prefix length of the share of the pod network that each node gets.',
      why: 'The controller manager decides it (--node-cidr-mask-size); winnode checks with it that maxPods pods find an address.',
      example: 24,
    }),
    serviceCIDRs: field(
      v.pipe(v.array(cidr), v.minLength(1, 'at least one CIDR')),
      ['10.96.0.0/12'],
      {
        what: 'The service network of the cluster, as the API server has it.',
        why: 'Pods send to it through the load balancer of the node. Services cannot be reached from pods where it is wrong.',
        example: ['10.96.0.0/12'],
      },
    ),
    nodeCIDRs: field(v.array(cidr), [], {
      what: 'The subnets of the nodes’ own addresses.',
      why: 'winnode checks with it that the networks lie apart, and that host-gw nodes share one subnet; it is never sent through a proxy.',
      example: ['10.0.0.0/24'],
    }),
    untranslated: field(v.array(cidr), [], {
      what: 'Networks beside pods and services that pods reach with their own addresses.',
      why: 'Every host there needs a route to the pod network: one without sees the requests of pods, and its answers are lost. All others see the address of the pod’s node.',
      when: 'with network.mode l2bridge',
      example: ['10.0.0.0/24'],
    }),
    clusterDNS: open(v.pipe(v.array(address), v.minLength(1, 'at least one address')), {
      what: 'Addresses of the cluster’s DNS service, which pods ask first.',
      why: 'With a wrong one no pod resolves a name.',
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
      {
        what: 'The DNS domain of the cluster.',
        why: 'Pods look short names up below it; it is never sent through a proxy.',
        example: 'cluster.local',
      },
    ),
    vni: field(whole(0, 16_777_215), 4096, {
      what: 'VXLAN network identifier of an overlay network.',
      when: 'with network.mode overlay',
      why: 'flanneld on Windows refuses less than 4096; the Linux default is 1, so the Linux side must be set too.',
      example: 4096,
    }),
    port: field(whole(1, 65_535), 4789, {
      what: 'UDP port of an overlay network.',
      why: 'flanneld on Windows takes 4789 only; the Linux default is 8472, so the Linux side must be set too.',
      when: 'with network.mode overlay',
      example: 4789,
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
      {
        what: 'First two bytes of the MAC addresses of an overlay network’s endpoints.',
        why: 'The CNI plugin and flanneld must use the same, so winnode writes it for both.',
        when: 'with network.mode overlay',
        example: '0E-2A',
      },
    ),
    dsr: field(v.boolean(), true, {
      what: 'Direct server return: replies bypass the load balancer.',
      why: 'Without it client addresses are lost and each service takes 64 ephemeral ports. The CNI plugin’s loopback policy goes with it.',
      example: true,
    }),
    adapter: open(v.pipe(v.string(), v.minLength(1, 'the alias of a network adapter')), {
      what: 'Alias of the network adapter that carries pod traffic.',
      why: 'Needed on machines with several adapters where the default route is not on the one that the other nodes reach.',
      derived: 'on the node: the adapter of the default route',
      example: 'Ethernet',
    }),
    nodeIP: open(ipv4, {
      what: 'The node’s address; only for a bundle that serves a single machine.',
      why: 'kubelet, kube-proxy and flanneld are told the same address. Every machine with this bundle would claim it.',
      derived: 'on the node: the IPv4 address of the adapter',
      example: '10.0.0.5',
    }),
    sourceVip: open(ipv4, {
      what: 'The address that kube-proxy sends from on an overlay network; only for a single machine.',
      why: 'kube-proxy stops without one, and a pod could get the same address if it were not reserved.',
      when: 'with network.mode overlay',
      derived: 'on the node: reserved from its pod subnet at each start',
      example: '10.244.3.2',
    }),
    cniPlugins: field(exactVersion, tools['cni-plugins'].version, {
      what: 'Version of the CNI plugins archive (win-overlay, win-bridge, host-local).',
      why: 'Its programs attach pods to the HNS network and hand out their addresses.',
      example: '1.9.1',
    }),
    flannel: group(
      {
        version: field(exactVersion, tools.flanneld.version, {
          what: 'Version of flanneld, which makes the HNS network and the routes to other nodes.',
          why: 'The release publishes no checksum: another version needs its digest in artifacts.sha256.',
          example: '0.28.9',
        }),
        cniPlugin: field(exactVersion, tools['flannel-cni'].version, {
          what: 'Version of flannel’s CNI plugin, which hands each pod to win-overlay or win-bridge.',
          why: 'The programs of flannel have releases of their own: they need not be equal.',
          example: '1.9.1-flannel3',
        }),
      },
      'Versions of flannel; used where network.cni is flannel.',
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
