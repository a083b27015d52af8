// What a profile may say of the kubelet beyond what winnode writes.
import { evictionSignals, findEvictionSignal } from '../matrix/eviction-signals.ts'
import { mayLabelItself } from '../matrix/node-labels.ts'
import { inRange } from '../matrix/version.ts'
import { isObject } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'
const config = ['kubelet', 'config'] as const

export const enforcedOnWindows = defineRule({
  id: 'kubelet-enforces-reservations',
  severity: 'error',
  summary: 'A Windows kubelet enforces no reservation.',
  remedy: 'Remove cgroupsPerQOS and enforceNodeAllocatable; winnode writes what works.',
  see: 'https://github.com/kubernetes/kubernetes/pull/123137',
  refs: [
    'k8s-matrix/KLT001',
    'k8s-matrix/KLT002',
    'k8s-matrix/KLT003',
    'sizing/SIZ001',
    'sizing/SIZ002',
    'sizing/SIZ003',
    'sizing/SIZ004',
  ],
  check: ({ spec }) => {
    const { cgroupsPerQOS, enforceNodeAllocatable } = spec.kubelet.config
    const listed = Array.isArray(enforceNodeAllocatable) && enforceNodeAllocatable.length > 0
    return [
      ...when(
        cgroupsPerQOS !== undefined && cgroupsPerQOS !== false,
        [...config, 'cgroupsPerQOS'],
        'cgroupsPerQOS must be false: Windows has no cgroups',
      ),
      ...when(
        listed,
        [...config, 'enforceNodeAllocatable'],
        'enforceNodeAllocatable must be empty: older kubelets stop at any entry, none included',
      ),
    ]
  },
})

export const resolvConf = defineRule({
  id: 'kubelet-resolv-conf',
  severity: 'error',
  summary: 'resolvConf is empty, or Host where the kubelet knows it.',
  remedy: 'Remove resolvConf; winnode writes the empty one.',
  see: reference,
  refs: ['k8s-matrix/KLT005', 'k8s-matrix/KLT006'],
  check: ({ spec }) => {
    const { resolvConf: value } = spec.kubelet.config
    const known =
      value === undefined ||
      value === '' ||
      (value === 'Host' && inRange(spec.kubernetes.version, '>=1.27'))
    return when(
      !known,
      [...config, 'resolvConf'],
      `resolvConf ${JSON.stringify(value)} is no file on Windows; pods would have no DNS`,
    )
  },
})

const neverOnWindows: Readonly<Record<string, string>> = {
  singleProcessOOMKill: '>=1.32',
  userNamespaces: '>=1.33',
}

export const fatalOnWindows = defineRule({
  id: 'kubelet-field-fatal-on-windows',
  severity: 'error',
  summary: 'Fields that stop a Windows kubelet are absent.',
  remedy: 'Remove the field.',
  see: reference,
  refs: ['k8s-matrix/KLT008', 'k8s-matrix/KLT009'],
  check: ({ spec }) =>
    Object.entries(neverOnWindows).flatMap(([field, range]) =>
      when(
        spec.kubelet.config[field] !== undefined && inRange(spec.kubernetes.version, range),
        [...config, field],
        `${field} stops a Windows kubelet of ${spec.kubernetes.version}`,
      ),
    ),
})

