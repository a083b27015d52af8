// flannel: settings that flanneld on Windows rejects or that Linux nodes must match.
import * as v from 'valibot'
import { lockedImage } from '../../model/locked-image.ts'
import { parseImage } from '../../go/image-reference.ts'
import { isDevice } from '../../model/bundle-path.ts'
import { isSameJson } from '../../model/json.ts'
import { externalNetwork, externalType } from '../external-network.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'
import type { NodeSpec } from '../../model/spec.ts'
import { credentialsOf } from '../kubeconfig.ts'
import { flannelFields, flannelSettings } from './fields.ts'
import { runsAsPods } from './runs-as.ts'

const backends = 'https://github.com/flannel-io/flannel/blob/master/Documentation/backends.md'

const vniOutOfRange = defineRule({
  id: 'flannel-vni-out-of-range',
  severity: 'error',
  summary: 'network.flannel.vni is from 4096 to 65535.',
  remedy: 'Set the VNI to 4096, here and in flannel’s ConfigMap.',
  see: backends,
  check: ({ spec: { network } }) => {
    const { vni } = network.flannel
    if (network.cni !== 'flannel' || network.mode !== 'overlay') return []
    const path = ['network', 'flannel', 'vni']
    // A lease holds only 16 bits of it: pkg/backend/vxlan/vxlan_windows.go.
    const truncated = vni % 65_536
    return [
      ...when(
        vni < 4096,
        path,
        `VNI ${vni} is rejected by flanneld on Windows; it must be at least 4096`,
      ),
      ...when(
        vni > 65_535,
        path,
        `VNI ${vni} reaches other nodes as ${truncated}, so no packet arrives; the maximum is 65535`,
      ),
    ]
  },
})

const vniOfExternal = defineRule({
  id: 'flannel-vni-of-external-network',
  severity: 'error',
  summary: 'With network.external, network.flannel.vni is not 9999.',
  remedy: 'Set the VNI to 4096, here and in flannel’s ConfigMap.',
  see: 'https://github.com/microsoft/SDN/blob/242fb0c3190dbb08d7f9406727be18322218e537/Kubernetes/windows/helper.v2.psm1',
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' &&
        externalType(network) === 'Overlay' &&
        network.flannel.vni === externalNetwork.vsid,
      ['network', 'flannel', 'vni'],
      `VNI ${network.flannel.vni} is that of the HNS network that network.external creates`,
    ),
})

const portFixed = defineRule({
  id: 'flannel-port-not-4789',
  severity: 'error',
  summary: 'network.flannel.port is 4789.',
  remedy: 'Set the port to 4789, here and in flannel’s ConfigMap.',
  see: backends,
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' && network.mode === 'overlay' && network.flannel.port !== 4789,
      ['network', 'flannel', 'port'],
      `port ${network.flannel.port} is rejected by flanneld on Windows; it must be 4789`,
    ),
})

const macPrefixOfGroup = defineRule({
  id: 'flannel-mac-prefix-of-group',
  severity: 'error',
  summary: 'network.flannel.macPrefix makes unicast MAC addresses.',
  remedy: 'Use an even first byte, such as 0E-2A.',
  see: 'https://github.com/containernetworking/plugins/blob/main/plugins/main/windows/win-overlay/win-overlay_windows.go',
  check: ({ spec: { network } }) => {
    const { macPrefix } = network.flannel
    return when(
      network.cni === 'flannel' &&
        network.mode === 'overlay' &&
        parseInt(macPrefix.slice(0, 2), 16) % 2 === 1,
      ['network', 'flannel', 'macPrefix'],
      `MAC prefix ${macPrefix} has an odd first byte, which makes pod MAC addresses multicast`,
    )
  },
})

const networkNamedAsDevice = defineRule({
  id: 'network-named-as-device',
  severity: 'error',
  summary: 'network.name is a valid folder name on Windows.',
  remedy: 'Use another name, or remove network.name.',
  see: 'https://github.com/containernetworking/plugins/blob/main/plugins/ipam/host-local/backend/disk/backend.go',
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' && isDevice(network.name),
      ['network', 'name'],
      `network name ${network.name} is a device name on Windows; host-local cannot create its folder`,
    ),
})

