// Diagnoses of the network: HNS networks and endpoints, CNI configuration, firewall, ports.
import type { Diagnosis } from '../../report/diagnosis.ts'
import { foreignCniConfig, excludedPorts, timedOut } from '../report-signs.ts'
import { anyOf, health, log, step, ifUnhealthy } from '../../report/signs.ts'

const noNetwork = ['boot-task-gone', 'service-disabled', 'feature-missing']

export const network: readonly Diagnosis[] = [
  {
    id: 'hns-network-missing',
    cause: 'The pod network is missing in HNS; pods get no IP address.',
    sign: anyOf(
      health('network', /^HNS network \S+ not found/),
      step(/^hnsNetwork$/, /^HNS network \S+ not found/),
      log(/hcnOpenNetwork failed in Win32|network .* not found.*hns/i, /kube-proxy|containerd/),
    ),
    fix: 'Wait 35 minutes for the reconcile loop to create it; then read the log of the network plugin.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/Azure/aks-engine/issues/3900',
    causedBy: [...noNetwork, 'hns-network-stale'],
  },
  {
    id: 'hns-network-wrong',
    cause:
      'The HNS pod network differs from the bundle or the Node: its type, subnet, endpoint of the host or address.',
    sign: anyOf(
      health('network', /; expected \S+ with an address/),
      step(
        /^hnsNetwork$/,
        /^the network (is \w+, expected|has no endpoint)|^the network's subnet is|_ep is at|^IP forwarding is disabled/,
      ),
    ),
    fix: 'Remove it with Remove-HnsNetwork, and run Install-WinNode.ps1 -Phase boot.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/virtualization/windowscontainers/container-networking/network-drivers-topologies',
  },
  {
    id: 'hns-network-stale',
    cause: 'HNS still has a network of an earlier start and rejects a new one with the same name.',
    sign: log(/A network with this name already exists|0x803b0010/),
    fix: 'Remove it with Remove-HnsNetwork, and run Install-WinNode.ps1 -Phase boot; if it recurs, restart the machine.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/249',
  },
  {
    id: 'host-endpoint-missing',
    cause:
      'The host has no endpoint in the pod network, such as the source VIP; pods are unreachable and Services fail.',
    sign: health('network', /no endpoint of/),
    fix: 'Run Restart-Service kube-proxy; if that does not help, run Install-WinNode.ps1 -Phase boot.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/proxy/winkernel/proxier.go',
    causedBy: ['kube-proxy-stopped'],
  },
  {
    id: 'hns-element-missing',
    cause: 'HNS lost an object that the network plugin still refers to.',
    sign: log(/HNS failed with error : Element not found|failed to find HNSEndpoint/),
    fix: 'Drain the node, run Restart-Service hns -Force and wait for the reconcile loop; if it recurs, restart the machine.',
    confidence: 'possible',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/issues/94924',
    causedBy: ['hns-network-missing'],
  },
  {
    id: 'hns-policy-refused',
    cause: 'HNS rejects a policy that this Windows build does not support.',
    sign: log(/0x803b000d|The provided policy configuration is invalid or missing parameters/),
    fix: 'Install the latest cumulative update; check network.dsr and network.sourceVip against the build.',
    confidence: 'possible',
    severity: 'error',
    see: 'https://github.com/projectcalico/calico/issues/8465',
  },
  {
    id: 'plugin-not-ready',
    cause: 'containerd has no CNI configuration, so the Node is NotReady.',
    sign: anyOf(
      health('node', /cni plugin not initialized|network plugin is not ready/),
      ifUnhealthy(log(/cni plugin not initialized|cni config uninitialized/)),
    ),
    fix: 'Check that C:\\etc\\cni\\net.d contains a file and that config.toml names this folder; then read the plugin’s log.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/kubernetes-sigs/sig-windows-dev-tools/issues/91',
    causedBy: ['hns-network-missing', 'boot-task-gone', 'containerd-stopped'],
  },
  {
    id: 'hns-silent',
    cause: 'The Host Network Service (HNS) does not respond; pods neither start nor stop.',
    sign: timedOut(/^(networks|endpoints|loadBalancers)$/),
    fix: 'Drain the node and run Restart-Service hns -Force; if it recurs, restart the machine.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/Azure/azure-container-networking/pull/3529',
  },
  {
    id: 'cni-configuration-foreign',
    cause: 'containerd uses another CNI configuration than the bundle’s: the first file by name.',
    sign: foreignCniConfig,
    fix: 'Remove the file, and the program that wrote it; then restart containerd.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/containerd/go-cni/blob/main/opts.go',
  },
  {
    id: 'port-reserved',
    cause:
      'Windows has excluded a port that the node needs, usually for WinNAT; no program can listen on it.',
    sign: excludedPorts([10248, 10250, 10256]),
    fix: 'Run Stop-Service winnat, reserve the port with netsh int ipv4 add excludedportrange, then Start-Service winnat.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/microsoft/WSL/issues/5514',
  },
  {
    id: 'address-changed',
    cause: 'The machine’s IP address differs from the one in its Node object.',
    sign: health('node', /addresses are .*, expected/),
    fix: 'Run Restart-Service kubelet; with overlay also run Install-WinNode.ps1 -Phase boot to update the tunnel.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/',
  },
  {
    id: 'kubelet-port-closed',
    cause:
      'A firewall rule is missing or changed, such as for the kubelet port; logs, exec and metrics fail.',
    sign: step(/^firewallRule$/),
    fix: 'Run Install-WinNode.ps1; check which Group Policy removes firewall rules.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/',
  },
  {
    id: 'port-held',
    cause: 'Another program listens on a port of the kubelet or kube-proxy.',
    sign: health('ports', /\d+ is used by/),
    fix: 'Stop that program or change its port, then restart the service.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/',
  },
  {
    id: 'ports-exhausted',
    cause: 'Few dynamic ports are free: new connections and load balancers of HNS fail.',
    sign: health('ports', /^(?!.*(used by|no program listens)).* dynamic ports in use/),
    fix: 'Find the process with Get-NetTCPConnection | Group-Object OwningProcess, or enlarge host.dynamicPorts.',
    confidence: 'likely',
    severity: 'warning',
    see: 'https://learn.microsoft.com/troubleshoot/windows-client/networking/tcp-ip-port-exhaustion-troubleshooting',
  },
]