export const anonymousAccess = defineRule({
  id: 'kubelet-api-open',
  severity: 'error',
  summary: 'The kubelet’s API asks who calls and whether they may.',
  remedy: 'Remove the field; winnode writes the safe one.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/',
  refs: ['sizing/HRD001', 'sizing/HRD002', 'sizing/HRD003', 'sizing/HRD004'],
  check: ({ spec }) => {
    const { authentication, authorization, readOnlyPort } = spec.kubelet.config
    const anonymous =
      isObject(authentication) && isObject(authentication['anonymous'])
        ? authentication['anonymous']['enabled']
        : undefined
    const webhook =
      isObject(authentication) && isObject(authentication['webhook'])
        ? authentication['webhook']['enabled']
        : undefined
    const mode = isObject(authorization) ? authorization['mode'] : undefined
    return [
      ...when(
        anonymous === true,
        [...config, 'authentication', 'anonymous', 'enabled'],
        'anonymous requests would be answered',
      ),
      ...when(
        webhook === false,
        [...config, 'authentication', 'webhook', 'enabled'],
        'the API server could not be told apart from others',
      ),
      ...when(
        mode === 'AlwaysAllow',
        [...config, 'authorization', 'mode'],
        'AlwaysAllow lets every certificate run commands in pods',
      ),
      ...when(
        readOnlyPort !== undefined && readOnlyPort !== 0,
        [...config, 'readOnlyPort'],
        `port ${JSON.stringify(readOnlyPort)} would serve without authentication; it must be 0`,
      ),
    ]
  },
})

export const weakTls = defineRule({
  id: 'kubelet-tls-too-old',
  severity: 'error',
  summary: 'The kubelet speaks TLS 1.2 or newer.',
  remedy: 'Use VersionTLS12 or VersionTLS13.',
  see: 'https://www.cisecurity.org/benchmark/kubernetes',
  refs: ['sizing/HRD008'],
  check: ({ spec }) => {
    const { tlsMinVersion } = spec.kubelet.config
    const weak = tlsMinVersion === 'VersionTLS10' || tlsMinVersion === 'VersionTLS11'
    return when(weak, [...config, 'tlsMinVersion'], `${String(tlsMinVersion)} is broken`)
  },
})

export const noRotation = defineRule({
  id: 'kubelet-certificate-not-rotated',
  severity: 'warning',
  summary: 'The kubelet renews its client certificate.',
  remedy: 'Remove rotateCertificates; winnode turns it on.',
  see: 'https://kubernetes.io/docs/tasks/tls/certificate-rotation/',
  refs: ['sizing/HRD005'],
  check: ({ spec }) =>
    when(
      spec.kubelet.config['rotateCertificates'] === false,
      [...config, 'rotateCertificates'],
      'the node drops out when its certificate ends',
    ),
})

export const servingCertificate = defineRule({
  id: 'kubelet-serves-self-signed',
  severity: 'warning',
  summary: 'Somebody approves the kubelet’s serving certificates.',
  remedy:
    'Run an approver in the cluster and name it in kubelet.servingCertificateApprover. Until then logs and exec work, and metrics need --kubelet-insecure-tls.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/#kubelet-serving-certs',
  refs: ['sizing/HRD006', 'sizing/HRD007', 'k8s-matrix/KLT012'],
  check: ({ spec }) =>
    when(
      spec.kubelet.servingCertificateApprover === undefined &&
        spec.kubelet.config['tlsCertFile'] === undefined,
      ['kubelet', 'servingCertificateApprover'],
      'the kubelet serves a self-signed certificate, because nobody is named who approves another',
    ),
})

export const labelRefused = defineRule({
  id: 'kubelet-may-not-set-label',
  severity: 'error',
  summary: 'The kubelet may give its node these labels.',
  remedy: 'Set the label with kubectl after the node has joined, or use a namespace of your own.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction',
  refs: ['k8s-matrix/KLT037'],
  check: ({ spec }) =>
    Object.keys(spec.kubelet.labels).flatMap((key) =>
      mayLabelItself(key)
        ? []
        : [
            {
              path: ['kubelet', 'labels', key],
              at: 'key' as const,
              message: `the kubelet may not set ${key} and ends at its start`,
            },
          ],
    ),
})

