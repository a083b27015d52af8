// A plugin that winnode does not install: what its DaemonSet needs from the node, and what is left to it.
import type { Facts } from '../../model/facts.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'

const hostProcessPods =
  'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/'

const chosen = ({ spec }: Facts) => spec.network.cni === 'none'

const hostProcess = defineRule({
  id: 'daemon-set-needs-host-process',
  severity: 'error',
  summary: 'The kubelet supports the HostProcess pods of a network plugin.',
  remedy: 'Use a newer Kubernetes version.',
  upgrades: ['kubelet'],
  see: hostProcessPods,
  check: (facts) =>
    when(
      chosen(facts) && !facts.has('kubelet-host-process'),
      ['kubernetes', 'version'],
      `a DaemonSet needs HostProcess pods to install a network plugin; they are stable from Kubernetes 1.26 on, the kubelet is ${facts.spec.kubernetes.version}`,
    ),
})

const portMalformed = defineRule({
  id: 'network-port-out-of-range',
  severity: 'error',
  summary: 'Ports of network.none.openPorts are 1 to 65535, the lower one first.',
  remedy: 'Correct the port or the range.',
  see: 'https://learn.microsoft.com/powershell/module/netsecurity/new-netfirewallrule',
  check: ({ spec }) =>
    spec.network.none.openPorts.flatMap(({ ports }, at) => {
      const [first = 0, last = first] = ports.split('-').map(Number)
      return when(
        first < 1 || last > 65_535 || first > last,
        ['network', 'none', 'openPorts', at, 'ports'],
        `${ports} is not a port or a range of ports from 1 to 65535`,
      )
    }),
})

const proxyWithoutNetwork = defineRule({
  id: 'kube-proxy-without-network-name',
  severity: 'error',
  summary: 'kube-proxy has the name of the network plugin’s HNS network.',
  remedy: 'Set network.name to the name of the HNS network that the plugin creates.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.1/pkg/proxy/winkernel/proxier.go',
  asks: ['network.name'],
  check: ({ spec: { network, kubeProxy } }) =>
    when(
      network.cni === 'none' && kubeProxy.runsAs === 'hostProcess' && network.name === '',
      ['network', 'name'],
      'kube-proxy looks for its HNS network by the exact name, and exits without one',
    ),
})

export const noneRules: readonly Rule[] = [hostProcess, portMalformed, proxyWithoutNetwork]
