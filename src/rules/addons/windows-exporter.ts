// windows_exporter: whether its pods can run, and which addresses reach its port.
import { defineRule, when } from '../../model/rule.ts'

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
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy/',
  check: ({ spec: { cluster } }) => {
    const { hostProcessNamespaces: allowed, action } = cluster.policies
    return when(
      cluster.windowsExporter.enabled &&
        action === 'Deny' &&
        allowed !== undefined &&
        !allowed.includes('kube-system'),
      ['cluster', 'policies', 'hostProcessNamespaces'],
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
