// Rows of the network: addresses, modes and plugins.
import {
  antrea,
  bootstrap,
  calico,
  calicoBgp,
  calicoRouted,
  containerd,
  eks,
  fileNamed,
  flannelImage,
  flannelPods,
  kubernetes,
  network,
  type Row,
  windows,
} from './profiles.ts'

const macs = (macPrefix: string) => ({ flannel: { macPrefix } })

const mac = (macPrefix: string) => network(macs(macPrefix))

const winBridge = (fields: Readonly<Record<string, unknown>> = {}) =>
  network({ cni: 'win-bridge', mode: 'l2bridge', routes: 'fabric', ...fields })

const manyLabels = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`example.com/label-${at}-${'x'.repeat(15)}`, 'a']),
  )

const port = (ports: string) => [{ protocol: 'UDP', ports }]

const twoFamilies = {
  podCIDRs: ['10.244.0.0/16', 'fd00:1::/64'],
  serviceCIDRs: ['10.96.0.0/12', 'fd00:2::/112'],
}

/** With one open port, or without. */
const none = (ports?: string, more: Readonly<Record<string, unknown>> = {}) =>
  network({
    cni: 'none',
    ...(ports !== undefined && { none: { openPorts: port(ports) } }),
    ...more,
  })

const onAzure = { kubelet: { providerID: 'azure:///subscriptions/1' } }

