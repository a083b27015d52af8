// Who may talk to the kubelet, and what it gives away.
import { isObject } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

const config = ['kubelet', 'config'] as const

export const anonymousAccess = defineRule({
  id: 'kubelet-api-open',
  severity: 'error',
  summary: 'The kubelet’s API asks who calls and whether they may.',
  remedy: 'Remove the field; winnode writes the safe one.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-authn-authz/',
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
        'callers with a token, such as metrics-server, would be refused',
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
  check: ({ spec }) => {
    const { tlsMinVersion } = spec.kubelet.config
    const weak = tlsMinVersion === 'VersionTLS10' || tlsMinVersion === 'VersionTLS11'
    return when(weak, [...config, 'tlsMinVersion'], `${JSON.stringify(tlsMinVersion)} is broken`)
  },
})

export const noRotation = defineRule({
  id: 'kubelet-certificate-not-rotated',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The kubelet renews its client certificate.',
  remedy: 'Remove rotateCertificates; winnode turns it on.',
  see: 'https://kubernetes.io/docs/tasks/tls/certificate-rotation/',
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
  harm: 'exposes',
  summary: 'Somebody approves the kubelet’s serving certificates.',
  remedy:
    'Run an approver in the cluster and name it in kubelet.servingCertificateApprover. Until then logs and exec work, and metrics need --kubelet-insecure-tls.',
  see: 'https://kubernetes.io/docs/tasks/administer-cluster/kubeadm/kubeadm-certs/#kubelet-serving-certs',
  check: ({ spec }) =>
    when(
      spec.kubelet.servingCertificateApprover === undefined &&
        spec.kubelet.config['tlsCertFile'] === undefined,
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
  check: ({ spec }) =>
    (['staticPodPath', 'staticPodURL'] as const).flatMap((field) => {
      const value = spec.kubelet.config[field]
      return when(
        value !== undefined && value !== '',
        [...config, field],
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
  check: ({ spec }) =>
    when(
      spec.kubelet.config['imagePullCredentialsVerificationPolicy'] === 'NeverVerify',
      [...config, 'imagePullCredentialsVerificationPolicy'],
      'every pod may use a private image that another one has pulled',
    ),
})
