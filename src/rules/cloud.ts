// Clouds: programs that give the kubelet pull secrets, and settings that differ by machine.
import type { Facts } from '../model/facts.ts'
import { defineRule, when } from '../model/rule.ts'

const providers = 'https://kubernetes.io/docs/tasks/administer-cluster/kubelet-credential-provider/'
const path = ['registry', 'credentialProvider'] as const

const named = ({ spec }: Facts) => spec.registry.credentialProvider?.providers ?? []

export const configuredOnce = defineRule({
  id: 'credential-provider-configured-otherwise',
  severity: 'error',
  summary: 'Credential providers are configured in one way.',
  remedy: 'Give config, or at least one of providers.',
  see: providers,
  refs: [],
  check: ({ spec }) => {
    const given = spec.registry.credentialProvider
    if (given === undefined) return []
    const listed = given.providers.length > 0
    return [
      ...when(
        listed && given.config !== undefined,
        [...path, 'config'],
        'the providers stand in a file of the node and in the profile; the kubelet reads one of them',
      ),
      ...when(
        !listed && given.config === undefined,
        path,
        'no provider is named, and no file that names one',
      ),
    ]
  },
})

export const programName = defineRule({
  id: 'credential-provider-name-lacks-exe',
  severity: 'error',
  summary: 'Kubelets before 1.30 are given the whole file name of a credential provider.',
  remedy: 'Write the name with .exe.',
  see: 'https://github.com/kubernetes/kubernetes/pull/120291',
  refs: [],
  check: (facts) =>
    named(facts).flatMap(({ name }, at) =>
      when(
        !facts.has('kubelet-credential-provider-exe') && !/\.exe$/i.test(name),
        [...path, 'providers', at, 'name'],
        `kubelet ${facts.spec.kubernetes.version} looks for a file that is called ${name}, without .exe`,
      ),
    ),
})

export const namedTwice = defineRule({
  id: 'credential-provider-named-twice',
  severity: 'error',
  summary: 'Credential providers differ in their names.',
  remedy: 'Put the patterns of both into one entry.',
  see: providers,
  refs: [],
  check: (facts) => {
    const names = named(facts).map(({ name }) => name.toLowerCase())
    return names.flatMap((name, at) =>
      when(
        names.indexOf(name) !== at,
        [...path, 'providers', at, 'name'],
        `${name} is named twice, and the kubelet would not start`,
      ),
    )
  },
})

export const dropInsTooEarly = defineRule({
  id: 'kubelet-drop-ins-too-early',
  severity: 'error',
  summary: 'The kubelet merges drop-in files into its configuration.',
  remedy: 'Use Kubernetes 1.30 or newer, or remove kubelet.dropInDirectory.',
  see: 'https://github.com/kubernetes/kubernetes/commit/ee5578be526815ab3ea63abda6cb95588c8265a3',
  refs: ['k8s-matrix/KLT033', 'k8s-matrix/KLT034'],
  check: ({ spec, has }) =>
    when(
      spec.kubelet.dropInDirectory !== undefined && !has('kubelet-drop-ins-merge'),
      ['kubelet', 'dropInDirectory'],
      has('kubelet-config-dir')
        ? `with a drop-in folder kubelet ${spec.kubernetes.version} sets everything else back to the defaults of Linux, and does not start`
        : `kubelet ${spec.kubernetes.version} does not know --config-dir and would not start`,
    ),
})
