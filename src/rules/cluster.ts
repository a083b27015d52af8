// Objects that a profile adds to the cluster: what the API server supports, and what they would stop.
import { cniOf } from '../cni/index.ts'
import { defineRule, when } from '../model/rule.ts'

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
  summary: 'The HostProcess pods of the network plugin are in a namespace that may run them.',
  remedy: 'Add the namespace to cluster.policies.hostProcessNamespaces.',
  see: reference,
  check: ({ spec }) => {
    const { hostProcessNamespaces: allowed, action } = spec.cluster.policies
    if (allowed === undefined || action !== 'Deny') return []
    const { title, hostProcessNamespaces: needed = [] } = cniOf(spec.network.cni)
    const missing = needed.filter((name) => !allowed.includes(name))
    return when(
      missing.length > 0,
      [...policies, 'hostProcessNamespaces'],
      `the policy would reject HostProcess pods of ${title} in ${missing.join(' and ')}, so nodes get no network`,
    )
  },
})

const hostProcessPods =
  'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/'

export const exporterUnsupported = defineRule({
  id: 'windows-exporter-needs-host-process',
  severity: 'error',
  summary: 'The kubelet supports the HostProcess pods of windows_exporter.',
  remedy: 'Use a newer Kubernetes version.',
  upgrades: ['kubelet'],
  see: hostProcessPods,
  check: ({ spec, has }) =>
    when(
      spec.cluster.windowsExporter.enabled && !has('kubelet-host-process'),
      ['cluster', 'windowsExporter', 'enabled'],
      `HostProcess pods need kubelet 1.26 or newer; the kubelet is ${spec.kubernetes.version}`,
    ),
})

export const policyStopsExporter = defineRule({
  id: 'host-process-policy-stops-exporter',
  severity: 'error',
  summary: 'The namespace of windows_exporter may run HostProcess pods.',
  remedy: 'Add kube-system to cluster.policies.hostProcessNamespaces.',
  see: reference,
  check: ({ spec: { cluster } }) => {
    const { hostProcessNamespaces: allowed, action } = cluster.policies
    return when(
      cluster.windowsExporter.enabled &&
        action === 'Deny' &&
        allowed !== undefined &&
        !allowed.includes('kube-system'),
      [...policies, 'hostProcessNamespaces'],
      'the policy would reject the pods of windows_exporter in kube-system',
    )
  },
})

export const exporterOpen = defineRule({
  id: 'metrics-port-open-to-all',
  severity: 'info',
  harm: 'exposes',
  exposure: true,
  part: 'open metrics port',
  summary: 'Only Prometheus can connect to the port of windows_exporter.',
  remedy: 'Set host.firewall.metricsFrom to the subnets of Prometheus.',
  see: 'https://github.com/prometheus-community/windows_exporter/blob/v0.31.8/README.md',
  check: ({ spec }) =>
    when(
      spec.cluster.windowsExporter.enabled && spec.host.firewall.metricsFrom.length === 0,
      ['host', 'firewall', 'metricsFrom'],
      'port 9182 is open to all addresses, without authentication',
    ),
})
