// Kubelet settings that weaken authentication, TLS, certificates, secrets or admission.
import { settingOf } from '../components/component.ts'
import { kubelet } from '../components/kubelet.ts'
import type { Json } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

/** Values that weaken authentication or authorization of the kubelet's API, and the effect of each. */
const insecure: readonly (readonly [key: string, is: Json, harm: string])[] = [
  ['authentication.anonymous.enabled', true, 'anonymous requests would be answered'],
  [
    'authentication.webhook.enabled',
    false,
    'callers with a token, such as metrics-server, would be refused',
  ],
  ['authorization.mode', 'AlwaysAllow', 'AlwaysAllow lets every certificate run commands in pods'],
]

export const anonymousAccess = defineRule({
  id: 'kubelet-api-open',
  severity: 'error',
  summary: 'The kubelet’s API asks who calls and whether they may.',
  remedy: 'Remove the field; winnode writes the safe one.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/',
  check: (facts) => {
    const { value: port, path } = settingOf(kubelet, facts, 'readOnlyPort')
    return [
      ...insecure.flatMap(([key, is, harm]) => {
        const setting = settingOf(kubelet, facts, key)
        return when(setting.value === is, setting.path, harm)
      }),
      ...when(
        port !== undefined && port !== 0,
        path,
        `port ${JSON.stringify(port)} would serve without authentication; it must be 0`,
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
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'tlsMinVersion')
    const weak = value === 'VersionTLS10' || value === 'VersionTLS11'
    return when(weak, path, `${JSON.stringify(value)} is broken`)
  },
})

export const noRotation = defineRule({
  id: 'kubelet-certificate-not-rotated',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The kubelet renews its client certificate.',
  remedy: 'Remove rotateCertificates; winnode turns it on.',
  see: 'https://kubernetes.io/docs/tasks/tls/certificate-rotation/',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'rotateCertificates')
    return when(value === false, path, 'the node drops out when its certificate ends')
  },
})

export const servingCertificate = defineRule({
  id: 'kubelet-serves-self-signed',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Somebody approves the kubelet’s serving certificates.',
  remedy:
    'Run an approver in the cluster and name it in kubelet.servingCertificateApprover. Until then logs and exec work, and metrics need --kubelet-insecure-tls.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/#kubelet-serving-certs',
  check: (facts) =>
    when(
      facts.spec.kubelet.servingCertificateApprover === undefined &&
        settingOf(kubelet, facts, 'tlsCertFile').value === undefined,
      ['kubelet', 'servingCertificateApprover'],
      'the kubelet serves a self-signed certificate, because nobody is named who approves another',
    ),
})

export const secretsInLog = defineRule({
  id: 'log-level-shows-tokens',
  severity: 'error',
  summary: 'Log levels stay below 9, where tokens can appear.',
  remedy: 'Use 4 or less.',
  see: 'https://github.com/kubernetes/kubernetes/issues/95623',
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

export const staticPods = defineRule({
  id: 'kubelet-runs-static-pods',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Pods come from the API server only.',
  remedy: 'Remove staticPodPath and staticPodURL.',
  see: 'https://kubernetes.io/docs/tasks/configure-pod-container/static-pod/',
  check: (facts) =>
    ['staticPodPath', 'staticPodURL'].flatMap((field) => {
      const { value, path } = settingOf(kubelet, facts, field)
      return when(
        value !== undefined && value !== '',
        path,
        `${field} runs pods that no admission has seen`,
      )
    }),
})

export const pullSecretsShared = defineRule({
  id: 'kubelet-shares-pulled-images',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Pods use private images only with their own pull secrets.',
  remedy: 'Remove imagePullCredentialsVerificationPolicy, or use AlwaysVerify.',
  see: 'https://kubernetes.io/docs/concepts/containers/images/#ensureimagepullcredentialverification',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'imagePullCredentialsVerificationPolicy')
    return when(
      value === 'NeverVerify',
      path,
      'every pod may use a private image that another one has pulled',
    )
  },
})
