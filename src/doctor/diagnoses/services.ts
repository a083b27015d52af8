// Diagnoses of Windows services: missing, disabled or stopped ones, and why they stop.
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
    cause: 'A service is disabled, so that neither Windows nor the loop starts it.',
    sign: service(/^/, /^(?!absent)/, /^4$/),
    fix: 'Run Install-WinNode.ps1, which gives it its way to start; on a member Join-WinNode.ps1 does the same.',
    confidence: 'sure',
    severity: 'error',
    see: change,
  },
  {
    id: 'service-gone',
    cause: 'Somebody removed a service of the node.',
    sign: ifJoined(service(/^/, /^absent$/)),
    fix: 'Run Install-WinNode.ps1.',
    confidence: 'sure',
    severity: 'error',
    see: change,
  },
  {
    id: 'containerd-stopped',
    cause: 'containerd does not run: no container starts, and the kubelet has nobody to talk to.',
    sign: service(/^containerd$/, /^(?!Running|absent)/),
    fix: 'Start-Service containerd; where it ends again, its log and the event log say why.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/containerd/containerd/issues/9437',
    causedBy: ['service-disabled', 'containerd-configuration'],
  },
  {
    id: 'kubelet-stopped',
    cause: 'The kubelet does not run: the cluster takes the node for lost.',
    sign: service(/^kubelet$/, /^(?!Running|absent)/),
    fix: 'Start-Service kubelet; where it ends again, the last lines of its log say why.',
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
    cause: 'kube-proxy does not run: Services lead nowhere, or to pods that are gone.',
    sign: service(/^kube-proxy$/, /^(?!Running|absent)/),
    fix: 'Run Install-WinNode.ps1 -Phase boot, or wait five minutes for the loop; where it ends again, its log says why.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kube-proxy/',
    causedBy: ['service-disabled', 'hns-network-missing', 'boot-task-gone'],
  },
  {
    id: 'service-ends',
    cause: 'A service of the node ends again and again by itself.',
    // 7023, 7024: stopped with an error. 7031, 7034: terminated unexpectedly; 7031 names the recovery action.
    sign: event(
      'Service Control Manager',
      /^(7023|7024|7031|7034)$/,
      new RegExp(
        `\\b(${['kubelet', 'containerd', 'kube-proxy', ...pluginServices].join('|')})\\b`,
        'i',
      ),
    ),
    fix: 'Read the last lines of its log: they say why it ended.',
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
    cause: 'The kubelet does not find the pipe of containerd, though its service runs.',
    sign: ifUnhealthy(
      log(/pipe\/containerd-containerd: The system cannot find the file specified/, /kubelet/),
    ),
    fix: 'Restart-Service containerd -Force; where that does not help, compare its [grpc] address with containerRuntimeEndpoint of the kubelet.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/containerd/containerd/issues/9437',
    causedBy: ['containerd-stopped', 'service-disabled', 'service-gone', 'runtime-endpoint-wrong'],
  },
  {
    id: 'runtime-endpoint-wrong',
    cause:
      'The kubelet looks for its runtime where Windows has none: the endpoint is no named pipe.',
    sign: configLine(/kubelet/, /"?containerRuntimeEndpoint"?\s*:\s*"?(?!"?npipe:)[^\s"]/),
    fix: 'Set it to npipe:////./pipe/containerd-containerd: Install-WinNode.ps1 writes the file again.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/setup/production-environment/container-runtimes/',
  },
  {
    id: 'containerd-configuration',
    cause: 'containerd cannot read its config.toml.',
    sign: log(/failed to load TOML from|expected containerd config version/, /containerd/),
    fix: 'Run Install-WinNode.ps1, which writes the file again, and start the service.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://github.com/containerd/containerd/blob/main/docs/man/containerd-config.toml.5.md',
  },
  {
    id: 'boot-task-gone',
    cause: 'The task that keeps the pod network up at each start is gone or another one.',
    sign: step(/^bootTask$/),
    fix: 'Run Install-WinNode.ps1 on an image, Join-WinNode.ps1 on a member.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://learn.microsoft.com/windows/win32/taskschd/boottrigger',
  },
]
