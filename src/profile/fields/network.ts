// Fields of the pod network.
import * as v from 'valibot'
import { backendNames, cniNames, defaultCni, pluginFields } from '../../cni/index.ts'
import { unsupportedModes, unsupportedPlugins } from '../../cni/unsupported.ts'
import { toolRelease } from '../../matrix/tools.ts'
import {
  address,
  cidr,
  exactVersion,
  field,
  group,
  ipv4,
  open,
  text,
  whole,
} from '../../model/field.ts'

export const network = group(
  {
    mode: field(v.picklist(['l2bridge', 'overlay', 'transparent']), 'overlay', {
      what: 'HNS network mode: overlay encapsulates pod traffic (VXLAN), l2bridge and transparent do not.',
      why: 'overlay works over any routed network; l2bridge needs all nodes in one subnet. Linux nodes must use the matching mode.',
      example: 'l2bridge',
      refused: new Map(Object.entries(unsupportedModes)),
    }),
    cni: field(v.picklist(cniNames), defaultCni, {
      what: 'Network plugin of the cluster; with none, another plugin installs itself with a DaemonSet.',
      why: 'It determines the programs, services and files on the node, and the name of the HNS network.',
      example: defaultCni,
      refused: new Map(unsupportedPlugins.flatMap((row) => row.names.map((name) => [name, row]))),
    }),
    backend: open(v.picklist(backendNames), {
      what: 'The network plugin’s backend, where a mode has several.',
      why: 'It must be the backend of the plugin on Linux nodes. With none, the network must route each node’s pod CIDR.',
      derived: 'the plugin’s first backend for the mode',
      example: 'none',
    }),
    podCIDRs: field(v.pipe(v.array(cidr), v.minLength(1, 'at least one CIDR')), ['10.244.0.0/16'], {
      what: 'Pod CIDRs of the cluster, one per address family.',
      why: 'Pods reach it without NAT, and it must match the cluster. kube-proxy on Windows does not detect pod traffic by it.',
      example: ['10.244.0.0/16'],
    }),
    nodeCIDRMaskSize: field(whole(16, 30), 24, {
      what: 'Prefix length of each node’s pod CIDR (node CIDR mask size).',
      why: 'Set by kube-controller-manager (--node-cidr-mask-size); winnode uses it to check that there are addresses for maxPods pods.',
      example: 24,
    }),
    serviceCIDRs: field(
      v.pipe(v.array(cidr), v.minLength(1, 'at least one CIDR')),
      ['10.96.0.0/12'],
      {
        what: 'Service CIDRs of the cluster (--service-cluster-ip-range of the API server).',
        why: 'Pod traffic to it goes through the node’s load balancer; if it is wrong, pods cannot reach Services.',
        example: ['10.96.0.0/12'],
      },
    ),
    nodeCIDRs: field(v.array(cidr), [], {
      what: 'Subnets of the nodes’ IP addresses.',
      why: 'Used to check that CIDRs do not overlap and that host-gw nodes are in one subnet; traffic to it bypasses the proxy.',
      example: ['10.0.0.0/24'],
    }),
    untranslated: field(v.array(cidr), [], {
      what: 'Additional CIDRs that pods reach without NAT.',
      why: 'Every host in them needs a route to the pod CIDR, otherwise its replies are lost. All other hosts see the IP of the pod’s node.',
      when: 'with network.mode l2bridge',
      example: ['10.0.0.0/24'],
    }),
    routes: open(v.picklist(['fabric', 'cloud']), {
      what: 'Where the routes to the nodes’ pod CIDRs are: in network routers (fabric), or in the cloud’s route table (cloud).',
      why: 'If the network plugin adds no routes, pods can reach only pods on the same node without them.',
      when: 'with a network plugin that adds no routes',
      example: 'fabric',
    }),
    clusterDNS: open(v.pipe(v.array(address), v.minLength(1, 'at least one address')), {
      what: 'Addresses of the cluster DNS Service.',
      why: 'If it is wrong, pods cannot resolve names.',
      derived: 'the tenth address of the service CIDR',
      example: ['10.96.0.10'],
    }),
    clusterDomain: field(
      text(
        /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/,
        'a DNS domain such as cluster.local',
      ),
      'cluster.local',
      {
        what: 'The DNS domain of the cluster.',
        why: 'Pods resolve short names in this domain; traffic to it bypasses the proxy.',
        example: 'cluster.local',
      },
    ),
    name: open(
      text(/^[A-Za-z0-9][\w.-]{0,62}$/, 'a name of letters, digits, dots, dashes and underscores'),
      {
        what: 'Name of the HNS network; kube-proxy and the network plugin must use the same.',
        derived: 'the plugin’s default name',
        example: 'cbr0',
      },
    ),
    dsr: field(v.boolean(), true, {
      what: 'Direct server return (DSR): replies bypass the load balancer.',
      why: 'Without it, client IPs are lost and each Service uses 64 ephemeral ports. It also enables the CNI plugin’s loopback policy.',
      example: true,
    }),
    adapter: open(v.pipe(v.string(), v.minLength(1, 'the alias of a network adapter')), {
      what: 'Alias of the network adapter for pod traffic.',
      why: 'Needed on machines with several adapters if the default route is not on the adapter that other nodes can reach.',
      derived: 'on the node: the adapter of the default route',
      example: 'Ethernet',
    }),
    nodeIP: open(ipv4, {
      what: 'IP address of the node; only for a bundle for one machine.',
      why: 'The kubelet, kube-proxy and the network plugin use this address; it cannot be shared by several machines.',
      derived: 'on the node: the IPv4 address of the adapter',
      example: '10.0.0.5',
    }),
    sourceVip: open(ipv4, {
      what: 'Source VIP of kube-proxy on an overlay network; only for a bundle for one machine.',
      why: 'kube-proxy does not run without a source VIP, and it must be reserved so that no pod gets the same address.',
      when: 'with network.mode overlay',
      derived: 'on the node: reserved from its pod subnet at each start',
      example: '10.244.3.2',
    }),
    blockWireserver: open(v.boolean(), {
      what: 'Keep pods from Azure’s Wireserver (168.63.129.16, TCP ports 80 and 32526), as AKS does.',
      why: 'It gives the provisioning data and certificates of the machine to everybody on it. DNS at this address still works. Pods of before are kept from it once they are created again.',
      when: 'with a network plugin whose CNI configuration is in the bundle',
      derived: 'true if kubelet.providerID or the credential provider is Azure’s',
      example: true,
    }),
    external: field(v.boolean(), false, {
      what: 'Create an HNS network named External before the network plugin starts, as RKE2 and Microsoft’s scripts do.',
      why: 'The first network of an adapter makes HNS move it to a virtual switch, which cuts the connections of the machine. With External, that happens before the plugin starts, and not again when its network is created again. Use network.adapter to name the adapter. Reset removes External.',
      when: 'with network.mode overlay or l2bridge',
      example: true,
    }),
    cniPlugins: field(exactVersion, toolRelease('cni-plugins').version, {
      what: 'Version of the reference CNI plugins (containernetworking/plugins).',
      why: 'These programs attach pods to the HNS network and assign their IP addresses.',
      example: '1.9.1',
    }),
    ...pluginFields,
  },
  'Pod networking.',
)
