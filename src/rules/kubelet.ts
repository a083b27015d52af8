// Kubelet settings on Windows: resolvConf, node labels, graceful shutdown, process priority, event rate.
import { settingOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import { labelsOfTheKubelet, mayLabelItself } from '../matrix/node-labels.ts'
import { defineRule, when } from '../model/rule.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'

export const resolvConf = defineRule({
  id: 'kubelet-resolv-conf',
  severity: 'warning',
  harm: 'breaks',
  summary: 'resolvConf is empty, or Host if the kubelet version supports it.',
  remedy: 'Remove resolvConf; winnode writes an empty value.',
  see: 'https://github.com/kubernetes/kubernetes/pull/116800',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'resolvConf')
    const known = value === '' || (value === 'Host' && facts.has('kubelet-resolv-conf-host'))
    return when(
      !known,
      path,
      `the kubelet reads ${JSON.stringify(value)} as a file; if it is missing, no pod starts`,
    )
  },
})

export const labelRefused = defineRule({
  id: 'kubelet-may-not-set-label',
  severity: 'error',
  summary: 'The kubelet may set these labels on its Node object.',
  remedy: 'Set the label with kubectl after the node has joined, or use another label prefix.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction',
  check: ({ spec }) =>
    Object.keys(spec.kubelet.labels).flatMap((key) =>
      when(
        !mayLabelItself(key),
        ['kubelet', 'labels', key],
        `the kubelet may not set the label ${key} and would not start`,
        { at: 'key' },
      ),
    ),
})

export const labelOverwritten = defineRule({
  id: 'label-is-of-the-kubelet',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Labels that the kubelet sets itself are not overridden.',
  remedy: 'Remove the label.',
  see: 'https://kubernetes.io/docs/reference/labels-annotations-taints/',
  check: ({ spec }) =>
    Object.keys(spec.kubelet.labels).flatMap((key) =>
      when(
        labelsOfTheKubelet.includes(key),
        ['kubelet', 'labels', key],
        `${key} overrides the value that the kubelet detects`,
      ),
    ),
})

export const shutdownWithoutEffect = defineRule({
  id: 'shutdown-grace-without-effect',
  severity: 'warning',
  harm: 'limits',
  summary: 'The kubelet version supports graceful node shutdown.',
  remedy:
    'Use a newer Kubernetes version, and do not set the feature gate WindowsGracefulNodeShutdown.',
  upgrades: ['kubelet'],
  see: 'https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/4802-windows-node-shutdown',
  check: ({ spec, has }) => {
    const { shutdownGracePeriod, featureGates } = spec.kubelet
    const { version } = spec.kubernetes
    const works =
      has('kubelet-graceful-shutdown') && featureGates['WindowsGracefulNodeShutdown'] !== false
    return when(
      shutdownGracePeriod !== undefined && !works,
      ['kubelet', 'shutdownGracePeriod'],
      `shutdownGracePeriod has no effect: kubelet ${version} does not wait for pods when Windows shuts down`,
    )
  },
})

export const lowPriority = defineRule({
  id: 'kubelet-priority-low',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The kubelet runs at above-normal or high process priority.',
  remedy: 'Set kubelet.priorityClass to ABOVE_NORMAL_PRIORITY_CLASS.',
  see: 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/',
  check: ({ spec }) => {
    const { priorityClass } = spec.kubelet
    const fine = ['ABOVE_NORMAL_PRIORITY_CLASS', 'HIGH_PRIORITY_CLASS'].includes(priorityClass)
    const why = priorityClass.startsWith('REALTIME')
      ? 'takes CPU time from Windows itself'
      : 'lets busy pods take CPU time from the kubelet'
    return when(!fine, ['kubelet', 'priorityClass'], `${priorityClass} ${why}`)
  },
})

export const unboundedEvents = defineRule({
  id: 'kubelet-events-unbounded',
  severity: 'warning',
  harm: 'limits',
  summary: 'The kubelet’s event rate is limited.',
  remedy: 'Set eventRecordQPS to 5 or more.',
  see: reference,
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'eventRecordQPS')
    const means = facts.has('kubelet-unlimited-events')
      ? 'eventRecordQPS 0 removes the limit'
      : 'eventRecordQPS 0 is the default, but removes the limit from 1.37 on'
    return when(value === 0, path, means)
  },
})
