// Values of the kubelet that contradict each other, or what its version takes.
import {
  cipherSuiteAliases,
  fixedCipherSuites,
  strongCipherSuites,
  weakCipherSuites,
} from '../matrix/cipher-suites.ts'
import { parseDuration } from '../model/duration.ts'
import { isList, valueAt, type Json } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'
const config = ['kubelet', 'config'] as const

export const shutdownGateOff = defineRule({
  id: 'shutdown-grace-gate-off',
  severity: 'error',
  summary: 'A shutdown grace period has the gate that it hangs on.',
  remedy: 'Remove the gate GracefulNodeShutdown, or the grace period.',
  see: reference,
  refs: ['k8s-matrix/KLT018'],
  check: ({ spec: { kubelet } }) =>
    when(
      kubelet.shutdownGracePeriod !== undefined &&
        kubelet.featureGates['GracefulNodeShutdown'] === false,
      ['kubelet', 'featureGates', 'GracefulNodeShutdown'],
      'the kubelet refuses a shutdown grace period without this gate',
    ),
})

export const criticalPodsLonger = defineRule({
  id: 'shutdown-grace-for-critical-pods-too-long',
  severity: 'error',
  summary: 'The grace period of critical pods is a part of the whole.',
  remedy: 'Lower shutdownGracePeriodCriticalPods, or raise shutdownGracePeriod.',
  see: reference,
  refs: ['k8s-matrix/KLT019'],
  check: ({ spec: { kubelet } }) => {
    const whole = parseDuration(kubelet.shutdownGracePeriod ?? '0s') ?? 0
    const part = parseDuration(kubelet.shutdownGracePeriodCriticalPods ?? '0s') ?? 0
    return when(
      part > whole,
      ['kubelet', 'shutdownGracePeriodCriticalPods'],
      `${kubelet.shutdownGracePeriodCriticalPods ?? ''} for critical pods are more than the ${kubelet.shutdownGracePeriod ?? '0s'} for all; the kubelet would not start`,
    )
  },
})

export const flushFrequency = defineRule({
  id: 'kubelet-log-flush-not-a-number',
  severity: 'error',
  summary: 'Kubelets before 1.28 take the flush frequency in nanoseconds.',
  remedy: 'Write a whole number of nanoseconds, such as 5000000000.',
  see: reference,
  refs: ['k8s-matrix/KLT011'],
  check: ({ spec, has }) =>
    when(
      !has('kubelet-log-flush-duration') &&
        typeof valueAt(spec.kubelet.config, ['logging', 'flushFrequency']) === 'string',
      [...config, 'logging', 'flushFrequency'],
      `kubelet ${spec.kubernetes.version} reads a number here and would not start`,
    ),
})

const suites = new Set<Json>([
  ...strongCipherSuites,
  ...cipherSuiteAliases,
  ...fixedCipherSuites,
  ...weakCipherSuites,
])

export const unknownCipherSuite = defineRule({
  id: 'kubelet-cipher-suite-unknown',
  severity: 'error',
  summary: 'Cipher suites are ones that Go knows.',
  remedy:
    'Use the names of https://pkg.go.dev/crypto/tls, such as TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256.',
  see: reference,
  refs: ['sizing/HRD010'],
  check: ({ spec }) => {
    const { tlsCipherSuites: list } = spec.kubelet.config
    if (!isList(list)) return []
    return list.flatMap((suite, at) =>
      when(
        !suites.has(suite),
        [...config, 'tlsCipherSuites', at],
        `${JSON.stringify(suite)} is no cipher suite; the kubelet would not start`,
      ),
    )
  },
})

const weak = new Set<Json>(weakCipherSuites)

export const weakCipherSuite = defineRule({
  id: 'kubelet-cipher-suite-weak',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Cipher suites have forward secrecy and authenticated encryption.',
  remedy: 'Remove the suite.',
  see: 'https://www.cisecurity.org/benchmark/kubernetes',
  refs: ['sizing/HRD009'],
  check: ({ spec }) => {
    const { tlsCipherSuites: list } = spec.kubelet.config
    if (!isList(list)) return []
    return list.flatMap((suite, at) =>
      when(
        weak.has(suite),
        [...config, 'tlsCipherSuites', at],
        `${JSON.stringify(suite)} lacks forward secrecy or authenticated encryption`,
      ),
    )
  },
})

const paths = [
  ['authentication', 'x509', 'clientCAFile'],
  ['staticPodPath'],
  ['tlsCertFile'],
  ['tlsPrivateKeyFile'],
  ['volumePluginDir'],
] as const

export const pathWithoutDrive = defineRule({
  id: 'kubelet-path-lacks-drive',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Paths name their drive.',
  remedy: 'Write it like C:\\etc\\kubernetes\\pki\\ca.crt.',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/componentconfigs/kubelet_windows.go',
  refs: ['k8s-matrix/KLT024'],
  check: ({ spec }) =>
    paths.flatMap((path) => {
      const value = valueAt(spec.kubelet.config, path)
      return when(
        typeof value === 'string' && value !== '' && !/^[A-Za-z]:[\\/]/.test(value),
        [...config, ...path],
        `${JSON.stringify(value)} names no drive, so it depends on where the kubelet was started`,
      )
    }),
})

export const approverWithoutGate = defineRule({
  id: 'kubelet-serving-rotation-gate-off',
  severity: 'error',
  summary: 'Serving certificates that somebody approves have their gate.',
  remedy: 'Remove the gate RotateKubeletServerCertificate.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/',
  refs: ['k8s-matrix/KLT012'],
  check: ({ spec: { kubelet } }) =>
    when(
      kubelet.servingCertificateApprover !== undefined &&
        kubelet.featureGates['RotateKubeletServerCertificate'] === false,
      ['kubelet', 'featureGates', 'RotateKubeletServerCertificate'],
      'the kubelet refuses serverTLSBootstrap without this gate',
    ),
})

export const unregisteredTaints = defineRule({
  id: 'kubelet-taints-without-registration',
  severity: 'warning',
  harm: 'breaks',
  summary: 'A node with taints registers itself.',
  remedy: 'Remove registerNode.',
  see: reference,
  refs: ['k8s-matrix/KLT038'],
  check: ({ spec: { kubelet } }) =>
    when(
      kubelet.config['registerNode'] === false && kubelet.taints.length > 0,
      [...config, 'registerNode'],
      'a node that somebody else registers does not get its taints',
    ),
})
