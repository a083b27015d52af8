// eks: EKS's own Windows image, with containerd, the kubelet, kube-proxy and the plugin vpc-bridge.
import { isObject, type Json, valueAt } from '../../model/json.ts'
import type { Cni } from '../plugin.ts'
import { eksFields, type EksSettings } from './fields.ts'
import { bundleFiles, ipamSettings } from './files.ts'
import { eksRules } from './rules.ts'

export const eks = {
  id: 'eks',
  title: 'Amazon VPC CNI',
  see: 'https://docs.aws.amazon.com/eks/latest/userguide/windows-support.html',
  modes: {
    l2bridge: {
      backend: 'vpc-bridge',
      hnsType: 'L2Bridge',
      // With the MAC address of the network interface:
      // https://github.com/aws/amazon-vpc-cni-plugins/blob/main/plugins/vpc-bridge/network/bridge_windows.go
      networkName: () => 'vpcbr<MAC>',
      // Addresses of pods are of the VPC, not of a subnet of the node.
      reserved: 0,
    },
  },
  fields: eksFields,
  settings: (written: EksSettings) => written,
  // Pods have addresses of the VPC: no prefix of the node limits them.
  nodeShare: () => ({ prefix: 0 }),
  questions: [
    { id: 'eks-cluster', field: 'network.eks.clusterName', title: 'EKS cluster name' },
    { id: 'eks-prefixes', field: 'network.eks.prefixDelegation', title: 'Prefix delegation' },
  ],
  needs: {
    'network.eks': 'apply',
    'network.eks.clusterName': 'machine',
    'network.eks.endpoint': 'machine',
    'network.eks.certificateAuthority': 'machine',
  },
  fileNeeds: [[/^user-data\.txt$/, 'machine']],
  kubeProxy: false,
  hostProcess: () => false,
  rules: eksRules,
  image: {
    name: 'EKS’s image',
    carries: [
      ['windows', 'release'],
      ['kubernetes', 'version'],
      ['kubernetes', 'apiServer'],
      ['network', 'cni'],
      ['network', 'mode'],
      ['network', 'serviceCIDRs'],
      ['network', 'clusterDNS'],
      ['network', 'eks'],
      ['kubelet', 'labels'],
      ['kubelet', 'taints'],
      ['kubelet', 'maxPods'],
      ['kubelet', 'priorityClass'],
      ['kubelet', 'verbosity'],
      ['kubelet', 'featureGates'],
      ['kubelet', 'config'],
      ['reserve'],
      // Not windowsExporter, whose port is open by a firewall rule of the node, and not csrApprover, which needs a setting of the kubelet.
      ['cluster', 'policies'],
      ['cluster', 'imagePull'],
      ['cluster', 'smbCsi'],
      ['cluster', 'fluentBit'],
      ['cluster', 'gmsa'],
      ['cluster', 'drift'],
      ['smoke'],
      // Of their images; winnode.lock is read with all profiles of its folder.
      ['artifacts', 'lock'],
      ['machine', 'cpu'],
      ['machine', 'memory'],
      ['machine', 'disk'],
    ],
    replace: 'Replace the node with a new instance: user data is read only at its first start.',
    inspect: 'Read the event log “EKS Windows” of the node, and run kubectl describe node.',
    files: bundleFiles,
  },
  readme: () => [],
  linux: {
    daemonSet: /^aws-node$/,
    configMaps: [],
    object: {
      path: '/api/v1/namespaces/kube-system/configmaps/amazon-vpc-cni',
      what: 'ConfigMap kube-system/amazon-vpc-cni',
    },
    read: (document, where) => {
      const data = valueAt(document, ['data'])
      const dataAt = (key: string) => (isObject(data) ? data[key] : undefined)
      const flag = (value: Json | undefined) =>
        value === 'true' || value === 'false' ? value === 'true' : undefined
      const number = (key: string) => {
        const value = dataAt(key)
        return typeof value === 'string' && /^[1-9]\d*$/.test(value) ? Number(value) : undefined
      }
      const field = (name: string, value: boolean | number | string | undefined) => ({
        path: ['network', ...name.split('.')],
        value,
        where,
      })
      return {
        fields: [
          field('mode', 'l2bridge'),
          field('eks.prefixDelegation', flag(dataAt('enable-windows-prefix-delegation'))),
          field('eks.warmIPTarget', number('warm-ip-target')),
          field('eks.minimumIPTarget', number('minimum-ip-target')),
        ],
        notes:
          dataAt('enable-windows-ipam') === 'true'
            ? []
            : ['enable-windows-ipam is not "true", so pods of Windows nodes get no address'],
      }
    },
  },
  linuxSide: (spec) =>
    Object.entries(ipamSettings({ spec })).map(([key, expected]) => ({
      key: ['data', key],
      expected,
      ...(key.startsWith('enable') && { byDefault: 'false' }),
    })),
} satisfies Cni
