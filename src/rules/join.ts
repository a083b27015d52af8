// Joining: required fields, fields that the chosen join method does not use, and conflicts with kubeadm.
import { usedPaths } from '../cni/index.ts'
import { settingOf } from '../components/component.ts'
import { kubelet } from '../components/kubelet.ts'
import { kubeletHealthPort } from '../matrix/ports.ts'
import { bundleFolder, layout } from '../model/layout.ts'
import { defineRule, when } from '../model/rule.ts'

const bootstrap =
  'https://kubernetes.io/docs/reference/access-authn-authz/kubelet-tls-bootstrapping/'

export const caMissing = defineRule({
  id: 'join-lacks-ca',
  severity: 'error',
  summary: 'A join without kubeadm has the CA certificate.',
  remedy: 'Give join.ca.',
  see: bootstrap,
  check: ({ spec: { join } }) =>
    when(
      join.method === 'bootstrapKubeconfig' && join.ca === undefined,
      ['join', 'ca'],
      'nobody brings the CA certificate to the node, because kubeadm does not join it',
    ),
})

export const endpointAndDiscoveryFile = defineRule({
  id: 'join-discovers-twice',
  severity: 'error',
  summary: 'kubeadm finds the API server in one way.',
  remedy: 'Remove join.endpoint or join.discoveryFile.',
  see: 'https://kubernetes.io/docs/reference/config-api/kubeadm-config.v1beta4/',
  check: ({ spec: { join } }) =>
    when(
      join.method === 'kubeadm' && join.endpoint !== undefined && join.discoveryFile !== undefined,
      ['join', 'discoveryFile'],
      'kubeadm takes an endpoint or a discovery file, not both',
    ),
})

export const endpointUnchecked = defineRule({
  id: 'join-does-not-know-api-server',
  severity: 'warning',
  harm: 'limits',
  summary: 'The node can tell before it joins whether it reaches the API server.',
  remedy: 'Give join.endpoint.',
  see: bootstrap,
  check: ({ spec: { join } }) =>
    when(
      join.method === 'bootstrapKubeconfig' &&
        join.endpoint === undefined &&
        join.discoveryFile === undefined,
      ['join', 'endpoint'],
      'only the bootstrap kubeconfig names the API server, so nothing checks it before the first change',
    ),
})

export const kubeadmFieldsUnread = defineRule({
  id: 'join-fields-of-kubeadm-unread',
  severity: 'warning',
  harm: 'limits',
  summary: 'What only kubeadm reads is given to kubeadm.',
  remedy: 'Remove the field, or join with kubeadm.',
  see: bootstrap,
  check: ({ spec: { join } }) => {
    const without = join.method === 'bootstrapKubeconfig'
    return [
      ...when(
        without && join.caCertHashes.length > 0,
        ['join', 'caCertHashes'],
        'nobody reads caCertHashes, because the CA itself comes with the bundle',
      ),
      ...when(
        without && join.tokenFile !== undefined,
        ['join', 'tokenFile'],
        'nobody reads tokenFile, because the bootstrap kubeconfig holds the token',
      ),
    ]
  },
})

export const caUnread = defineRule({
  id: 'join-ca-unread',
  severity: 'warning',
  harm: 'limits',
  summary: 'The CA certificate is given where somebody reads it.',
  remedy: 'Remove join.ca: kubeadm brings the certificate, and join.caCertHashes proves it.',
  see: 'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/',
  check: ({ spec: { join } }) =>
    when(
      join.method === 'kubeadm' && join.ca !== undefined,
      ['join', 'ca'],
      'nobody reads join.ca, because kubeadm joins the node',
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
  summary: 'The bootstrap token has a file that nothing else uses.',
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
        `${tokenFile} is where the node keeps ${user ?? ''}; Join deletes the token's file`,
      ),
      ...when(
        user === undefined && !file.includes('\\', 'c:\\'.length),
        ['join', 'tokenFile'],
        `${tokenFile} lies in C:\\ itself, beside files of Windows; Join deletes the token's file`,
      ),
    ]
  },
})

export const healthPortMoved = defineRule({
  id: 'kubelet-health-port-not-kubeadms',
  severity: 'error',
  summary: 'The kubelet answers where kubeadm waits for it.',
  remedy: `Remove it, or set healthzPort to ${kubeletHealthPort} and healthzBindAddress to 127.0.0.1.`,
  see: 'https://kubernetes.io/docs/reference/setup-tools/kubeadm/kubeadm-join/',
  check: (facts) => {
    if (facts.spec.join.method !== 'kubeadm') return []
    const port = settingOf(kubelet, facts, 'healthzPort')
    const address = settingOf(kubelet, facts, 'healthzBindAddress')
    const reachable = ['127.0.0.1', '0.0.0.0', ''].some((one) => one === address.value)
    const message = `kubeadm asks http://127.0.0.1:${kubeletHealthPort}/healthz until the kubelet answers, and gives up`
    return [
      ...when(port.value !== kubeletHealthPort, port.path, message),
      ...when(!reachable, address.path, message),
    ]
  },
})