export const deadSignal = defineRule({
  id: 'eviction-signal-dead-on-windows',
  severity: 'warning',
  summary: 'Eviction signals are ones that a Windows kubelet observes.',
  remedy: 'Use memory.available and nodefs.available only.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/#eviction-signals',
  refs: ['k8s-matrix/KLT021', 'sizing/SIZ012', 'sizing/SIZ013'],
  check: ({ spec }) =>
    Object.keys(spec.reserve.evictionHard).flatMap((signal) => {
      const row = findEvictionSignal(signal)
      return when(
        row !== undefined && row.acts === undefined,
        ['reserve', 'evictionHard', signal],
        `${signal} does nothing on Windows: ${row?.why ?? ''}`,
      )
    }),
})

export const unknownSignal = defineRule({
  id: 'eviction-signal-unknown',
  severity: 'error',
  summary: 'Eviction signals are ones that the kubelet knows.',
  remedy: `Use ${evictionSignals
    .filter((row) => row.acts)
    .map((row) => row.signal)
    .join(' or ')}.`,
  see: reference,
  refs: [],
  check: ({ spec }) =>
    Object.keys(spec.reserve.evictionHard).flatMap((signal) =>
      when(
        findEvictionSignal(signal) === undefined,
        ['reserve', 'evictionHard', signal],
        `${signal} is no eviction signal; the kubelet would not start`,
      ),
    ),
})

export const memorySignalMissing = defineRule({
  id: 'memory-eviction-off',
  severity: 'warning',
  summary: 'The kubelet evicts before memory runs out.',
  remedy: 'Name memory.available in reserve.evictionHard.',
  see: 'https://kubernetes.io/docs/concepts/scheduling-eviction/node-pressure-eviction/',
  refs: ['sizing/SIZ011'],
  check: ({ spec }) => {
    const named = Object.keys(spec.reserve.evictionHard)
    const merged = spec.kubelet.config['mergeDefaultEvictionSettings'] === true
    return when(
      named.length > 0 && !named.includes('memory.available') && !merged,
      ['reserve', 'evictionHard'],
      'memory.available is not named, which turns it off',
    )
  },
})

export const smallMemorySignal = defineRule({
  id: 'memory-eviction-late',
  severity: 'warning',
  summary: 'The memory threshold is at least the Windows default of 500Mi.',
  remedy: 'Use 500Mi or more.',
  see: 'https://github.com/kubernetes/kubernetes/pull/122922',
  refs: ['k8s-matrix/KLT022', 'sizing/SIZ015'],
  check: ({ spec, reservations }) =>
    when(
      'memory.available' in spec.reserve.evictionHard && reservations.eviction.memory < 500,
      ['reserve', 'evictionHard', 'memory.available'],
      `${spec.reserve.evictionHard['memory.available']} is below the Windows default of 500Mi`,
    ),
})

export const memorySignalIgnored = defineRule({
  id: 'memory-eviction-not-acted-on',
  severity: 'info',
  summary: 'The kubelet acts on memory pressure.',
  remedy: 'Use Kubernetes 1.31 or newer, or set memory limits.',
  see: 'https://github.com/kubernetes/kubernetes/pull/122922',
  refs: ['sizing/SIZ010'],
  check: ({ spec }) =>
    when(
      inRange(spec.kubernetes.version, '<1.31') && 'memory.available' in spec.reserve.evictionHard,
      ['reserve', 'evictionHard', 'memory.available'],
      `kubelet ${spec.kubernetes.version} on Windows subtracts memory.available but never evicts for it`,
    ),
})

export const shutdownWithoutEffect = defineRule({
  id: 'shutdown-grace-without-effect',
  severity: 'warning',
  summary: 'The kubelet honours a shutdown grace period.',
  remedy: 'Use Kubernetes 1.34 or newer, or 1.32 with the gate WindowsGracefulNodeShutdown.',
  see: 'https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/4802-windows-node-shutdown',
  refs: ['k8s-matrix/KLT015', 'k8s-matrix/KLT016'],
  check: ({ spec }) => {
    const { shutdownGracePeriod, featureGates } = spec.kubelet
    const { version } = spec.kubernetes
    const works =
      inRange(version, '>=1.34') ||
      (inRange(version, '>=1.32') && featureGates['WindowsGracefulNodeShutdown'] === true)
    return when(
      shutdownGracePeriod !== undefined && !works,
      ['kubelet', 'shutdownGracePeriod'],
      `kubelet ${version} does not wait for pods when Windows shuts down`,
    )
  },
})

