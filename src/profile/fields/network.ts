// Fields of the pod network.
import * as v from 'valibot'
import { cniNames, defaultCni, pluginFields } from '../../cni/index.ts'
import { toolRelease } from '../../matrix/tools.ts'
import { address, cidr, exactVersion, field, group, ipv4, open, whole } from '../../model/field.ts'

export const network = group(
  {
    mode: field(v.picklist(['l2bridge', 'overlay', 'transparent']), 'overlay', {
      what: 'The type of the HNS network that pods attach to: overlay wraps pod traffic into VXLAN, l2bridge sends it as it is.',
      why: 'overlay works over any routed network; l2bridge needs all nodes in one subnet. The Linux side must use the same.',
      example: 'l2bridge',
    }),
    cni: field(v.picklist(cniNames), defaultCni, {
      what: 'The network plugin of the cluster.',
      why: 'It decides which programs, services and files the node gets, and the name of its HNS network.',
      example: defaultCni,
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
    routes: open(v.picklist(['fabric', 'cloud']), {
      what: 'What routes the pod subnet of each node to that node: routers of the network (fabric), or a route table of the cloud.',
      why: 'Where the network plugin adds no routes, pods reach only pods of their own node until something else does.',
      when: 'where the network plugin adds no routes',
      example: 'fabric',
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
        derived: 'the name that the plugin gives it',
        example: 'cbr0',
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
      why: 'The kubelet, kube-proxy and the network plugin use the same address. Every machine with this bundle would claim it.',
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
    cniPlugins: field(exactVersion, toolRelease('cni-plugins').version, {
      what: 'Version of the reference CNI plugins (containernetworking/plugins).',
      why: 'Its programs attach pods to the HNS network and hand out their addresses.',
      example: '1.9.1',
    }),
    ...pluginFields,
  },
  'The pod network.',
)
