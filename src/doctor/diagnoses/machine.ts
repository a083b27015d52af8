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
      'A drive is nearly full, most often of images and snapshots: the kubelet evicts pods, and takes none.',
    sign: withDetails(
      anyOf(
        health('disk', /GiB of .* free/),
        driveNearlyFull(0.1),
        health('node', /^DiskPressure/),
        log(/There is not enough space on the disk|\(0x70\)/),
      ),
      storageUse,
    ),
    fix: 'crictl rmi --prune removes images that nobody uses; look at logs and dumps; enlarge the drive.',
    confidence: 'sure',
    severity: 'error',
    see: pressure,
  },
  {
    id: 'drive-missing',
    cause: 'The drive of images is not there, or is none that containerd can use.',
    sign: anyOf(preflight(/^data-disk$/), health('disk', /^there is no drive/)),
    fix: 'Attach the disk under its letter, and format it with NTFS.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/windows/win32/cimwin32prov/win32-logicaldisk',
  },
  {
    id: 'memory-short',
    cause: 'The machine runs out of memory: the kubelet evicts pods.',
    sign: anyOf(
      health('node', /(^|; )MemoryPressure/),
      memoryLow,
      log(/The paging file is too small for this operation to complete|\(0x5af\)/),
    ),
    fix: 'Give pods limits, and the machine a page file as large as the profile says; sizing says what pods may have.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/Azure/AKS/issues/1941',
  },
  {
    id: 'runtime-stalled',
    cause: 'containerd answers too late, so that the Node is not Ready.',
    sign: anyOf(
      health('node', /PLEG is not healthy/),
      log(/PLEG is not healthy: pleg was last seen active/),
    ),
    fix: 'Look for pods that end slowly and for a disk that is slow; drain the node, and restart containerd.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/pleg/generic.go',
    causedBy: ['containerd-stopped', 'disk-full', 'memory-short'],
  },
  {
    id: 'name-server-missing',
    cause: 'The machine has no name server: it finds neither registries nor an API server by name.',
    sign: noNameServer,
    fix: 'Set-DnsClientServerAddress gives an interface its name servers; see what DHCP hands out.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://learn.microsoft.com/powershell/module/dnsclient/set-dnsclientserveraddress',
  },
  {
    id: 'clock-alone',
    cause: 'Nothing sets the clock: it drifts until certificates and tokens count as expired.',
    sign: commandOutput('clock', /0x4C4F434C|Local CMOS Clock|Free-running System Clock/),
    fix: 'w32tm /query /peers says whom it asks; let it reach them, then w32tm /resync.',
    confidence: 'likely',
    severity: 'warning',
    see: 'https://learn.microsoft.com/windows-server/networking/windows-time-service/windows-time-service-tools-and-settings',
    causedBy: ['clock-off'],
  },
  {
    id: 'windows-silent',
    cause:
      'The management service of Windows (WMI) does not answer: nothing of winnode comes to an end.',
    // Not `volumes`: that query also times out if a network drive does not answer.
    sign: timedOut(/^(start of the machine|memory|page files)$/),
    fix: 'Restart-Service winmgmt -Force; where it comes back, restart the machine.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/troubleshoot/windows-server/system-management-components/scenario-guide-troubleshoot-wmi-connectivity-access-issues',
  },
  {
    id: 'older-kubelet-runs',
    cause: 'Another version of the kubelet runs than the one that is installed.',
    sign: health('node', /the kubelet that runs is/),
    fix: 'Restart-Service kubelet.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/setup/production-environment/tools/kubeadm/create-cluster-kubeadm/#version-skew-policy',
  },
  {
    id: 'cloud-has-not-found-it',
    cause: 'The controller of the cloud has not found this machine: no pod is scheduled to it.',
    sign: health('node', /the controller of the cloud has not found this machine/),
    fix: 'See that the cloud controller manager runs, and that node name and provider id are those of the cloud.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/labels-annotations-taints/',
  },
  {
    id: 'node-cordoned',
    cause: 'Somebody cordoned the node: it takes no new pods.',
    sign: health('node', /it is cordoned/),
    fix: 'kubectl uncordon NODE, where that is not meant.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/',
  },
  {
    id: 'labels-changed',
    cause:
      'The Node lacks labels or taints of the profile: they count at its first registration only.',
    sign: health('node', /it has no (label|taint)/),
    fix: 'kubectl label and kubectl taint set them.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction',
    causedBy: ['node-cordoned'],
  },
]
