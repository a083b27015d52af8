// Diagnoses of the network: HNS networks and endpoints, CNI configuration, firewall, ports.
import type { Diagnosis } from '../../report/diagnosis.ts'
import { foreignCniConfig, excludedPorts, timedOut } from '../report-signs.ts'
import { anyOf, health, log, step, ifUnhealthy } from '../../report/signs.ts'

const noNetwork = ['boot-task-gone', 'service-disabled', 'feature-missing']

export const network: readonly Diagnosis[] = [
  {
    id: 'hns-network-missing',
    cause: 'HNS lacks the pod network: no pod gets an address.',
    sign: anyOf(
      health('network', /^there is no HNS network/),
      step(/^hnsNetwork$/, /^there is no HNS network/),
      log(/hcnOpenNetwork failed in Win32|network .* not found.*hns/i, /kube-proxy|containerd/),
    ),
    fix: 'The reconcile loop makes it again within five minutes; if not, the log of the program that makes it says what it waits for.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/Azure/aks-engine/issues/3900',
    causedBy: [...noNetwork, 'hns-network-stale'],
  },
  {
    id: 'hns-network-wrong',
    cause:
      'The pod network of HNS is of another type than the bundle’s, or has no address of this machine.',
    sign: anyOf(
      health('network', /; wanted \S+ with an address/),
      step(/^hnsNetwork$/, /^the network is \w+, wanted/),
    ),
    fix: 'Remove it with Remove-HnsNetwork, and run Install-WinNode.ps1 -Phase boot.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies',
  },
  {
    id: 'hns-network-stale',
    cause: 'HNS kept a network of an earlier start, and refuses a new one of its name.',
    sign: log(/A network with this name already exists|0x803b0010/),
    fix: 'Remove it with Remove-HnsNetwork, and run Install-WinNode.ps1 -Phase boot; where it comes back, restart the machine.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/249',
  },
  {
    id: 'host-endpoint-missing',
    cause:
      'The host has no endpoint in the pod network, such as the source VIP: it reaches no pod, and no Service works.',
    sign: health('network', /it has no endpoint of/),
    fix: 'Restart-Service kube-proxy; where that does not help, run Install-WinNode.ps1 -Phase boot.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go',
    causedBy: ['kube-proxy-stopped'],
  },
  {
    id: 'hns-element-missing',
    cause: 'HNS lost an object that the plugin still names.',
    sign: log(/HNS failed with error : Element not found|failed to find HNSEndpoint/),
    fix: 'Restart-Service hns -Force on a drained node, then wait for the loop; where it comes back, restart the machine.',
    confidence: 'possible',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/issues/94924',
    causedBy: ['hns-network-missing'],
  },
  {
    id: 'hns-policy-refused',
    cause: 'HNS refuses a policy: this Windows does not know it, or lacks a part of it.',
    sign: log(/0x803b000d|The provided policy configuration is invalid or missing parameters/),
    fix: 'Bring Windows to its latest patch level; compare network.dsr and the source VIP with what the build can do.',
    confidence: 'possible',
    severity: 'error',
    see: 'https://github.com/projectcalico/calico/issues/8465',
  },
  {
    id: 'plugin-not-ready',
    cause: 'containerd has no configuration of a network plugin, so that the Node is not Ready.',
    sign: anyOf(
      health('node', /cni plugin not initialized|network plugin is not ready/),
      ifUnhealthy(log(/cni plugin not initialized|cni config uninitialized/)),
    ),
    fix: 'See whether C:\\etc\\cni\\net.d holds a file, and whether config.toml names this folder; the plugin’s own log says why it wrote none.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/kubernetes-sigs/sig-windows-dev-tools/issues/91',
    causedBy: ['hns-network-missing', 'boot-task-gone', 'containerd-stopped'],
  },
  {
    id: 'hns-silent',
    cause: 'The networking service (HNS) does not answer: no pod starts or ends.',
    sign: timedOut(/^(networks|endpoints|loadBalancers)$/),
    fix: 'Restart-Service hns -Force on a drained node; where it comes back, restart the machine.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/Azure/azure-container-networking/pull/3529',
  },
  {
    id: 'cni-configuration-foreign',
    cause: 'containerd takes another network configuration than the bundle’s: the first by name.',
    sign: foreignCniConfig,
    fix: 'Take it out of the folder, or whatever wrote it off the node; then restart containerd.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/containerd/go-cni/blob/main/opts.go',
  },
  {
    id: 'port-reserved',
    cause:
      'Windows keeps a port of the node for its own, most often for WinNAT: no program can have it.',
    sign: excludedPorts([10248, 10250, 10256]),
    fix: 'Stop-Service winnat, keep the port free with netsh int ipv4 add excludedportrange, then Start-Service winnat.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/microsoft/WSL/issues/5514',
  },
  {
    id: 'address-changed',
    cause: 'The machine has another address than its Node says.',
    sign: health('node', /its addresses are .*, the machine has/),
    fix: 'Restart-Service kubelet; on overlay run Install-WinNode.ps1 -Phase boot, so that the tunnel follows.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/',
  },
  {
    id: 'kubelet-port-closed',
    cause:
      'A firewall rule of the node is gone or another one, such as that of the kubelet’s port: logs, exec and metrics fail.',
    sign: step(/^firewallRule$/),
    fix: 'Run Install-WinNode.ps1; see which policy of the domain removes rules.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/',
  },
  {
    id: 'port-held',
    cause: 'Another program holds a port of the kubelet or of kube-proxy.',
    sign: health('ports', /\d+ is held by/),
    fix: 'End the program that holds it, or move it to another port, then start the service again.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/',
  },
  {
    id: 'ports-exhausted',
    cause: 'The machine runs out of ports for connections: new ones fail.',
    sign: health('ports', /^(?!.*(held by|nobody listens)).* dynamic ports in use/),
    fix: 'Get-NetTCPConnection | Group-Object OwningProcess shows who keeps them.',
    confidence: 'likely',
    severity: 'warning',
    see: 'https://learn.microsoft.com/troubleshoot/windows-client/networking/tcp-ip-port-exhaustion-troubleshooting',
  },
]
