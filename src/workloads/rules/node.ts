// Whether the pods can be scheduled on the profile's nodes, and only on nodes where they can run.
import { when, type Conflict } from '../../model/rule.ts'
import { runtimeClassNames } from '../../artifacts/cluster.ts'
import { classOf, isSelected, untolerated } from '../node.ts'
import { defineWorkloadRule } from '../rule.ts'
import { buildLabel, hasNodeName, runtimeClassName, requiredLabels } from '../scheduling.ts'

const userGuide = 'https://kubernetes.io/docs/concepts/windows/user-guide/'
const tolerations = 'https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/'
const classes = 'https://kubernetes.io/docs/concepts/containers/runtime-class/'

export const anotherNode = defineWorkloadRule({
  id: 'another-node-selected',
  severity: 'info',
  harm: 'limits',
  summary: 'The pods can be scheduled on nodes of the profile.',
  remedy: 'Check them with the profile of their nodes.',
  see: userGuide,
  check: (workload, { node, runtimeClasses }) =>
    when(
      node !== undefined && !isSelected(workload, node, classOf(workload, runtimeClasses)),
      [...workload.path, 'nodeSelector'],
      'the selected labels are not on the nodes of the profile; rules about these nodes are skipped',
    ),
})

export const taintNotTolerated = defineWorkloadRule({
  id: 'taint-not-tolerated',
  severity: 'error',
  summary: 'The pods tolerate the taints of the node.',
  remedy: 'Add the toleration, or the runtimeClassName of the bundle, which has it.',
  see: tolerations,
  check: (workload, { node, runtimeClasses }): readonly Conflict[] => {
    const runtimeClass = classOf(workload, runtimeClasses)
    if (!node || hasNodeName(workload) || !isSelected(workload, node, runtimeClass)) return []
    // An unknown RuntimeClass, defined in another file, can have the toleration.
    if (runtimeClassName(workload) !== '' && !runtimeClass) return []
    return untolerated(workload, node, runtimeClass).map(({ key, value, effect }) => ({
      path: [...workload.path, 'tolerations'],
      message: `the taint ${key}=${value}:${effect} of the nodes is not tolerated; the pods are not scheduled`,
    }))
  },
})

export const runtimeClassUnknown = defineWorkloadRule({
  id: 'runtime-class-unknown',
  severity: 'warning',
  harm: 'breaks',
  summary: 'The RuntimeClass is in the manifests or in the bundle.',
  remedy: 'Use a RuntimeClass of the bundle, or check its manifest too.',
  see: classes,
  check: (workload, { node, runtimeClasses }) => {
    const name = runtimeClassName(workload)
    return when(
      node !== undefined && name !== '' && !runtimeClasses.has(name),
      [...workload.path, 'runtimeClassName'],
      `RuntimeClass ${name} is neither in the manifests nor in the bundle; without it, the API server rejects the pod`,
    )
  },
})

export const buildNotSelected = defineWorkloadRule({
  id: 'build-not-selected',
  severity: 'info',
  harm: 'limits',
  summary: 'The pods select a Windows build.',
  remedy:
    'Set the runtimeClassName of the bundle, which selects the build and tolerates the taints.',
  see: `${userGuide}#handling-multiple-windows-versions-in-the-same-cluster`,
  check: (workload, { node }): readonly Conflict[] => {
    const isOpen =
      runtimeClassName(workload) === '' &&
      !requiredLabels(workload).has(buildLabel) &&
      !hasNodeName(workload)
    if (!node || !isOpen) return []
    const path = [...workload.path, 'runtimeClassName']
    const message = 'no RuntimeClass and no Windows build is selected'
    const names = runtimeClassNames(node).map(({ name }) => name)
    return names.length > 0
      ? [{ path, message: `${message}; the bundle has the RuntimeClass ${names.join(' and ')}` }]
      : [{ path, message, remedy: `Add the nodeSelector ${buildLabel}.` }]
  },
})
