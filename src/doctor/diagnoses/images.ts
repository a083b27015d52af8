// Diagnoses of image pulls and container starts.
import type { Diagnosis } from '../../report/diagnosis.ts'
import { health, log } from '../../report/signs.ts'

const hosts = 'https://github.com/containerd/containerd/blob/main/docs/hosts.md'

export const images: readonly Diagnosis[] = [
  {
    id: 'image-of-other-windows',
    cause: 'A container or sandbox image is for another Windows build.',
    sign: log(
      /operating system (of the container )?does not match the (operating system of the )?host|0xc0370101/,
    ),
    fix: 'Use an image for this build, select nodes by node.kubernetes.io/windows-build, and check sandboxImage.',
    confidence: 'sure',
    pods: true,
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/issues/74019',
  },
  {
    id: 'image-without-windows',
    cause: 'An image has no manifest for this Windows build.',
    sign: log(/no matching manifest for windows|no match for platform in manifest/),
    fix: 'Use a tag that has one, or schedule the pod on Linux with nodeSelector kubernetes.io/os: linux.',
    confidence: 'sure',
    pods: true,
    severity: 'error',
    see: 'https://github.com/containerd/containerd/issues/6989',
  },
  {
    id: 'sandbox-image-gone',
    cause: 'The sandbox (pause) image is missing; each new pod has to pull it first.',
    sign: health('image', /containerd does not have the image/),
    fix: 'Run Install-WinNode.ps1, which pulls it.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/setup/production-environment/container-runtimes/#override-pause-image-containerd',
    causedBy: ['containerd-stopped'],
  },
  {
    id: 'registry-untrusted',
    cause: 'A registry’s certificate is signed by an unknown CA.',
    sign: log(/x509: certificate signed by unknown authority/, /containerd|kubelet/),
    fix: 'Set registry.mirrors.REGISTRY.ca to its CA; containerd does not use the Windows root certificates.',
    confidence: 'likely',
    pods: true,
    severity: 'error',
    see: hosts,
  },
  {
    id: 'registry-limits',
    cause: 'A registry rejects pulls with 429 (too many requests).',
    sign: log(/toomanyrequests|429 Too Many Requests/),
    fix: 'Pull with credentials, or through a registry mirror.',
    confidence: 'sure',
    pods: true,
    severity: 'error',
    see: hosts,
  },
  {
    id: 'container-log-grows',
    cause: 'The kubelet cannot rotate a container log, so the log keeps growing.',
    sign: log(/Failed to rotate log for container/, /kubelet/),
    fix: 'Stop readers of the log, such as kubectl logs -f, and restart the pod.',
    confidence: 'sure',
    pods: true,
    severity: 'warning',
    see: 'https://github.com/kubernetes/kubernetes/issues/124443',
  },
  {
    id: 'container-lost',
    cause: 'containerd lists a container that no longer exists in Windows.',
    sign: log(
      /A virtual machine or container with the specified identifier does not exist|\(0xc037010e\)/,
    ),
    fix: 'Remove the pod with crictl rmp --force; if it recurs, drain the node and restart containerd.',
    confidence: 'possible',
    pods: true,
    severity: 'warning',
    see: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/85',
  },
]
