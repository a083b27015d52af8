// HostProcess containers: the API server's requirements, and differences from other containers.
import { valueAt } from '../../model/json.ts'
import { type Conflict, when } from '../../model/rule.ts'
import { namespaceOf } from '../manifest.ts'
import { defineWorkloadRule } from '../rule.ts'
import { isHostProcess, isSet, securitySetting, type Workload } from '../workload.ts'

const hostProcessPods =
  'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/'
const windowsPods = 'https://kubernetes.io/docs/concepts/windows/intro/'
const setting = ['windowsOptions', 'hostProcess']

const ofPod = ({ spec }: Workload) => valueAt(spec, ['securityContext', ...setting])

export const hostProcessNeedsHostNetwork = defineWorkloadRule({
  id: 'host-process-without-host-network',
  severity: 'error',
  summary: 'A pod with HostProcess containers has hostNetwork: true.',
  remedy: 'Set hostNetwork: true.',
  see: hostProcessPods,
  check: (workload) =>
    when(
      isHostProcess(workload) && workload.spec['hostNetwork'] !== true,
      [...workload.path, 'hostNetwork'],
      'hostNetwork is not true; the API server rejects a pod with HostProcess containers',
    ),
})

export const hostProcessInPart = defineWorkloadRule({
  id: 'host-process-in-part',
  severity: 'error',
  summary: 'All containers and init containers of a pod are HostProcess containers, or none is.',
  remedy: 'Set windowsOptions.hostProcess once, in the securityContext of the pod.',
  see: hostProcessPods,
  check: (workload) => {
    if (!isHostProcess(workload)) return []
    const pod = ofPod(workload)
    return workload.containers.flatMap((container): readonly Conflict[] => {
      const own = valueAt(container.spec, ['securityContext', ...setting])
      const path = [...container.path, 'securityContext', ...setting]
      if (isSet(pod) && isSet(own) && own !== pod)
        return [
          {
            path,
            message: `${container.title}: hostProcess is ${JSON.stringify(own)}, and that of the pod is ${JSON.stringify(pod)}; the API server rejects the pod`,
          },
        ]
      return when(
        securitySetting(workload, container, setting) !== true,
        path,
        `${container.title} is no HostProcess container, others are; the API server rejects the pod`,
      )
    })
  },
})

export const hostNetworkIgnored = defineWorkloadRule({
  id: 'host-network-without-host-process',
  severity: 'warning',
  harm: 'limits',
  summary: 'Only a pod with HostProcess containers sets hostNetwork.',
  remedy: 'Delete hostNetwork and use a hostPort, or make it a HostProcess pod.',
  see: `${windowsPods}#compatibility-v1-pod-spec-containers-hostnetwork`,
  check: (workload) =>
    when(
      workload.spec['hostNetwork'] === true && !isHostProcess(workload),
      [...workload.path, 'hostNetwork'],
      'hostNetwork has no effect without HostProcess containers: the pod has a separate network namespace',
    ),
})

export const hostProcessNamespace = defineWorkloadRule({
  id: 'host-process-in-restricted-namespace',
  severity: 'error',
  summary: 'HostProcess pods are in a namespace whose Pod Security level is privileged.',
  remedy:
    'Label the namespace pod-security.kubernetes.io/enforce: privileged, or use another namespace.',
  see: 'https://kubernetes.io/docs/concepts/security/pod-security-standards/#baseline',
  check: (workload, { podSecurity }) => {
    const namespace = namespaceOf(workload.manifest)
    const level = podSecurity.get(namespace) ?? 'privileged'
    return when(
      isHostProcess(workload) && level !== 'privileged',
      ['metadata', 'namespace'],
      `namespace ${namespace} enforces the Pod Security level ${level}, which forbids HostProcess containers`,
    )
  },
})
