// Diagnoses of image pulls and container starts.
import type { Diagnosis } from '../../report/diagnosis.ts'
import { health, log } from '../../report/signs.ts'

const hosts = 'https://github.com/containerd/containerd/blob/main/docs/hosts.md'

export const images: readonly Diagnosis[] = [
  {
    id: 'image-of-other-windows',
    cause:
      'An image is made for another build of Windows than this one: of a pod, or of its sandbox.',
    sign: log(
      /operating system (of the container )?does not match the (operating system of the )?host|0xc0370101/,
    ),
    fix: 'Use an image of this build, and schedule by node.kubernetes.io/windows-build; compare sandboxImage.',
    confidence: 'sure',
    pods: true,
    severity: 'error',
    see: 'https://github.com/kubernetes/kubernetes/issues/74019',
  },
  {
    id: 'image-without-windows',
    cause: 'An image has no variant for this build of Windows.',
    sign: log(/no matching manifest for windows|no match for platform in manifest/),
    fix: 'Name a tag that has one, or let the pod run on Linux: nodeSelector kubernetes.io/os.',
    confidence: 'sure',
    pods: true,
    severity: 'error',
    see: 'https://github.com/containerd/containerd/issues/6989',
  },
  {
    id: 'sandbox-image-gone',
    cause: 'containerd lacks the image of sandboxes: each new pod needs its registry to answer.',
    sign: health('image', /containerd does not have it/),
    fix: 'Run Install-WinNode.ps1, which pulls it.',
    confidence: 'sure',
    severity: 'warning',
    see: 'https://kubernetes.io/docs/setup/production-environment/container-runtimes/#override-pause-image-containerd',
    causedBy: ['containerd-stopped'],
  },
  {
    id: 'registry-untrusted',
    cause: 'A registry shows a certificate of an authority that this machine does not know.',
    sign: log(/x509: certificate signed by unknown authority/, /containerd|kubelet/),
    fix: 'Name its CA in registry.mirrors.REGISTRY.ca; Windows’ own roots do not count for containerd.',
    confidence: 'likely',
    pods: true,
    severity: 'error',
    see: hosts,
  },
  {
    id: 'registry-limits',
    cause: 'A registry answers with 429: too many pulls.',
    sign: log(/toomanyrequests|429 Too Many Requests/),
    fix: 'Pull with credentials, or through a mirror of your own.',
    confidence: 'sure',
    pods: true,
    severity: 'error',
    see: hosts,
  },
  {
    id: 'container-log-grows',
    cause: 'The kubelet cannot rotate the log of a container, which only grows.',
    sign: log(/Failed to rotate log for container/, /kubelet/),
    fix: 'End what follows it, such as kubectl logs -f, and start the pod anew.',
    confidence: 'sure',
    pods: true,
    severity: 'warning',
    see: 'https://github.com/kubernetes/kubernetes/issues/124443',
  },
  {
    id: 'container-lost',
    cause: 'Windows no longer knows a container that containerd still lists.',
    sign: log(
      /A virtual machine or container with the specified identifier does not exist|\(0xc037010e\)/,
    ),
    fix: 'Remove the pod with crictl rmp --force; where they come back, restart containerd on a drained node.',
    confidence: 'possible',
    pods: true,
    severity: 'warning',
    see: 'https://github.com/kubernetes-sigs/sig-windows-tools/issues/85',
  },
]
