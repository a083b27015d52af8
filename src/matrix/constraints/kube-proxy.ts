// What kube-proxy on Windows asks of its configuration before it starts.
import type { Constraint } from '../../model/constraint.ts'
import { loggingConstraints } from './logging.ts'

const see =
  'https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/apis/config/validation/validation.go'
const bit = { least: 0, most: 31 }

export const kubeProxyConstraints = (): readonly Constraint[] => [
  ...loggingConstraints(),
  { path: 'clientConnection.burst', least: 0, see },
  { path: 'configSyncPeriod', above: '0s', see },
  { path: 'conntrack.maxPerCore', least: 0, see },
  { path: 'conntrack.min', least: 0, see },
  { path: 'conntrack.tcpCloseWaitTimeout', least: '0s', see },
  { path: 'conntrack.tcpEstablishedTimeout', least: '0s', see },
  { path: 'conntrack.udpStreamTimeout', least: '0s', see },
  { path: 'conntrack.udpTimeout', least: '0s', see },
  {
    path: 'detectLocalMode',
    range: '>=1.27',
    oneOf: ['', 'ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'],
    see,
  },
  {
    path: 'detectLocalMode',
    needs: 'detectLocal.bridgeInterface',
    when: { path: 'detectLocalMode', is: 'BridgeInterface' },
    see,
  },
  {
    path: 'detectLocalMode',
    needs: 'detectLocal.interfaceNamePrefix',
    when: { path: 'detectLocalMode', is: 'InterfaceNamePrefix' },
    see,
  },
  { path: 'healthzBindAddress', form: 'address and port', see },
  { path: 'iptables.masqueradeBit', ...bit, see },
  { path: 'iptables.minSyncPeriod', least: '0s', see },
  { path: 'iptables.minSyncPeriod', upTo: 'iptables.syncPeriod', see },
  { path: 'iptables.syncPeriod', above: '0s', see },
  { path: 'metricsBindAddress', form: 'address and port', see },
  { path: 'nodePortAddresses[]', range: '<1.31', form: 'CIDR', see },
  { path: 'nodePortAddresses[]', range: '>=1.31 <1.37', form: 'CIDR or primary', see },
  { path: 'nodePortAddresses', range: '>=1.31 <1.37', alone: 'primary', see },
  { path: 'nodePortAddresses[]', range: '>=1.37', form: 'CIDR or keyword', see },
  {
    path: 'nodePortAddresses',
    range: '>=1.37',
    unique: ['primary', 'localhost', 'all'],
    see,
  },
  { path: 'oomScoreAdj', least: -1000, most: 1000, see },
  { path: 'portRange', range: '<1.31', form: 'port range', see },
  { path: 'showHiddenMetricsForVersion', form: 'previous minor', see },
  { path: 'udpIdleTimeout', above: '0s', see },
]
