// Kubelet settings that are valid but risky: weak cipher suites, paths without a drive, taints that nothing registers.
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { cipherSuites } from '../matrix/cipher-suites.ts'
import { isList, type Json } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'

const weak = new Set<Json>(cipherSuites.weak)

export const weakCipherSuite = defineRule({
  id: 'kubelet-cipher-suite-weak',
  severity: 'warning',
  harm: 'exposes',
  summary: 'TLS cipher suites have forward secrecy and authenticated encryption.',
  remedy: 'Remove the cipher suite.',
  see: 'https://www.cisecurity.org/benchmark/kubernetes',
  check: (facts) => {
    const { value: list, path } = settingOf(kubelet, facts, 'tlsCipherSuites')
    if (!isList(list)) return []
    return list.flatMap((suite, at) =>
      when(
        weak.has(suite),
        [...path, at],
        `${JSON.stringify(suite)} lacks forward secrecy or authenticated encryption`,
      ),
    )
  },
})

const paths = [
  'authentication.x509.clientCAFile',
  'staticPodPath',
  'tlsCertFile',
  'tlsPrivateKeyFile',
  'volumePluginDir',
]

export const pathWithoutDrive = defineRule({
  id: 'kubelet-path-lacks-drive',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Paths start with a drive letter.',
  remedy: 'Write it like C:\\etc\\kubernetes\\pki\\ca.crt.',
  see: 'https://github.com/kubernetes/kubernetes/blob/master/cmd/kubeadm/app/componentconfigs/kubelet_windows.go',
  check: (facts) =>
    paths.flatMap((key) => {
      const { value, path } = settingOf(kubelet, facts, key)
      return when(
        typeof value === 'string' && value !== '' && !/^[A-Za-z]:[\\/]/.test(value),
        path,
        `${JSON.stringify(value)} has no drive letter, so it depends on the kubelet’s working directory`,
      )
    }),
})

export const unregisteredTaints = defineRule({
  id: 'kubelet-taints-without-registration',
  severity: 'warning',
  harm: 'breaks',
  summary: 'A node with taints registers itself with the API server.',
  remedy: 'Remove registerNode.',
  see: reference,
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'registerNode')
    return when(
      value === false && facts.spec.kubelet.taints.length > 0,
      path,
      'taints have no effect with registerNode false',
    )
  },
})
