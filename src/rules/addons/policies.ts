// Admission policies: what the API server supports, and the pods that they would stop.
import { networkPods } from '../../cni/kube-proxy.ts'
import { defineRule, when } from '../../model/rule.ts'

const policies = ['cluster', 'policies']
const reference =
  'https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/'

export const policiesUnsupported = defineRule({
  id: 'admission-policies-unsupported',
  severity: 'error',
  summary: 'The API server has the policies of cluster.policies.',
  remedy: 'Remove cluster.policies, or upgrade the control plane first.',
  see: reference,
  check: ({ spec, has }) => {
    const { nodeSelector, hostProcessNamespaces } = spec.cluster.policies
    const lacks = !has('apiserver-admission-policies')
    const { apiServer } = spec.kubernetes
    const message = `API server ${apiServer} has no ValidatingAdmissionPolicy in admissionregistration.k8s.io/v1, so the manifest is rejected`
    return [
      ...when(lacks && nodeSelector, [...policies, 'nodeSelector'], message),
      ...when(
        lacks && hostProcessNamespaces !== undefined,
        [...policies, 'hostProcessNamespaces'],
        message,
      ),
    ]
  },
})

export const policyStopsPlugin = defineRule({
  id: 'host-process-policy-stops-network',
  severity: 'error',
  summary:
    'The HostProcess pods of the network plugin and of kube-proxy are in namespaces that may run them.',
  remedy: 'Add the namespace to cluster.policies.hostProcessNamespaces.',
  see: reference,
  check: ({ spec }) => {
    const { hostProcessNamespaces: allowed, action } = spec.cluster.policies
    if (allowed === undefined || action !== 'Deny') return []
    const missing = networkPods(spec).filter(({ namespace }) => !allowed.includes(namespace))
    return when(
      missing.length > 0,
      [...policies, 'hostProcessNamespaces'],
      `the policy would reject the pods of ${missing.map(({ namespace, name }) => `${namespace}/${name}`).join(' and ')}, so the pod network does not work`,
    )
  },
})
