// Kubelet settings on Windows: resolvConf, node labels, graceful shutdown, process priority, event rate.
import { settingOf } from '../components/component.ts'
import { kubelet } from '../components/kubelet.ts'
import { labelsOfTheKubelet, mayLabelItself } from '../matrix/node-labels.ts'
import { defineRule, when } from '../model/rule.ts'

const reference = 'https://kubernetes.io/docs/reference/config-api/kubelet-config.v1beta1/'

export const resolvConf = defineRule({
  id: 'kubelet-resolv-conf',
  severity: 'warning',
  harm: 'breaks',
  summary: 'resolvConf is empty, or Host where the kubelet knows it.',
  remedy: 'Remove resolvConf; winnode writes the empty one.',
  see: 'https://github.com/kubernetes/kubernetes/pull/116800',
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'resolvConf')
    const known = value === '' || (value === 'Host' && facts.has('kubelet-resolv-conf-host'))
    return when(
      !known,
      path,
      `the kubelet reads ${JSON.stringify(value)} as a file; on a machine that lacks it no pod starts`,
    )
  },
})

export const labelRefused = defineRule({
  id: 'kubelet-may-not-set-label',
  severity: 'error',
  summary: 'The kubelet may give its node these labels.',
  remedy: 'Set the label with kubectl after the node has joined, or use a namespace of your own.',
  see: 'https://kubernetes.io/docs/reference/access-authn-authz/admission-controllers/#noderestriction',
  check: ({ spec }) =>
    Object.keys(spec.kubelet.labels).flatMap((key) =>
      mayLabelItself(key)
        ? []
        : [
            {
              path: ['kubelet', 'labels', key],
              at: 'key' as const,
              message: `the kubelet may not set ${key} and ends at its start`,
            },
          ],
    ),
})

export const labelOverwritten = defineRule({
  id: 'label-is-of-the-kubelet',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Labels that the kubelet gives its node itself are left to it.',
  remedy: 'Remove the label.',
  see: 'https://kubernetes.io/docs/reference/labels-annotations-taints/',
  check: ({ spec }) =>
    Object.keys(spec.kubelet.labels).flatMap((key) =>
      when(
        labelsOfTheKubelet.includes(key),
        ['kubelet', 'labels', key],
        `the kubelet finds ${key} out by itself, and the value here takes its place`,
      ),
    ),
})

export const shutdownWithoutEffect = defineRule({
  id: 'shutdown-grace-without-effect',
  severity: 'warning',
  harm: 'limits',
  summary: 'The kubelet honours a shutdown grace period.',
  remedy: 'Leave the gate WindowsGracefulNodeShutdown to winnode, and use a newer Kubernetes.',
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
      `kubelet ${version} does not wait for pods when Windows shuts down`,
    )
  },
})

export const lowPriority = defineRule({
  id: 'kubelet-priority-low',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The kubelet runs above normal priority, and below real time.',
  remedy: 'Use ABOVE_NORMAL_PRIORITY_CLASS.',
  see: 'https://kubernetes.io/docs/concepts/configuration/windows-resource-management/',
  check: ({ spec }) => {
    const { priorityClass } = spec.kubelet
    const fine = ['ABOVE_NORMAL_PRIORITY_CLASS', 'HIGH_PRIORITY_CLASS'].includes(priorityClass)
    const why = priorityClass.startsWith('REALTIME')
      ? 'starves Windows'
      : 'lets busy pods starve the kubelet'
    return when(!fine, ['kubelet', 'priorityClass'], `${priorityClass} ${why}`)
  },
})

export const unboundedEvents = defineRule({
  id: 'kubelet-events-unbounded',
  severity: 'warning',
  harm: 'limits',
  summary: 'The kubelet limits the events that it records.',
  remedy: 'Use 5 or more.',
  see: reference,
  check: (facts) => {
    const { value, path } = settingOf(kubelet, facts, 'eventRecordQPS')
    const means = facts.has('kubelet-unlimited-events')
      ? 'eventRecordQPS 0 means no limit'
      : 'eventRecordQPS 0 means the default, and no limit from 1.37 on'
    return when(value === 0, path, means)
  },
})
