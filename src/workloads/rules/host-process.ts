// HostProcess containers: the API server's requirements, and differences from other containers.
import { textAt, valueAt } from '../../model/json.ts'
import { type Conflict, when } from '../../model/rule.ts'
import { itemsAt, namespaceOf } from '../manifest.ts'
import { lacksNodeDns } from '../node.ts'
import { defineWorkloadRule } from '../rule.ts'
import { isHostProcess, isSet, securityPath, securitySetting, type Workload } from '../workload.ts'

const hostProcessPods =
  'https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/'
const windowsPods = 'https://kubernetes.io/docs/concepts/windows/intro/'
const setting = ['windowsOptions', 'hostProcess']
const userName = ['windowsOptions', 'runAsUserName']

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

/** Accounts that Windows has in other containers only. */
const containerUsers = ['containeruser', 'containeradministrator']

export const hostProcessUser = defineWorkloadRule({
  id: 'host-process-user',
  severity: 'error',
  summary: 'HostProcess containers run as an account of the node.',
  remedy:
    'Set windowsOptions.runAsUserName to NT AUTHORITY\\Local service, or NT AUTHORITY\\SYSTEM for full access.',
  see: `${hostProcessPods}#choosing-a-user-account`,
  check: (workload) =>
    workload.containers.flatMap((container): readonly Conflict[] => {
      if (securitySetting(workload, container, setting) !== true) return []
      const user = securitySetting(workload, container, userName)
      if (!isSet(user))
        return [
          {
            path: securityPath(workload, container, setting),
            severity: 'warning',
            harm: 'breaks',
            message: `${container.title} has no runAsUserName; with the user of a base image, or none, a HostProcess container does not start`,
          },
        ]
      return when(
        typeof user === 'string' && containerUsers.includes(user.toLowerCase()),
        securityPath(workload, container, userName),
        `${container.title}: runAsUserName is ${JSON.stringify(user)}, which the node does not have; the container does not start`,
      )
    }),
})

export const hostNetworkIgnored = defineWorkloadRule({
  id: 'host-network-without-host-process',
  severity: 'warning',
  harm: 'limits',
  summary: 'Only a pod with HostProcess containers sets hostNetwork.',
  remedy: 'Delete hostNetwork and use a hostPort, or make it a HostProcess pod.',
  see: `${windowsPods}#compatibility-v1-pod-spec-containers-hostnetwork`,
  check: (workload, { node }) => {
    const policy = textAt(workload.spec, ['dnsPolicy'])
    const isTurned = ['', 'ClusterFirst'].includes(policy)
    const hasNoDns = isTurned && lacksNodeDns(workload, node)
    const dns = isTurned ? ', and hostNetwork turns dnsPolicy ClusterFirst into Default' : ''
    const server = hasNoDns ? ': the only DNS server of the pod is 127.0.0.1' : ''
    return when(
      workload.spec['hostNetwork'] === true && !isHostProcess(workload),
      [...workload.path, 'hostNetwork'],
      `without HostProcess containers, the pod has a separate network${dns}${server}`,
      hasNoDns ? { harm: 'breaks' } : {},
    )
  },
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

export const hostPortDiffers = defineWorkloadRule({
  id: 'host-port-differs',
  severity: 'error',
  summary: 'With hostNetwork, a hostPort is the containerPort.',
  remedy: 'Delete hostPort, or set it to containerPort.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/apis/core/validation/validation.go',
  check: ({ spec, containers }) =>
    spec['hostNetwork'] === true
      ? containers
          // The API server does not compare the ports of init containers.
          .filter(({ path }) => path.at(-2) === 'containers')
          .flatMap(({ spec: container, path, title }) =>
            itemsAt(container, ['ports']).flatMap(({ item, path: at }) => {
              const { hostPort, containerPort } = item
              return when(
                typeof hostPort === 'number' && hostPort !== 0 && hostPort !== containerPort,
                [...path, ...at, 'hostPort'],
                `${title}: hostPort is ${JSON.stringify(hostPort)}, containerPort is ${JSON.stringify(containerPort ?? null)}; with hostNetwork, the API server rejects the pod`,
              )
            }),
          )
      : [],
})
