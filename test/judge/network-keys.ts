// Keys of what network plugins read.
import type { Keys } from './keys.ts'

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const number = { type: 'integer' } as const
const map = { type: 'object' } as const

/** AclPolicySetting in https://github.com/microsoft/hcsshim/blob/main/hcn/hcnpolicy.go */
const aclKeys: Keys = {
  'plugins[].delegate.policies[].value.Settings.Protocols': text,
  'plugins[].delegate.policies[].value.Settings.Action': { ...text, values: ['Allow', 'Block'] },
  'plugins[].delegate.policies[].value.Settings.Direction': { ...text, values: ['In', 'Out'] },
  'plugins[].delegate.policies[].value.Settings.RemoteAddresses': text,
  'plugins[].delegate.policies[].value.Settings.RemotePorts': text,
  'plugins[].delegate.policies[].value.Settings.RuleType': { ...text, values: ['Host', 'Switch'] },
  'plugins[].delegate.policies[].value.Settings.Priority': number,
}

/**
 * A delegate has neither `name` nor `ipam`: the flannel plugin sets them, and fails where they are.
 * https://github.com/flannel-io/cni-plugin/blob/main/flannel_windows.go
 * https://github.com/containernetworking/plugins/tree/main/plugins/main/windows
 */
export const conflistKeys: Keys = {
  cniVersion: {
    ...text,
    values: ['0.1.0', '0.2.0', '0.3.0', '0.3.1', '0.4.0', '1.0.0', '1.1.0'],
  },
  name: text,
  plugins: { type: 'list of objects' },
  'plugins[].type': { ...text, values: ['flannel'] },
  'plugins[].subnetFile': text,
  'plugins[].dataDir': text,
  'plugins[].capabilities': { type: 'map to booleans' },
  'plugins[].delegate': map,
  'plugins[].delegate.type': { ...text, values: ['win-bridge', 'win-overlay'] },
  'plugins[].delegate.apiVersion': number,
  'plugins[].delegate.endpointMacPrefix': text,
  'plugins[].delegate.loopbackDSR': flag,
  'plugins[].delegate.policies': { type: 'list of objects' },
  'plugins[].delegate.policies[].name': { ...text, values: ['EndpointPolicy'] },
  'plugins[].delegate.policies[].value': map,
  'plugins[].delegate.policies[].value.Type': {
    ...text,
    values: ['OutBoundNAT', 'SDNRoute', 'ProviderAddress', 'ACL'],
  },
  'plugins[].delegate.policies[].value.Settings': map,
  'plugins[].delegate.policies[].value.Settings.Exceptions': { type: 'list of strings' },
  'plugins[].delegate.policies[].value.Settings.DestinationPrefix': text,
  'plugins[].delegate.policies[].value.Settings.NeedEncap': flag,
  ...aclKeys,
}

const delegate = 'plugins[].delegate.'

/** win-bridge alone has the keys of the delegate, and those that the flannel plugin sets there. */
export const winBridgeKeys: Keys = {
  cniVersion: conflistKeys['cniVersion'] ?? text,
  name: text,
  plugins: { type: 'list of objects' },
  'plugins[].capabilities': { type: 'map to booleans' },
  'plugins[].ipam': map,
  'plugins[].ipam.type': { ...text, values: ['host-local'] },
  'plugins[].ipam.dataDir': text,
  'plugins[].ipam.subnet': text,
  ...Object.fromEntries(
    Object.entries(conflistKeys).flatMap(([key, row]) =>
      key.startsWith(delegate) ? [[`plugins[].${key.slice(delegate.length)}`, row]] : [],
    ),
  ),
}

/** https://github.com/antrea-io/antrea/blob/main/build/charts/antrea/conf/antrea-agent.conf */
export const antreaAgentKeys: Keys = {
  trafficEncapMode: { ...text, values: ['encap', 'noEncap', 'hybrid'] },
  tunnelType: { ...text, values: ['geneve', 'vxlan', 'stt'] },
  tunnelPort: { type: 'integer' },
  antreaProxy: map,
  'antreaProxy.proxyAll': flag,
  kubeAPIServerOverride: text,
}

/** Its whole file is the text: test/artifacts/antrea.test.ts reads it as the agent does. */
export const antreaPatchKeys: Keys = { data: map, 'data.antrea-agent.conf': text }

/** Patches of Calico's objects, and its pool; test/artifacts/calico.test.ts asks the schemas of the whole objects. */
export const calicoKeys: Keys = {
  spec: map,
  'spec.serviceCIDRs': { type: 'list of strings' },
  'spec.cni': map,
  'spec.cni.type': { ...text, values: ['Calico'] },
  'spec.cni.ipam': map,
  'spec.cni.ipam.type': { ...text, values: ['Calico', 'HostLocal'] },
  'spec.calicoNetwork': map,
  'spec.calicoNetwork.bgp': { ...text, values: ['Enabled', 'Disabled'] },
  'spec.calicoNetwork.windowsDataplane': { ...text, values: ['HNS', 'Disabled'] },
  'spec.vxlanVNI': { type: 'integer' },
  'spec.strictAffinity': { type: 'boolean' },
  cidr: text,
  encapsulation: { ...text, values: ['VXLAN', 'None'] },
  natOutgoing: { ...text, values: ['Enabled', 'Disabled'] },
  blockSize: { type: 'integer' },
  nodeSelector: text,
}