const linuxSideDiffers = defineRule({
  id: 'flannel-linux-defaults-differ',
  severity: 'info',
  harm: 'breaks',
  summary: 'flannel on Linux nodes uses the VNI and port of the profile.',
  remedy:
    'Compare net-conf.json in flannel’s ConfigMap with cluster/linux-side/flannel-net-conf.json.',
  see: backends,
  check: ({ spec: { network } }) => {
    const { vni, port } = network.flannel
    return when(
      network.cni === 'flannel' && network.mode === 'overlay' && vni >= 4096 && port === 4789,
      ['network', 'flannel', 'vni'],
      `flannel on Linux defaults to VNI 1 and port 8472, but all nodes need ${vni} and ${port}`,
    )
  },
})

const hostGwSpans = defineRule({
  id: 'host-gw-spans-subnets',
  severity: 'error',
  summary: 'With host-gw, all nodes are in one subnet.',
  remedy: 'Set network.mode to overlay, or set network.nodeCIDRs to the subnet of all nodes.',
  see: backends,
  check: ({ spec: { network } }) => {
    const subnets = network.nodeCIDRs.filter((cidr) => !cidr.includes(':'))
    return when(
      network.cni === 'flannel' && network.mode === 'l2bridge' && subnets.length > 1,
      ['network', 'nodeCIDRs', 1],
      `host-gw needs all nodes in one subnet; network.nodeCIDRs are ${subnets.join(' and ')}`,
    )
  },
})

const oneFlannelNetwork = defineRule({
  id: 'flannel-has-one-network',
  severity: 'error',
  summary: 'flannel on Windows has one IPv4 pod CIDR.',
  remedy: 'Remove the other CIDRs.',
  see: 'https://github.com/flannel-io/flannel/blob/master/pkg/subnet/kube/kube.go',
  check: ({ spec: { network } }) => {
    if (network.cni !== 'flannel') return []
    const six = (cidr: string) => cidr.includes(':')
    const hasOtherRule = (cidr: string) => six(cidr) && network.mode === 'overlay'
    return [
      ...network.podCIDRs.flatMap((cidr, at) =>
        when(
          at > 0 && !hasOtherRule(cidr),
          ['network', 'podCIDRs', at],
          six(cidr)
            ? `flannel on Windows assigns no IPv6 addresses, so ${cidr} is unused`
            : `flanneld uses only ${network.podCIDRs[0] ?? ''} and exits on a node with a pod CIDR from ${cidr}`,
        ),
      ),
      ...network.serviceCIDRs.flatMap((cidr, at) =>
        when(
          six(cidr) && !hasOtherRule(cidr),
          ['network', 'serviceCIDRs', at],
          `flannel on Windows assigns no IPv6 addresses, so pods cannot reach Services in ${cidr}`,
        ),
      ),
    ]
  },
})

const hostProcess =
  'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/'

const asPods = (network: NodeSpec['network']) => network.cni === 'flannel' && runsAsPods(network)

const podsUnsupported = defineRule({
  id: 'flannel-needs-host-process',
  severity: 'error',
  summary: 'With network.flannel.runsAs hostProcess, the kubelet supports HostProcess pods.',
  remedy: 'Use a newer Kubernetes version, or set network.flannel.runsAs to service.',
  upgrades: ['kubelet'],
  see: hostProcess,
  check: ({ spec, has }) =>
    when(
      asPods(spec.network) && !has('kubelet-host-process'),
      ['network', 'flannel', 'runsAs'],
      `HostProcess pods are stable from Kubernetes 1.26 on; the kubelet is ${spec.kubernetes.version}`,
    ),
})