export const lowPriority = defineRule({
  id: 'kubelet-priority-low',
  severity: 'warning',
  summary: 'The kubelet runs above normal priority, and below real time.',
  remedy: 'Use ABOVE_NORMAL_PRIORITY_CLASS.',
  see: 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/',
  refs: ['sizing/SIZ018', 'sizing/SIZ020'],
  check: ({ spec: { kubelet } }) => {
    const fine = ['ABOVE_NORMAL_PRIORITY_CLASS', 'HIGH_PRIORITY_CLASS'].includes(
      kubelet.priorityClass,
    )
    const why = kubelet.priorityClass.startsWith('REALTIME')
      ? 'starves Windows'
      : 'lets busy pods starve the kubelet'
    return when(!fine, ['kubelet', 'priorityClass'], `${kubelet.priorityClass} ${why}`)
  },
})

export const secretsInLog = defineRule({
  id: 'log-level-shows-tokens',
  severity: 'error',
  summary: 'Log levels stay below 9, where tokens can appear.',
  remedy: 'Use 4 or less.',
  see: 'https://github.com/kubernetes/kubernetes/issues/95623',
  refs: ['sizing/HRD018'],
  check: ({ spec }) => [
    ...when(
      spec.kubelet.verbosity >= 9,
      ['kubelet', 'verbosity'],
      `level ${spec.kubelet.verbosity} can write tokens to the kubelet’s log`,
    ),
    ...when(
      spec.kubeProxy.verbosity >= 9,
      ['kubeProxy', 'verbosity'],
      `level ${spec.kubeProxy.verbosity} can write tokens to the log of kube-proxy`,
    ),
  ],
})

export const unboundedEvents = defineRule({
  id: 'kubelet-events-unbounded',
  severity: 'warning',
  summary: 'The kubelet limits the events that it records.',
  remedy: 'Use 5 or more.',
  see: reference,
  refs: ['k8s-matrix/KLT025', 'sizing/HRD012'],
  check: ({ spec }) =>
    when(
      spec.kubelet.config['eventRecordQPS'] === 0,
      [...config, 'eventRecordQPS'],
      'eventRecordQPS 0 means unlimited from 1.37 on',
    ),
})

export const collectsTooLate = defineRule({
  id: 'image-collection-thresholds',
  severity: 'error',
  summary: 'Image collection stops below where it starts.',
  remedy: 'Use 80 and 85.',
  see: reference,
  refs: ['sizing/SIZ030'],
  check: ({ spec: { kubelet } }) => {
    const { imageGCLowThresholdPercent: low, imageGCHighThresholdPercent: high } = kubelet.config
    const wrong = (typeof low === 'number' ? low : 80) >= (typeof high === 'number' ? high : 85)
    return when(
      wrong,
      [...config, 'imageGCLowThresholdPercent'],
      'the low threshold must be below the high one',
    )
  },
})

export const logQuery = defineRule({
  id: 'kubelet-log-query-on',
  severity: 'warning',
  summary: 'The kubelet does not run log queries on the host.',
  remedy: 'Remove enableSystemLogQuery.',
  see: 'https://github.com/kubernetes/kubernetes/issues/129654',
  refs: ['sizing/HRD015', 'k8s-matrix/KLT013'],
  check: ({ spec }) =>
    when(
      spec.kubelet.config['enableSystemLogQuery'] === true,
      [...config, 'enableSystemLogQuery'],
      'log queries run PowerShell on the host',
    ),
})