export const networkRows: readonly Row[] = [
  ['win-bridge-needs-routes', winBridge({ routes: null }), winBridge({ routes: 'cloud' })],
  [
    'win-bridge-gives-one-address',
    winBridge({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] }),
    winBridge(),
  ],
  ['network-mode-not-of-plugin', winBridge({ mode: 'overlay' }), winBridge()],
  ['network-mode-not-of-plugin', eks({ mode: 'overlay' }), eks()],
  ['eks-needs-cluster-name', eks({ eks: {} }), eks()],
  [
    'eks-endpoint-without-ca',
    eks({ eks: { clusterName: 'prod', endpoint: 'https://a.example.com' } }),
    eks({
      eks: {
        clusterName: 'prod',
        endpoint: 'https://a.example.com',
        certificateAuthority: 'LS0=',
      },
    }),
  ],
  ['eks-endpoint-without-ca', eks({ eks: { certificateAuthority: 'LS0=' } }), eks()],
  ['eks-takes-one-ipv4-range', eks({ serviceCIDRs: ['10.100.0.0/16', 'fd00::/108'] }), eks()],
  [
    'eks-takes-one-ipv4-range',
    eks({ clusterDNS: ['10.96.0.10', '10.96.0.11'] }),
    eks({ clusterDNS: ['10.96.0.10'] }),
  ],
  [
    'eks-kubelet-field-has-no-flag',
    eks({}, { kubelet: { config: { containerLogMonitorInterval: '20s' } } }),
    eks({}, { kubelet: { config: { containerLogMaxSize: '50Mi' } } }),
  ],
  [
    'eks-kubelet-field-has-no-flag',
    eks({}, { kubelet: { config: { evictionSoft: { 'memory.available': '2Gi' } } } }),
    network({}),
  ],
  [
    'eks-argument-not-plain',
    eks({}, { reserve: { evictionHard: { 'memory.available': '5% ' } } }),
    eks({}, { reserve: { evictionHard: { 'memory.available': '5%' } } }),
  ],
  [
    'eks-argument-not-plain',
    eks({}, { reserve: { evictionHard: { 'memory available': '5%' } } }),
    eks({}, { reserve: { evictionHard: { 'nodefs.available': '5%' } } }),
  ],
  [
    'eks-user-data-too-large',
    eks({}, { kubelet: { labels: manyLabels(400) } }),
    eks({}, { kubelet: { labels: manyLabels(300) } }),
  ],
  [
    'eks-prefix-target-without-prefixes',
    eks({ eks: { clusterName: 'prod', warmPrefixTarget: 1 } }),
    eks({ eks: { clusterName: 'prod', warmPrefixTarget: 1, prefixDelegation: true } }),
  ],
  ['plugin-settings-unused', network({ eks: { clusterName: 'prod' } }), eks()],
  // Each field that the image decides, and the ones that a profile for it has.
  ['field-of-image', eks({}, { containerd: { version: '2.2' } }), eks()],
  ['field-of-image', eks({}, { host: { pageFileMiB: 8096 } }), eks()],
  ['field-of-image', eks({}, { join: { method: 'kubeadm' } }), eks({}, { name: 'web' })],
  ['field-of-image', eks({}, { kubelet: { shutdownGracePeriod: '60s' } }), eks()],
  ['field-of-image', eks({}, { kubelet: { dropInDirectory: 'C:\\conf.d' } }), eks()],
  ['field-of-image', eks({ flannel: { vni: 4097 } }), eks()],
  // Nothing in the bundle runs containerd or kube-proxy, or opens a port.
  ['kubelet-port-open-to-all', {}, eks()],

  ['wireserver-open-to-pods', { ...onAzure, ...network({ blockWireserver: false }) }, onAzure],
  ['wireserver-open-to-pods', { ...onAzure, ...antrea() }, antrea()],
  [
    'wireserver-open-to-pods',
    antrea({ blockWireserver: true }),
    winBridge({ blockWireserver: true }),
  ],
  [
    'l2bridge-in-cloud',
    { network: { mode: 'l2bridge' }, kubelet: { cloudProvider: 'external' } },
    { kubelet: { cloudProvider: 'external' } },
  ],
  [
    'l2bridge-in-cloud',
    {
      network: { mode: 'l2bridge' },
      kubelet: { cloudProvider: 'external' },
      targets: { capi: { provider: 'azure' } },
    },
    {
      network: { mode: 'l2bridge' },
      kubelet: { cloudProvider: 'external' },
      targets: { capi: { provider: 'vsphere' } },
    },
  ],
  ['containerd-host-process-drivers', antrea()],
  [
    'host-gw-spans-subnets',
    network({ mode: 'l2bridge', nodeCIDRs: ['10.0.0.0/24', '10.0.1.0/24'] }),
    network({ mode: 'l2bridge', nodeCIDRs: ['10.0.0.0/23'] }),
  ],
  ['network-mode-not-of-plugin', network({ mode: 'transparent' })],
  [
    'flannel-vni-out-of-range',
    network({ flannel: { vni: 4095 } }),
    network({ flannel: { vni: 4096 } }),
  ],
  [
    'flannel-vni-out-of-range',
    network({ flannel: { vni: 65_536 } }),
    network({ flannel: { vni: 65_535 } }),
  ],
  [
    'flannel-needs-host-process',
    flannelPods({}, kubernetes('1.25.16')),
    flannelPods({}, kubernetes('1.26.0')),
  ],
  ['flannel-image-without-digest', flannelPods({ image: 'r.io/flannel:0.28.9' }), flannelPods()],
  ['flannel-image-without-digest', network({ flannel: { runsAs: 'hostProcess' } }), {}],
  [
    'flannel-settings-unused',
    { ...flannelPods(), network: { ...flannelPods().network, sourceVip: '10.244.3.9' } },
    flannelPods(),
  ],
  ['flannel-settings-unused', network({ flannel: { image: flannelImage } }), flannelPods()],
  [
    'flannel-vxlan-settings-unused',
    network({ mode: 'l2bridge', flannel: { vni: 5000 } }),
    network({ flannel: { vni: 5000 } }),
  ],
  [
    'flannel-vxlan-settings-unused',
    network({ mode: 'l2bridge', flannel: { port: 8472 } }),
    network({ flannel: { port: 8472 } }),
  ],
  ['flannel-vxlan-settings-unused', network({ mode: 'l2bridge', ...macs('0E-2B') }), mac('0E-2B')],
  ['flannel-settings-unused', flannelPods({ credentials: { tokenFile: 'C:\\t' } }), flannelPods()],
  ['flannel-port-not-4789', network({ flannel: { port: 8472 } })],
  [
    'flannel-host-gw-picks-adapter',
    network({ mode: 'l2bridge', adapter: 'Ethernet 2' }),
    network({ adapter: 'Ethernet 2' }),
  ],
  [
    'flannel-host-gw-picks-adapter',
    network({ mode: 'l2bridge', adapter: 'Ethernet 2' }),
    network({ mode: 'l2bridge', adapter: 'Ethernet 2', external: true }),
  ],
  [
    'calico-l2bridge-picks-adapter',
    calico({ mode: 'l2bridge', adapter: 'Ethernet 2' }),
    calico({ adapter: 'Ethernet 2' }),
  ],
  ['flannel-linux-defaults-differ', {}, network({ mode: 'l2bridge' })],
  ['overlay-single-stack', network({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] })],
  ['overlay-single-stack', network({ serviceCIDRs: ['10.96.0.0/12', 'fd00::/112'] })],
  [
    'flannel-has-one-network',
    network({ mode: 'l2bridge', podCIDRs: ['10.244.0.0/16', 'fd00::/64'] }),
    antrea({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] }),
  ],
  ['flannel-has-one-network', network({ podCIDRs: ['10.244.0.0/16', '10.245.0.0/16'] })],
  ['flannel-mac-prefix-of-group', mac('0F-2A'), mac('0e-2B')],
  ['flannel-mac-prefix-of-group', mac('01-00'), mac('00-FF')],
  [
    'flannel-mac-prefix-of-group',
    mac('FF-00'),
    { network: { mode: 'l2bridge', ...macs('FF-00') } },
  ],
  ['network-named-as-device', network({ name: 'con' }), network({ name: 'con1' })],
  ['network-named-as-device', network({ name: 'NUL.x' }), network({ name: 'x.nul' })],
  ['network-named-as-device', network({ name: 'lpt1' }), antrea({ name: 'lpt1' })],
  [
    'flannel-has-one-network',
    network({ mode: 'l2bridge', serviceCIDRs: ['10.96.0.0/12', 'fd01::/112'] }),
    network({ mode: 'l2bridge' }),
  ],
  [
    'dual-stack-needs-newer-windows',
    { ...windows('ws2019'), ...network({ podCIDRs: ['10.244.0.0/16', 'fd00::/64'] }) },
  ],
  // With another plugin: kube-proxy falls back to one family on overlay networks only.
  [
    'overlay-single-stack',
    none(undefined, twoFamilies),
    none(undefined, { mode: 'l2bridge', ...twoFamilies }),
  ],
  [
    'dual-stack-needs-newer-windows',
    { ...none(undefined, { mode: 'l2bridge', ...twoFamilies }), ...windows('ws2019') },
    none(undefined, { mode: 'l2bridge', ...twoFamilies }),
  ],
  [
    'overlay-single-stack',
    none(undefined, twoFamilies),
    none(undefined, { mode: 'transparent', ...twoFamilies }),
  ],
  [
    'antrea-taint-not-tolerated',
    antrea({}, { kubelet: { taints: [{ key: 'os', value: 'windows', effect: 'NoExecute' }] } }),
    antrea({}, { kubelet: { taints: [{ key: 'os', value: 'windows', effect: 'NoSchedule' }] } }),
  ],
  ['antrea-ipv4-only', antrea(twoFamilies), antrea()],
  ['antrea-ipv4-only', antrea({ serviceCIDRs: twoFamilies.serviceCIDRs }), antrea()],
  ['calico-ipv4-only', calico({ mode: 'l2bridge', podCIDRs: twoFamilies.podCIDRs }), calicoBgp],
  [
    'calico-ipv4-only',
    calicoRouted({ serviceCIDRs: twoFamilies.serviceCIDRs }),
    none(undefined, { mode: 'l2bridge', ...twoFamilies }),
  ],
  // One finding is enough: the rule about overlay networks fires.
  ['overlay-single-stack', calico(twoFamilies)],
  ['calico-ipv4-only', calicoRouted(twoFamilies), calico(twoFamilies)],
  ['antrea-driver-not-chosen', antrea({ antrea: { ovsDriver: null } }), antrea()],
  [
    'antrea-driver-refused-by-secure-boot',
    antrea({ antrea: { ovsDriver: 'testSigned' } }, { machine: { secureBoot: true } }),
    antrea({}, { machine: { secureBoot: true } }),
  ],
  [
    'antrea-driver-refused-by-secure-boot',
    antrea({ antrea: { ovsDriver: 'testSigned' } }, { machine: { secureBoot: true } }),
    antrea({ antrea: { ovsDriver: 'testSigned' } }),
  ],
  ['antrea-driver-test-signed', antrea({ antrea: { ovsDriver: 'testSigned' } }), antrea()],
  ['plugin-settings-unused', network({ antrea: { ovsDriver: 'signed' } }), antrea()],
  [
    'antrea-needs-hyper-v-features',
    antrea({}, { host: { features: ['Containers'] } }),
    antrea({}, { host: { features: ['Containers', 'hyper-v', 'HYPER-V-PowerShell'] } }),
  ],
  [
    'antrea-needs-host-process',
    antrea({}, kubernetes('1.25.16')),
    antrea({}, kubernetes('1.26.0')),
  ],
  ['antrea-needs-host-process', antrea({}, containerd('1.6.17')), antrea({}, containerd('1.6.18'))],
  ['antrea-untested-on-windows-release', antrea({}, windows('ws2025')), antrea()],
  [
    'kube-proxy-without-network-name',
    { ...none(), kubeProxy: { runsAs: 'hostProcess' } },
    { ...none(undefined, { name: 'Plugin' }), kubeProxy: { runsAs: 'hostProcess' } },
  ],
  ['antrea-network-gone-after-restart', antrea(), antrea({ antrea: { ovsDriver: 'testSigned' } })],
  [
    'kube-proxy-settings-unused',
    antrea({}, { kubeProxy: { config: { healthzBindAddress: '' } } }),
    { kubeProxy: { config: { healthzBindAddress: '' } } },
  ],
  [
    'kube-proxy-settings-unused',
    { ...none(), kubeProxy: { featureGates: { WinDSR: true } } },
    { kubeProxy: { featureGates: { WinDSR: true } } },
  ],
  [
    'kube-proxy-settings-unused',
    calico({}, { kubeProxy: { credentials: { tokenFile: 'C:\\proxy.token' } } }),
    calico({}, { kubeProxy: { featureGates: { WinOverlay: true } } }),
  ],
  [
    'kube-proxy-settings-unused',
    antrea({}, { kubeProxy: { runsAs: 'hostProcess' } }),
    calico({}, { kubeProxy: { runsAs: 'hostProcess' } }),
  ],
  [
    'kube-proxy-settings-unused',
    calico({}, { kubeProxy: { runsAs: 'service' } }),
    { kubeProxy: { runsAs: 'service' } },
  ],
  [
    'daemon-set-needs-host-process',
    { ...none(), ...kubernetes('1.25.16') },
    { ...none(), ...kubernetes('1.26.0') },
  ],
  ['network-port-out-of-range', none('0'), none('1')],
  ['network-port-out-of-range', none('65536'), none('65535')],
  ['network-port-out-of-range', none('20-10'), none('10-20')],
  ['plugin-settings-unused', network({ none: { openPorts: port('4789') } }), none('4789')],
  ['network-mode-not-of-plugin', antrea({ mode: 'overlay' }), antrea()],
  ['bundle-for-one-machine', { kubelet: { nodeName: 'win-1' } }, fileNamed],
  ['bundle-for-one-machine', network({ nodeIP: '10.0.0.5' })],
  ['bundle-for-one-machine', network({ sourceVip: '10.244.3.9' })],
  ['cidr-has-host-bits', network({ podCIDRs: ['10.244.0.1/16'] })],
  ['cidrs-overlap', network({ podCIDRs: ['10.96.0.0/16'] })],
  ['cidr-used-by-helper-network', network({ nodeCIDRs: ['192.168.0.0/16'] })],
  [
    'cidr-used-by-helper-network',
    network({ nodeCIDRs: ['192.168.255.0/24'], external: true }),
    network({ nodeCIDRs: ['192.168.254.0/24'], external: true }),
  ],
  ['external-network-impossible', antrea({ external: true }), network({ external: true })],
  [
    'external-network-impossible',
    network({ external: true, name: 'external' }),
    network({ name: 'external' }),
  ],
  [
    'flannel-vni-of-external-network',
    network({ external: true, flannel: { vni: 9999 } }),
    network({ external: true, mode: 'l2bridge', flannel: { vni: 9999 } }),
  ],
  // Beside a range is not in it, on either side.
  [
    'cidr-used-by-helper-network',
    network({ nodeCIDRs: ['169.254.128.0/17'] }),
    network({ nodeCIDRs: ['169.252.0.0/15', '169.255.0.0/16'] }),
  ],
  ['network-lacks-ipv4', network({ podCIDRs: ['fd00::/64'] })],
  [
    'cluster-dns-outside-services',
    network({ clusterDNS: ['10.0.0.10'] }),
    network({ clusterDNS: ['10.96.0.53'] }),
  ],
  ...['10.95.255.255', '10.112.0.0'].map((beside): Row => [
    'cluster-dns-outside-services',
    network({ clusterDNS: [beside] }),
    network({ clusterDNS: ['10.111.255.255'] }),
  ]),
  [
    'source-vip-unusable',
    network({ sourceVip: '10.96.0.0' }),
    network({ sourceVip: '10.244.3.9' }),
  ],
  ...['10.244.3.0', '10.244.3.1', '10.244.3.255'].map((sourceVip): Row => [
    'source-vip-unusable',
    network({ sourceVip }),
  ]),
  [
    'machine-address-not-of-machine',
    { join: { endpoint: '10.244.1.1:6443' } },
    { join: { endpoint: '10.0.0.10:6443' } },
  ],
  [
    'machine-address-not-of-machine',
    { join: { endpoint: '10.96.0.1:443' } },
    { join: { endpoint: 'api.example.com:6443' } },
  ],
  [
    'machine-address-not-of-machine',
    { join: { endpoint: '0.0.0.0:6443' } },
    { join: { endpoint: '127.0.0.1:6443' } },
  ],
  ['machine-address-not-of-machine', network({ nodeIP: '10.244.1.5' })],
  ...['127.0.0.1', '169.254.1.1', '224.0.0.1', '255.255.255.255'].map(
    (nodeIP) =>
      [
        'machine-address-not-of-machine',
        network({ nodeIP }),
        network({ nodeIP: '10.0.0.5' }),
      ] as const,
  ),
  [
    'node-ip-outside-node-cidrs',
    network({ nodeIP: '10.0.1.5', nodeCIDRs: ['10.0.0.0/24', 'fd00::/64'] }),
    network({ nodeIP: '10.0.0.5', nodeCIDRs: ['10.0.0.0/24', 'fd00::/64'] }),
  ],
  [
    'node-ip-outside-node-cidrs',
    network({ nodeIP: '10.0.1.5', nodeCIDRs: ['10.0.0.0/24'] }),
    network({ nodeIP: '10.0.1.5', nodeCIDRs: ['fd00::/64'] }),
  ],
  ['source-vip-without-overlay', network({ mode: 'l2bridge', sourceVip: '10.244.3.9' })],
  ['node-subnet-larger-than-network', network({ podCIDRs: ['10.244.0.0/25'] })],
  [
    'node-subnet-only-one',
    network({ podCIDRs: ['10.244.0.0/24'] }),
    network({ podCIDRs: ['10.244.0.0/23'] }),
  ],
  ['node-subnet-only-one', network({ nodeCIDRMaskSize: 16 }), calico({ nodeCIDRMaskSize: 16 })],
  [
    'pods-exceed-addresses',
    { ...network({ nodeCIDRMaskSize: 26 }), kubelet: { maxPods: 61 } },
    { ...network({ nodeCIDRMaskSize: 26 }), kubelet: { maxPods: 60 } },
  ],
  [
    'pod-routes-of-plugin',
    network({ mode: 'l2bridge', routes: 'fabric' }),
    network({ mode: 'l2bridge' }),
  ],
  [
    'untranslated-without-l2bridge',
    network({ untranslated: ['10.0.0.0/24'] }),
    network({ mode: 'l2bridge', untranslated: ['10.0.0.0/24'] }),
  ],
  ['untranslated-without-l2bridge', antrea({ untranslated: ['10.0.0.0/24'] }), antrea()],
  [
    'untranslated-needs-routes',
    network({ mode: 'l2bridge', untranslated: ['10.0.0.0/24'] }),
    network({ mode: 'l2bridge', nodeCIDRs: ['10.0.0.0/24'] }),
  ],
  ['cidr-has-host-bits', network({ mode: 'l2bridge', untranslated: ['10.0.0.7/24'] })],
  [
    'nat-exceptions-collide',
    { ...windows('ws2019'), ...network({ mode: 'l2bridge', untranslated: ['10.244.0.0/24'] }) },
  ],
  ['calico-needs-api-server-address', calico({}, { join: {} }), calico()],
  ['calico-lacks-windows-release', calico({}, windows('ws2025')), calico({}, windows('ws2019'))],
  [
    'calico-needs-windows-update',
    calico({}, { windows: { release: 'ws2022', revision: 168 } }),
    calico({}, { windows: { release: 'ws2022', revision: 169 } }),
  ],
  [
    'calico-needs-windows-update',
    calico({}, { windows: { release: 'ws2019', revision: 1431 } }),
    calico({}, { windows: { release: 'ws2019', revision: 1432 } }),
  ],
  [
    'calico-needs-host-process',
    calico({}, kubernetes('1.25.16')),
    calico({}, kubernetes('1.26.0')),
  ],
  ['calico-untested-with-kubernetes', calico({}, kubernetes('1.36.0')), calico()],
  [
    'calico-untested-with-kubernetes',
    calico({ calico: { version: '3.30' } }, kubernetes('1.33.0')),
    calico({ calico: { version: '3.30' } }, kubernetes('1.32.0')),
  ],
  ['calico-bgp-needs-routing', calico({ mode: 'l2bridge' }), calicoBgp],
  [
    'calico-configures-no-bgp',
    calico({ mode: 'l2bridge', calico: { version: '3.31' } }),
    calicoRouted({ calico: { version: '3.31' } }),
  ],
  [
    'calico-configures-no-bgp',
    calico({ mode: 'l2bridge', calico: { version: '3.32' } }),
    calicoRouted({ calico: { version: '3.32' } }),
  ],
  [
    'calico-configures-no-bgp',
    calico({ mode: 'l2bridge', calico: { version: '3.30' } }),
    calico({ calico: { version: '3.30' } }),
  ],
  ['calico-settings-unused', calico({ mode: 'l2bridge', calico: { vni: 5000 } }), calicoBgp],
  ['calico-settings-unused', calicoRouted({ calico: { vni: 5000 } }), calicoRouted()],
  ['calico-settings-unused', calicoRouted({ calico: { blockSize: 27 } }), calicoRouted()],
  ['calico-bgp-needs-routing', calico({ mode: 'l2bridge', backend: 'bgp' }), calicoRouted()],
  ['calico-none-needs-routes', calicoRouted({ routes: undefined }), calicoRouted()],
  ['network-backend-not-of-plugin', calico({ backend: 'none' }), calicoRouted()],
  ['network-backend-not-of-plugin', network({ backend: 'bgp' }), network({ backend: 'vxlan' })],
  ['network-backend-not-of-plugin', antrea({ backend: 'bgp' }), antrea({ backend: 'stt' })],
  ['pod-routes-of-plugin', calico({ mode: 'l2bridge', routes: 'fabric' }), calicoRouted()],
  [
    'calico-reads-one-pool',
    calico({ podCIDRs: ['10.1.0.0/16', '10.2.0.0/16'] }),
    calico(twoFamilies),
  ],
  [
    'calico-pool-smaller-than-block',
    calico({ podCIDRs: ['10.1.0.0/27'] }),
    calico({ podCIDRs: ['10.1.0.0/26'] }),
  ],
  ['calico-removes-external-network', calico({ external: true }), calico()],
  ['plugin-settings-unused', network({ calico: { vni: 5000 } }), calico({ calico: { vni: 5000 } })],
  [
    'plugin-settings-unused',
    calico({ flannel: { vni: 5000 } }),
    network({ flannel: { vni: 5000 } }),
  ],
  [
    'plugin-settings-unused',
    antrea({ flannel: { credentials: { tokenFile: 'C:\\t' } } }),
    network({ flannel: { credentials: { tokenFile: 'C:\\t' } } }),
  ],
  [
    'pods-exceed-addresses',
    calico({}, { kubelet: { maxPods: 61 } }),
    calico({}, { kubelet: { maxPods: 60 } }),
  ],
  [
    'calico-slow-with-many-pods',
    calico({}, { kubelet: { maxPods: 140 } }),
    calico({}, { kubelet: { maxPods: 139 } }),
  ],
  ['antrea-needs-api-server-address', antrea({}, { join: {} }), antrea()],
  ['antrea-needs-api-server-address', antrea({}, { join: {} }), bootstrap({ endpoint: null })],
  [
    'bundle-for-one-machine',
    { kubelet: { providerID: 'aws:///eu-west-1a/i-1' } },
    { kubelet: { providerID: { file: 'C:\\id' } } },
  ],
]