const imageUnpinned = defineRule({
  id: 'flannel-image-without-digest',
  severity: 'error',
  summary: 'network.flannel.runsAs hostProcess has an image by digest.',
  remedy:
    'Set network.flannel.image to NAME:TAG@sha256:DIGEST of an image with flannel/flanneld.exe, or set network.flannel.runsAs to service.',
  see: 'https://github.com/kubernetes-sigs/sig-windows-tools/pull/385',
  check: ({ spec: { network, artifacts } }) => {
    if (!asPods(network)) return []
    const { image } = network.flannel
    const path = ['network', 'flannel', 'image']
    if (image === undefined)
      return when(
        true,
        path,
        'HostProcess pods need an image with flanneld.exe, and there is no published one',
      )
    return when(
      parseImage(lockedImage(image, artifacts))?.digest === undefined,
      path,
      `${image} has no digest, and its flanneld.exe runs as SYSTEM on every node`,
    )
  },
})

const settingsUnused = defineRule({
  id: 'flannel-settings-unused',
  severity: 'error',
  summary: 'Fields of flannel are set only where flanneld runs in the way that uses them.',
  remedy: 'Remove the field, or change network.flannel.runsAs.',
  see: hostProcess,
  check: ({ spec: { network, join } }) => {
    if (network.cni !== 'flannel') return []
    const { image, credentials } = network.flannel
    const byDefault = credentialsOf(undefined, 'flannel', join.endpoint)
    return [
      ...when(
        !asPods(network) && image !== undefined,
        ['network', 'flannel', 'image'],
        'network.flannel.image has no effect: with network.flannel.runsAs service, flanneld.exe is a download',
      ),
      ...when(
        asPods(network) && !isSameJson(credentials, byDefault),
        ['network', 'flannel', 'credentials'],
        'network.flannel.credentials has no effect: HostProcess pods have the token of a ServiceAccount',
      ),
      ...when(
        asPods(network) && network.sourceVip !== undefined,
        ['network', 'sourceVip'],
        'network.sourceVip is the address of one node, and the pods run on all nodes of the Windows build',
      ),
    ]
  },
})

const vxlanSettingsUnused = defineRule({
  id: 'flannel-vxlan-settings-unused',
  severity: 'warning',
  harm: 'limits',
  summary: 'The VXLAN settings of flannel are set only with network.mode overlay.',
  remedy: 'Remove the field, or set network.mode to overlay.',
  see: backends,
  check: ({ spec: { network, join } }) => {
    if (network.cni !== 'flannel' || network.mode === 'overlay') return []
    const defaults = flannelSettings(v.parse(flannelFields, {}), join.endpoint)
    return (['vni', 'port', 'macPrefix'] as const).flatMap((field) =>
      when(
        network.flannel[field] !== defaults[field],
        ['network', 'flannel', field],
        `network.flannel.${field} has no effect with network.mode ${network.mode}`,
      ),
    )
  },
})

const picksAdapter = defineRule({
  id: 'flannel-host-gw-picks-adapter',
  severity: 'warning',
  harm: 'breaks',
  summary: 'With flannel’s host-gw, network.adapter is set together with network.external.',
  remedy:
    'Set network.external, or give the nodes one network adapter, or set network.mode to overlay.',
  see: 'https://github.com/flannel-io/flannel/blob/cdf760595c23292fd03ff4daf03638ac1ceef417/pkg/backend/hostgw/hostgw_windows.go',
  check: ({ spec: { network } }) =>
    when(
      network.cni === 'flannel' &&
        network.mode === 'l2bridge' &&
        network.adapter !== undefined &&
        !network.external,
      ['network', 'adapter'],
      `flanneld names no adapter to HNS with host-gw, so pods can be on another one than ${network.adapter ?? ''}`,
    ),
})

export const flannelRules: readonly Rule[] = [
  vniOutOfRange,
  vniOfExternal,
  portFixed,
  macPrefixOfGroup,
  networkNamedAsDevice,
  linuxSideDiffers,
  hostGwSpans,
  oneFlannelNetwork,
  podsUnsupported,
  imageUnpinned,
  settingsUnused,
  vxlanSettingsUnused,
  picksAdapter,
]
