// Diagnoses of the kubelet: rejected flags and configuration, and no answer on its ports.
import type { Diagnosis } from '../../report/diagnosis.ts'
import { allOf, anyOf, health, log, service } from '../../report/signs.ts'

export const kubelet: readonly Diagnosis[] = [
  {
    id: 'kubelet-flag-unknown',
    cause: 'The kubelet rejects its flags and exits.',
    sign: log(/failed to (parse|validate) kubelet flags?/, /kubelet/),
    fix: 'Render the bundle for the installed kubelet version, and run Install-WinNode.ps1.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/command-line-tools-reference/kubelet/',
  },
  {
    id: 'kubelet-configuration',
    cause: 'The kubelet rejects its configuration and exits.',
    sign: log(/failed to (load kubelet config file|validate kubelet configuration)/i, /kubelet/),
    fix: 'Run winnode validate on the profile, render the bundle again, and run Install-WinNode.ps1.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/blob/master/pkg/kubelet/apis/config/validation/validation.go',
  },
  {
    id: 'kubelet-socket-left',
    cause: 'kubelet 1.31.0 exits because a socket of its previous run still exists.',
    sign: log(
      /device-plugins\\+kubelet\.sock: bind: Only one usage of each socket address/,
      /kubelet/,
    ),
    fix: 'Remove C:\\var\\lib\\kubelet\\device-plugins\\kubelet.sock, and upgrade to a later patch.',
    confidence: 'sure',
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/issues/126965',
  },
  {
    id: 'kubelet-silent',
    cause: 'The kubelet runs but does not answer on its port.',
    sign: allOf(
      service(/^kubelet$/, /^Running$/),
      anyOf(health('kubelet', /healthz: (?!\d)/), health('ports', /no program listens at 10250\b/)),
    ),
    fix: 'Wait a minute after a start, then read the last lines of the kubelet log.',
    confidence: 'likely',
    severity: 'error',
    see: 'https://kubernetes.io/docs/reference/networking/ports-and-protocols/',
    causedBy: [
      'kubelet-stopped',
      'service-gone',
      'service-disabled',
      'containerd-stopped',
      'containerd-pipe-absent',
      'port-held',
      'certificate-expired',
      'certificate-early',
      'bootstrap-kubeconfig-gone',
      'request-waits',
    ],
  },
]
