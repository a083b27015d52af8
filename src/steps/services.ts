// Windows services of the node: command lines, start types, recovery and log rotation.
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import type { Facts } from '../model/facts.ts'
import { layout } from '../model/layout.ts'
import { inPhase, type DraftStep } from '../model/plan.ts'
import type { Argument } from '../model/step.ts'
import { kubeletArguments } from './kubelet-arguments.ts'
import { noProxyOf } from './no-proxy.ts'

const recovery = { restartDelays: [5_000, 10_000, 60_000], resetAfter: 900 }

export function containerdSteps(facts: Facts): readonly DraftStep[] {
  const { spec } = facts
  const log = `${layout.logs}\\containerd\\containerd.log`
  return inPhase('image', [
    {
      kind: 'service',
      id: 'service-containerd',
      after: ['archive-containerd', 'file-containerd-config', ...features(facts)],
      name: 'containerd',
      displayName: 'containerd',
      description: 'Container runtime of Kubernetes, managed by winnode.',
      scm: 'native',
      command: [
        { text: `${layout.containerd}\\bin\\containerd.exe` },
        { text: '--config' },
        { text: `${layout.containerd}\\config.toml` },
        { text: '--log-file' },
        { text: log },
        { text: '--run-service' },
      ],
      start: 'auto',
      dependsOn: [],
      environment: [...proxyEnvironment(facts), ...crashEnvironment(facts)],
      ...recovery,
    },
    {
      kind: 'logRotation',
      id: 'log-containerd',
      after: ['directory-containerd-log'],
      path: log,
      maxSizeMiB: spec.services.logMaxSizeMiB,
      maxFiles: spec.services.logMaxFiles,
    },
    {
      kind: 'serviceRunning',
      id: 'running-containerd',
      after: ['service-containerd'],
      name: 'containerd',
      timeout: 60,
    },
    {
      kind: 'imagePull',
      id: 'image-sandbox',
      after: ['running-containerd', 'archive-crictl', 'file-crictl-config'],
      image: spec.sandboxImage,
      crictl: `${layout.programs}\\crictl.exe`,
    },
  ])
}

const features = ({ spec }: Facts) =>
  spec.host.features.map((name) => `feature-${name.toLowerCase()}`)

/** Only containerd gets the proxy: a machine-wide one would also apply to the kubelet's API traffic. */
function proxyEnvironment({ spec }: Facts) {
  const { proxy } = spec.host
  if (!proxy) return []
  return [
    { name: 'HTTP_PROXY', value: { text: proxy.url } },
    { name: 'HTTPS_PROXY', value: { text: proxy.url } },
    { name: 'NO_PROXY', value: { text: noProxyOf(spec).join(',') } },
  ]
}

const crashEnvironment = ({ spec }: Facts) =>
  spec.host.processDumps === undefined ? [] : [{ name: 'GOTRACEBACK', value: { text: 'wer' } }]

/** kubelet and kube-proxy log to stderr only, so kube-log-runner writes their output to a file. */
function underLogRunner(facts: Facts, name: string): readonly Argument[] {
  const { services } = facts.spec
  const rotation = facts.has('log-runner-rotates')
    ? [
        { text: `-log-file-size=${services.logMaxSizeMiB}Mi` },
        { text: `-log-file-age=${24 * services.logMaxAgeDays}h` },
      ]
    : []
  return [
    { text: `${layout.programs}\\kube-log-runner.exe` },
    { text: `-log-file=${layout.logs}\\${name}\\${name}.log` },
    ...rotation,
    { text: `${layout.programs}\\${name}.exe` },
  ]
}

export function kubeletSteps(facts: Facts): readonly DraftStep[] {
  return inPhase('beforeJoin', [
    {
      kind: 'service',
      id: 'service-kubelet',
      after: ['service-containerd', 'download-kubelet', 'download-kube-log-runner'],
      name: 'kubelet',
      displayName: 'kubelet',
      description: 'Node agent of Kubernetes, managed by winnode.',
      scm: 'native',
      command: [...underLogRunner(facts, 'kubelet'), ...kubeletArguments(facts)],
      // kubeadm's preflight expects the service to exist and not to be disabled; the join sets it to automatic.
      start: 'demand',
      dependsOn: ['containerd'],
      environment: crashEnvironment(facts),
      ...rotatedLog(facts, 'kubelet'),
      ...recovery,
    },
    ...rotationStep(facts, 'kubelet'),
  ])
}

export function kubeProxySteps(facts: Facts): readonly DraftStep[] {
  const { spec } = facts
  if (kubeProxyRuns(spec) !== 'service') return []
  return inPhase('beforeJoin', [
    {
      kind: 'service',
      id: 'service-kube-proxy',
      after: ['download-kube-proxy', 'download-kube-log-runner'],
      name: 'kube-proxy',
      displayName: 'kube-proxy',
      description: 'Services of Kubernetes, managed by winnode.',
      scm: 'native',
      command: [
        ...underLogRunner(facts, 'kube-proxy'),
        { text: `--config=${layout.kubeProxy}\\config.json` },
        { text: '--hostname-override=', fact: 'nodeName' },
        { text: '--windows-service' },
        { text: `--v=${spec.kubeProxy.verbosity}` },
      ],
      // The boot task starts it, after the HNS network and the configuration file exist.
      start: 'demand',
      dependsOn: [],
      environment: crashEnvironment(facts),
      ...rotatedLog(facts, 'kube-proxy'),
      ...recovery,
    },
    ...rotationStep(facts, 'kube-proxy'),
  ])
}

/**
 * kube-log-runner deletes rotated files by age only, so a crash loop could fill the disk. winnode also limits their
 * number.
 * https://github.com/kubernetes/kubernetes/blob/master/staging/src/k8s.io/component-base/logs/kube-log-runner/internal/logrotation/logrotation.go
 */
function rotatedLog(facts: Facts, name: string) {
  if (!facts.has('log-runner-rotates')) return {}
  return { log: logOf(facts, name) }
}

const logOf = ({ spec: { services } }: Facts, name: string) => ({
  path: `${layout.logs}\\${name}\\${name}.log`,
  maxSizeMiB: services.logMaxSizeMiB,
  maxFiles: services.logMaxFiles,
})

function rotationStep(facts: Facts, name: string) {
  if (facts.has('log-runner-rotates')) return []
  return [
    {
      kind: 'logRotation' as const,
      id: `log-${name}`,
      after: [`directory-${name}-log`],
      ...logOf(facts, name),
    },
  ]
}
