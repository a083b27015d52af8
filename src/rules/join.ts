// Joining: required fields, fields that the chosen join method does not use, and conflicts with kubeadm.
import { usedPaths } from '../cni/index.ts'
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { kubeletHealthPort } from '../matrix/ports.ts'
import { bundleFolder, layout } from '../model/layout.ts'
import { defineRule, when } from '../model/rule.ts'

const bootstrap =
  'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/'

export const caMissing = defineRule({
  id: 'join-lacks-ca',
  severity: 'error',
  summary: 'join.ca is set when the node joins without kubeadm.',
  remedy: 'Set join.ca to the cluster’s CA certificate.',
  see: bootstrap,
  check: ({ spec: { join } }) =>
    when(
      join.method === 'bootstrapKubeconfig' && join.ca === undefined,
      ['join', 'ca'],
      'the node has no CA certificate: without kubeadm, the bundle must contain it',
    ),
})

export const endpointAndDiscoveryFile = defineRule({
  id: 'join-discovers-twice',
  severity: 'error',
  summary: 'Only one of join.endpoint and join.discoveryFile is set.',
  remedy: 'Remove join.endpoint or join.discoveryFile.',
  see: 'https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/',
  check: ({ spec: { join } }) =>
    when(
      join.method === 'kubeadm' && join.endpoint !== undefined && join.discoveryFile !== undefined,
      ['join', 'discoveryFile'],
      'join.endpoint and join.discoveryFile are both set; kubeadm accepts only one',
    ),
})

export const endpointUnchecked = defineRule({
  id: 'join-does-not-know-api-server',
  severity: 'warning',
  harm: 'limits',
  summary: 'The node can check before it joins that the API server is reachable.',
  remedy: 'Set join.endpoint.',
  see: bootstrap,
  check: ({ spec: { join } }) =>
    when(
      join.method === 'bootstrapKubeconfig' &&
        join.endpoint === undefined &&
        join.discoveryFile === undefined,
      ['join', 'endpoint'],
      'the API server address is only in the bootstrap kubeconfig, so preflight cannot check that it is reachable',
    ),
})

export const kubeadmFieldsUnread = defineRule({
  id: 'join-fields-of-kubeadm-unread',
  severity: 'warning',
  harm: 'limits',
  summary: 'Settings that only kubeadm reads are not set for other join methods.',
  remedy: 'Remove the field, or join with kubeadm.',
  see: bootstrap,
  check: ({ spec: { join } }) => {
    const without = join.method === 'bootstrapKubeconfig'
    return [
      ...when(
        without && join.caCertHashes.length > 0,
        ['join', 'caCertHashes'],
        'join.caCertHashes has no effect without kubeadm: the bundle contains the CA certificate',
      ),
      ...when(
        without && join.tokenFile !== undefined,
        ['join', 'tokenFile'],
        'join.tokenFile has no effect without kubeadm: the bootstrap kubeconfig holds the token',
      ),
    ]
  },
})

export const caUnread = defineRule({
  id: 'join-ca-unread',
  severity: 'warning',
  harm: 'limits',
  summary: 'join.ca is not set when kubeadm joins the node.',
  remedy:
    'Remove join.ca: kubeadm downloads the CA certificate and verifies it with join.caCertHashes.',
  see: 'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/',
  check: ({ spec: { join } }) =>
    when(
      join.method === 'kubeadm' && join.ca !== undefined,
      ['join', 'ca'],
      'join.ca has no effect with kubeadm',
    ),
})

/** Every string of the profile that is an absolute Windows path. */
function pathsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^[A-Za-z]:[\\/]/.test(value) ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(pathsIn) : []
}

/** Windows paths ignore case and accept both slashes. */
const comparable = (path: string): string => path.replaceAll('/', '\\').toLowerCase()

export const tokenFileInUse = defineRule({
  id: 'token-file-in-use',
  severity: 'error',
  summary: 'No other component uses the token file.',
  remedy: 'Set join.tokenFile to a file such as C:\\etc\\kubernetes\\bootstrap-token.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/bootstrap-tokens/',
  check: ({ spec }) => {
    const { tokenFile, ...join } = spec.join
    if (join.method !== 'kubeadm' || tokenFile === undefined) return []
    const file = comparable(tokenFile)
    const known = [...usedPaths, bundleFolder, ...pathsIn({ ...spec, join })]
    // The only folder of the node where users put files too, so a token file inside it is allowed.
    const shared = comparable(layout.kubernetes)
    const user = known.find((path) => {
      const other = comparable(path)
      const inside = other !== shared && file.startsWith(`${other}\\`)
      return file === other || inside || other.startsWith(`${file}\\`)
    })
    return [
      ...when(
        user !== undefined,
        ['join', 'tokenFile'],
        `${tokenFile} conflicts with ${user ?? ''} on the node; Join deletes the token file`,
      ),
      ...when(
        user === undefined && !file.includes('\\', 'c:\\'.length),
        ['join', 'tokenFile'],
        `${tokenFile} is directly in C:\\, beside files of Windows; Join deletes the token file`,
      ),
    ]
  },
})

export const healthPortMoved = defineRule({
  id: 'kubelet-health-port-not-kubeadms',
  severity: 'error',
  summary: 'The kubelet serves healthz at the address that kubeadm polls.',
  remedy: `Remove the setting, or use healthzPort ${kubeletHealthPort} and healthzBindAddress 127.0.0.1.`,
  see: 'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/',
  check: (facts) => {
    if (facts.spec.join.method !== 'kubeadm') return []
    const port = settingOf(kubelet, facts, 'healthzPort')
    const address = settingOf(kubelet, facts, 'healthzBindAddress')
    // [::] takes IPv4 too: favoriteAddrFamily in net/ipsock_posix.go of Go, IPV6_V6ONLY=0, also on Windows.
    const reachable = ['127.0.0.1', '0.0.0.0', '::', ''].some((one) => one === address.value)
    const message = `kubeadm polls http://127.0.0.1:${kubeletHealthPort}/healthz and would time out`
    return [
      ...when(port.value !== kubeletHealthPort, port.path, message),
      ...when(!reachable, address.path, message),
    ]
  },
})
