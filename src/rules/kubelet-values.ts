// Values of the kubelet that it takes, and that are worth a second look.
import { weakCipherSuites } from '../matrix/cipher-suites.ts'
import { isList, valueAt, type Json } from '../model/json.ts'
import { defineRule, when } from '../model/rule.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'
const config = ['kubelet', 'config'] as const

const weak = new Set<Json>(weakCipherSuites)

export const weakCipherSuite = defineRule({
  id: 'kubelet-cipher-suite-weak',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Cipher suites have forward secrecy and authenticated encryption.',
  remedy: 'Remove the suite.',
  see: 'https://www.cisecurity.org/benchmark/kubernetes',
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

export const unregisteredTaints = defineRule({
  id: 'kubelet-taints-without-registration',
  severity: 'warning',
  harm: 'breaks',
  summary: 'A node with taints registers itself.',
  remedy: 'Remove registerNode.',
  see: reference,
  check: ({ spec: { kubelet } }) =>
    when(
      kubelet.config['registerNode'] === false && kubelet.taints.length > 0,
      [...config, 'registerNode'],
      'a node that somebody else registers does not get its taints',
    ),
})
