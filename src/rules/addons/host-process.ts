// Add-ons that run as HostProcess pods: the kubelet supports them, and no policy of the profile rejects them.
import { hostProcessAddOns } from '../../addons/host-process.ts'
import { defineRule, when } from '../../model/rule.ts'

export const addOnUnsupported = defineRule({
  id: 'addon-needs-host-process',
  severity: 'error',
  summary: 'The kubelet supports the HostProcess pods of add-ons.',
  remedy: 'Use a newer Kubernetes version.',
  upgrades: ['kubelet'],
  see: 'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/',
  check: ({ spec, has }) =>
    hostProcessAddOns(spec).flatMap(({ field, title }) =>
      when(
        !has('kubelet-host-process'),
        field,
        `HostProcess pods of ${title} need kubelet 1.26 or newer; the kubelet is ${spec.kubernetes.version}`,
      ),
    ),
})

export const policyStopsAddOn = defineRule({
  id: 'host-process-policy-stops-addon',
  severity: 'error',
  summary: 'The namespace of add-ons may run HostProcess pods.',
  remedy: 'Add kube-system to cluster.policies.hostProcessNamespaces.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/',
  check: ({ spec }) => {
    const { hostProcessNamespaces: allowed, action } = spec.cluster.policies
    const titles = hostProcessAddOns(spec).map(({ title }) => title)
    return when(
      titles.length > 0 &&
        action === 'Deny' &&
        allowed !== undefined &&
        !allowed.includes('kube-system'),
      ['cluster', 'policies', 'hostProcessNamespaces'],
      `the policy would reject the pods of ${titles.join(' and ')} in kube-system`,
    )
  },
})
