// Diagnoses of the machine and its Node object: disk, memory, clock, name servers, labels, cordon.
import type { Diagnosis } from '../../report/diagnosis.ts'
import {
  withDetails,
  storageUse,
  noNameServer,
  memoryLow,
  timedOut,
  commandOutput,
} from '../report-signs.ts'
import { anyOf, preflight, driveNearlyFull, health, log } from '../../report/signs.ts'

const pressure = 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/'

export const machine: readonly Diagnosis[] = [
  {
    id: 'disk-full',
    cause:
      'A drive is nearly full, usually with images and snapshots; the kubelet evicts pods and rejects new ones.',
    sign: withDetails(
      anyOf(
        health('disk', /GiB of .* free/),
        driveNearlyFull(0.1),
        health('node', /^DiskPressure/),
        log(/There is not enough space on the disk|\(0x70\)/),
      ),
      storageUse,
    ),
    fix: 'Remove unused images with crictl rmi --prune, check logs and dumps, or enlarge the drive.',
    confidence: 'sure',
    severity: 'error',
    see: pressure,
  },
  {
    id: 'drive-missing',
    cause: 'The image drive is missing, or containerd cannot use it.',
    sign: anyOf(preflight(/^data-disk$/), health('disk', /^drive \S+ not found/)),
    fix: 'Attach the disk under its drive letter, and format it with NTFS.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/windows/win32/cimwin32prov/win32-logicaldisk',
  },
  {
    id: 'memory-short',
    cause: 'The machine is short of memory; the kubelet evicts pods.',
    sign: anyOf(
      health('node', /(^|; )MemoryPressure/),
      memoryLow,
      log(/The paging file is too small for this operation to complete|\(0x5af\)/),
    ),
    fix: 'Set memory limits on pods, and the page file size of the profile; winnode sizing shows what is allocatable.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/Azure/AKS/issues/1941',
  },
  {
    id: 'runtime-stalled',
    cause: 'containerd responds too slowly, so the Node is NotReady.',
    sign: anyOf(
      health('node', /PLEG is not healthy/),
      log(/PLEG is not healthy: pleg was last seen active/),
    ),
    fix: 'Check for slow disks and pods that terminate slowly; drain the node and restart containerd.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/pleg/generic.go',
    causedBy: ['containerd-stopped', 'disk-full', 'memory-short'],
  },
  {
    id: 'name-server-missing',
    cause: 'The machine has no DNS server, so it cannot resolve registries or the API server.',
    sign: noNameServer,
    fix: 'Set the DNS servers with Set-DnsClientServerAddress, or check what DHCP assigns.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://learn.microsoft.com/powershell/module/dnsclient/set-dnsclientserveraddress',
  },
  {
    id: 'clock-alone',
    cause:
      'The clock is not synchronized; when it drifts, certificates and tokens count as expired.',
    sign: commandOutput('clock', /0x4C4F434C|Local CMOS Clock|Free-running System Clock/),
    fix: 'Check the time servers with w32tm /query /peers and their reachability, then run w32tm /resync.',
    confidence: 'likely',
    severity: 'warning',
    see: 'https://learn.microsoft.com/windows-server/networking/windows-time-service/windows-time-service-tools-and-settings',
    causedBy: ['clock-off'],
  },
  {
    id: 'windows-silent',
    cause:
      'Windows Management Instrumentation (WMI) does not respond, so winnode’s scripts do not finish.',
    // Not `volumes`: that query also times out if a network drive does not answer.
    sign: timedOut(/^(start of the machine|memory|page files)$/),
    fix: 'Run Restart-Service winmgmt -Force; if it recurs, restart the machine.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/troubleshoot/windows-server/system-management-components/scenario-guide-troubleshoot-wmi-connectivity-access-issues',
  },
  {
    id: 'older-kubelet-runs',
    cause: 'The running kubelet is not the installed version.',
    sign: health('node', /the running kubelet is/),
    fix: 'Run Restart-Service kubelet.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/create-cluster-kubeadm/#version-skew-policy',
  },
  {
    id: 'cloud-has-not-found-it',
    cause:
      'The cloud controller manager has not initialized this Node, so no pod is scheduled to it.',
    sign: health('node', /the cloud controller manager has not initialized the Node/),
    fix: 'Check that the cloud controller manager runs, and that node name and provider ID match the cloud.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/labels-annotations-taints/',
  },
  {
    id: 'node-cordoned',
    cause: 'The node is cordoned and accepts no new pods.',
    sign: health('node', /cordoned/),
    fix: 'Run kubectl uncordon NODE, if this is not intended.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/',
  },
  {
    id: 'labels-changed',
    cause:
      'The Node lacks labels or taints of the profile; the kubelet sets them only at first registration.',
    sign: health('node', /(label|taint) \S+ is missing/),
    fix: 'Set them with kubectl label and kubectl taint.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction',
    causedBy: ['node-cordoned'],
  },
]
