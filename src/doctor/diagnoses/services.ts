// Diagnoses of Windows services: missing, disabled or stopped, and why they stop.
import { everyCni } from '../../cni/index.ts'
import type { Diagnosis } from '../../report/diagnosis.ts'
import { event, log, service, configLine, step, ifUnhealthy, ifJoined } from '../../report/signs.ts'

const scm =
  'https://learn.microsoft.com/windows/win32/api/winsvc/ns-winsvc-service_failure_actionsw'
const change =
  'https://learn.microsoft.com/windows/win32/cimwin32prov/change-method-in-class-win32-service'

const pluginServices = everyCni.flatMap(({ flags }) => Object.keys(flags))

export const services: readonly Diagnosis[] = [
  {
    id: 'service-disabled',
    cause: 'A service is disabled; neither Windows nor the reconcile loop starts it.',
    sign: service(/^/, /^(?!absent)/, /^4$/),
    fix: 'Run Install-WinNode.ps1, or Join-WinNode.ps1 on a joined node, to restore its start type.',
    confidence: 'sure',
    severity: 'error',
    see: change,
  },
  {
    id: 'service-gone',
    cause: 'A service of the node is missing.',
    sign: ifJoined(service(/^/, /^absent$/)),
    fix: 'Run Install-WinNode.ps1.',
    confidence: 'sure',
    severity: 'error',
    see: change,
  },
  {
    id: 'containerd-stopped',
    cause: 'containerd is not running; no container starts, and the kubelet has no runtime.',
    sign: service(/^containerd$/, /^(?!Running|absent)/),
    fix: 'Run Start-Service containerd; if it stops again, read its log and the event log.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/containerd/containerd/issues/9437',
    causedBy: ['service-disabled', 'containerd-configuration'],
  },
  {
    id: 'kubelet-stopped',
    cause: 'The kubelet is not running; the Node becomes NotReady.',
    sign: service(/^kubelet$/, /^(?!Running|absent)/),
    fix: 'Run Start-Service kubelet; if it stops again, read the last lines of its log.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/',
    causedBy: [
      'service-disabled',
      'containerd-stopped',
      'kubelet-flag-unknown',
      'kubelet-configuration',
      'kubelet-socket-left',
      'bootstrap-kubeconfig-gone',
      'ca-file-gone',
      'credentials-lost',
      'credentials-broken',
      'port-reserved',
    ],
  },
  {
    id: 'kube-proxy-stopped',
    cause: 'kube-proxy is not running; Services fail or point to deleted pods.',
    sign: service(/^kube-proxy$/, /^(?!Running|absent)/),
    fix: 'Run Install-WinNode.ps1 -Phase boot, or wait 35 minutes for the reconcile loop; if it stops again, read its log.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-proxy/',
    causedBy: ['service-disabled', 'hns-network-missing', 'boot-task-gone'],
  },
  {
    id: 'service-ends',
    cause: 'A service stops repeatedly.',
    // 7023, 7024: stopped with an error. 7031, 7034: terminated unexpectedly; 7031 names the recovery action.
    sign: event(
      'Service Control Manager',
      /^(7023|7024|7031|7034)$/,
      new RegExp(
        `\\b(${['kubelet', 'containerd', 'kube-proxy', ...pluginServices].join('|')})\\b`,
        'i',
      ),
    ),
    fix: 'Read the last lines of its log.',
    confidence: 'likely',
    severity: 'error',
    see: scm,
    causedBy: [
      'containerd-stopped',
      'kubelet-flag-unknown',
      'kubelet-configuration',
      'kubelet-socket-left',
    ],
  },
  {
    id: 'containerd-pipe-absent',
    cause: 'The kubelet cannot open containerd’s named pipe, although containerd runs.',
    sign: ifUnhealthy(
      log(/pipe\/containerd-containerd: The system cannot find the file specified/, /kubelet/),
    ),
    fix: 'Run Restart-Service containerd -Force; if that does not help, compare its [grpc] address with the kubelet’s containerRuntimeEndpoint.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/containerd/containerd/issues/9437',
    causedBy: ['containerd-stopped', 'service-disabled', 'service-gone', 'runtime-endpoint-wrong'],
  },
  {
    id: 'runtime-endpoint-wrong',
    cause: 'The kubelet’s containerRuntimeEndpoint is not a named pipe, so it finds no runtime.',
    sign: configLine(/kubelet/, /"?containerRuntimeEndpoint"?\s*:\s*"?(?!"?npipe:)[^\s"]/),
    fix: 'Run Install-WinNode.ps1, which sets it to npipe:////./pipe/containerd-containerd.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/setup/production-environment/container-runtimes/',
  },
  {
    id: 'containerd-configuration',
    cause: 'containerd cannot read its config.toml.',
    sign: log(/failed to load TOML from|expected containerd config version/, /containerd/),
    fix: 'Run Install-WinNode.ps1, which rewrites the file, and start the service.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/containerd/containerd/blob/main/docs/man/containerd-config.toml.5.md',
  },
  {
    id: 'boot-task-gone',
    cause: 'The scheduled task that restores the pod network at each start is missing or changed.',
    sign: step(/^bootTask$/),
    fix: 'Run Install-WinNode.ps1 on an image, or Join-WinNode.ps1 on a joined node.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/windows/win32/taskschd/boottrigger',
  },
]
