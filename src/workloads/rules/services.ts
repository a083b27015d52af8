// Services, as kube-proxy on a Windows node implements them.
import { isList, textAt, valueAt } from '../../model/json.ts'
import { type Conflict, when } from '../../model/rule.ts'
import { itemsAt } from '../manifest.ts'
import { defineServiceRule } from '../rule.ts'

const networking = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'
const settings = `${networking}#load-balancing-and-services`
const limitations = `${networking}#limitations`
const stack = 'https://kubernetes.io/docs/concepts/services-networking/dual-stack/#windows-support'

/** In seconds: what the API server fills in. */
const defaultTimeout = 10_800

export const sessionAffinity = defineServiceRule({
  id: 'session-affinity-needs-newer-windows',
  severity: 'warning',
  harm: 'limits',
  summary: 'Session affinity is used with Windows Server 2022 or newer.',
  remedy: 'Upgrade the nodes to Windows Server 2022, or set sessionAffinity: None.',
  see: settings,
  check: ({ spec }, { node }) =>
    when(
      textAt(spec, ['sessionAffinity']) === 'ClientIP' &&
        node?.windows.partialAffinity !== undefined,
      ['spec', 'sessionAffinity'],
      `sessionAffinity is ClientIP; ${node?.windows.name ?? ''} ${node?.windows.partialAffinity?.why ?? ''}`,
    ),
})

export const affinityTimeout = defineServiceRule({
  id: 'session-affinity-timeout',
  severity: 'warning',
  harm: 'limits',
  summary: 'Services keep the default timeout of session affinity.',
  remedy: 'Delete sessionAffinityConfig.',
  see: 'https://kubernetes.io/docs/reference/networking/virtual-ips/#session-affinity',
  check: ({ spec }): readonly Conflict[] => {
    const path = ['sessionAffinityConfig', 'clientIP', 'timeoutSeconds']
    const timeout = valueAt(spec, path)
    return when(
      typeof timeout === 'number' && timeout !== defaultTimeout,
      ['spec', ...path],
      'timeoutSeconds has no effect: Windows has a fixed timeout of session affinity',
    )
  },
})

export const sctp = defineServiceRule({
  id: 'service-sctp',
  severity: 'error',
  summary: 'Services use TCP or UDP.',
  remedy: 'Use TCP or UDP, or run the pods on Linux nodes.',
  see: 'https://kubernetes.io/docs/reference/networking/service-protocols/#protocol-sctp',
  check: ({ spec }) =>
    itemsAt(spec, ['ports']).flatMap(({ item, path }) =>
      when(
        textAt(item, ['protocol']) === 'SCTP',
        ['spec', ...path, 'protocol'],
        'protocol is SCTP, which Windows nodes do not support',
      ),
    ),
})

export const ipv6Only = defineServiceRule({
  id: 'service-ipv6-only',
  severity: 'error',
  summary: 'Services have an IPv4 address.',
  remedy: 'Set ipFamilies: [IPv4], or ipFamilyPolicy: RequireDualStack with both families.',
  see: stack,
  check: ({ spec }) => {
    const families = valueAt(spec, ['ipFamilies'])
    const policy = textAt(spec, ['ipFamilyPolicy'])
    return when(
      isList(families) &&
        families.length === 1 &&
        families[0] === 'IPv6' &&
        !['PreferDualStack', 'RequireDualStack'].includes(policy),
      ['spec', 'ipFamilies'],
      'ipFamilies has IPv6 alone, which Windows does not support',
    )
  },
})

export const dualStackOnOverlay = defineServiceRule({
  id: 'dual-stack-service-on-overlay',
  severity: 'warning',
  harm: 'limits',
  summary: 'Dual-stack Services are used with an l2bridge network.',
  remedy: 'Set ipFamilyPolicy: SingleStack, or use a network with network.mode l2bridge.',
  see: stack,
  check: ({ spec }, { node }) =>
    when(
      textAt(spec, ['ipFamilyPolicy']) === 'RequireDualStack' &&
        node?.spec.network.mode === 'overlay',
      ['spec', 'ipFamilyPolicy'],
      'ipFamilyPolicy is RequireDualStack; on overlay networks, Windows supports only IPv4',
    ),
})

export const localTraffic = defineServiceRule({
  id: 'local-traffic-without-dsr',
  severity: 'error',
  summary: 'externalTrafficPolicy Local is used with direct server return (DSR).',
  remedy: 'Set network.dsr to true in the profile, or externalTrafficPolicy: Cluster.',
  see: limitations,
  check: ({ spec }, { node }): readonly Conflict[] => {
    if (textAt(spec, ['externalTrafficPolicy']) !== 'Local') return []
    const path = ['spec', 'externalTrafficPolicy']
    if (!node)
      return [
        {
          path,
          severity: 'info',
          harm: 'limits',
          remedy: 'Check that kube-proxy of the Windows nodes has winkernel.enableDSR: true.',
          message:
            'externalTrafficPolicy is Local, which needs direct server return (DSR) on Windows',
        },
      ]
    return when(
      !node.spec.network.dsr,
      path,
      'externalTrafficPolicy is Local, and network.dsr of the profile is false; Windows does not support that',
    )
  },
})

export const ownNodePort = defineServiceRule({
  id: 'node-port-of-own-node',
  severity: 'info',
  harm: 'limits',
  summary: 'No client on a Windows node uses a NodePort at its own address.',
  remedy: 'Use the address of another node, or the Service address from a pod.',
  see: limitations,
  check: ({ spec }) => {
    const type = textAt(spec, ['type'])
    const allocates = spec['allocateLoadBalancerNodePorts'] !== false
    return when(
      type === 'NodePort' || (type === 'LoadBalancer' && allocates),
      ['spec', 'type'],
      'a Windows node does not reach the NodePort at its own address; other nodes and clients do',
    )
  },
})
