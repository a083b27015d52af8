// Kubelet settings that weaken authentication, TLS, certificates, secrets or admission.
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import type { Json } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

/** Values that weaken authentication or authorization of the kubelet's API, and the effect of each. */
const insecure: readonly (readonly [key: string, is: Json, harm: string])[] = [
  ['authentication.anonymous.enabled', true, 'anonymous requests to the kubelet would be accepted'],
  [
    'authentication.webhook.enabled',
    false,
    'clients with a token, such as metrics-server, would be rejected',
  ],
  [
    'authentication.x509.clientCAFile',
    '',
    'the API server’s client certificate would be rejected: logs, exec and metrics fail',
  ],
  [
    'authorization.mode',
    'AlwaysAllow',
    'with AlwaysAllow, every client certificate can run commands in pods',
  ],
]

export const anonymousAccess = defineRule({
  id: 'kubelet-api-open',
  severity: 'error',
  summary: 'The kubelet API authenticates and authorizes requests.',
  remedy: 'Remove the field; winnode writes the secure value.',
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
        `readOnlyPort ${JSON.stringify(port)} would serve the kubelet API without authentication; use 0`,
      ),
    ]
  },
})

export const weakTls = defineRule({
  id: 'kubelet-tls-too-old',
  severity: 'error',
  summary: 'The kubelet requires TLS 1.2 or newer.',
  remedy: 'Use VersionTLS12 or VersionTLS13.',
  see: 'https://www.cisecurity.org/benchmark/kubernetes',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'tlsMinVersion')
    const weak = value === 'VersionTLS10' || value === 'VersionTLS11'
    return when(weak, path, `tlsMinVersion ${JSON.stringify(value)} is insecure`)
  },
})

export const noRotation = defineRule({
  id: 'kubelet-certificate-not-rotated',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The kubelet rotates its client certificate.',
  remedy: 'Remove rotateCertificates; winnode enables it.',
  see: 'https://kubernetes.io/docs/tasks/tls/certificate-rotation/',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'rotateCertificates')
    return when(
      value === false,
      path,
      'the client certificate is not renewed; when it expires, the node becomes NotReady',
    )
  },
})

export const servingCertificate = defineRule({
  id: 'kubelet-serves-self-signed',
  severity: 'info',
  harm: 'exposes',
  exposure: true,
  countedAs: 'self-signed serving certificate',
  summary: 'A CSR approver signs the kubelet’s serving certificates.',
  remedy:
    'Set cluster.csrApprover.enabled, or run another CSR approver and set kubelet.servingCertificateApprover; until then metrics-server needs --kubelet-insecure-tls.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/#kubelet-serving-certs',
  check: (facts) =>
    when(
      facts.spec.kubelet.servingCertificateApprover === undefined &&
        settingOf(kubelet, facts, 'tlsCertFile').value === undefined,
      ['kubelet', 'servingCertificateApprover'],
      'the kubelet’s serving certificate is self-signed: no CSR approver is configured',
    ),
})

export const secretsInLog = defineRule({
  id: 'log-level-shows-tokens',
  severity: 'error',
  summary: 'Log verbosity is below 8 for the kubelet, and below 9 for kube-proxy.',
  remedy: 'Use verbosity 4 or less.',
  see: 'https://github.com/kubernetes/client-go/blob/master/rest/request.go',
  check: ({ spec }) => [
    // From 8 on, client-go logs the bodies of requests and answers; kube-proxy reads no Secrets.
    ...when(
      spec.kubelet.verbosity >= 8,
      ['kubelet', 'verbosity'],
      `verbosity ${spec.kubelet.verbosity} can write Secrets and tokens to the kubelet log`,
    ),
    ...when(
      spec.kubeProxy.verbosity >= 9,
      ['kubeProxy', 'verbosity'],
      `verbosity ${spec.kubeProxy.verbosity} can write tokens to the kube-proxy log`,
    ),
  ],
})

export const staticPods = defineRule({
  id: 'kubelet-runs-static-pods',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Static pods are disabled.',
  remedy: 'Remove staticPodPath and staticPodURL.',
  see: 'https://kubernetes.io/docs/tasks/configure-pod-container/static-pod/',
  check: (facts) =>
    ['staticPodPath', 'staticPodURL'].flatMap((field) => {
      const { value, path } = settingOf(kubelet, facts, field)
      return when(
        value !== undefined && value !== '',
        path,
        `${field} runs static pods, which bypass admission control`,
      )
    }),
})

export const pullSecretsShared = defineRule({
  id: 'kubelet-shares-pulled-images',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Pods need their own pull secrets for private images that are already on the node.',
  remedy: 'Remove imagePullCredentialsVerificationPolicy, or use AlwaysVerify.',
  see: 'https://kubernetes.io/docs/concepts/containers/images/#ensureimagepullcredentialverification',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'imagePullCredentialsVerificationPolicy')
    return when(
      value === 'NeverVerify',
      path,
      'with NeverVerify, any pod can use private images that another pod has pulled',
    )
  },
})
