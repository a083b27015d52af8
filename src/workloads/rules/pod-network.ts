// Pod networking: DNS, ICMP, and Services that a pod on the host network cannot reach.
import { isList, textAt, valueAt } from '../../model/json.ts'
import { when } from '../../model/rule.ts'
import { commandsOf } from '../commands.ts'
import { itemsAt } from '../manifest.ts'
import { lacksNodeDns } from '../node.ts'
import { defineWorkloadRule } from '../rule.ts'
import { isHostProcess, isSet, type Workload } from '../workload.ts'

const networking = 'https://kubernetes.io/docs/concepts/services-networking/windows-networking/'
const kubeletDns =
  'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/network/dns/dns.go'
const dns = 'https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#dns-windows'

export const dnsPolicy = defineWorkloadRule({
  id: 'dns-policy-with-host-net',
  severity: 'info',
  harm: 'limits',
  summary: 'Only a pod with HostProcess containers has dnsPolicy ClusterFirstWithHostNet.',
  remedy: 'Set dnsPolicy: ClusterFirst.',
  see: kubeletDns,
  check: (workload) =>
    when(
      textAt(workload.spec, ['dnsPolicy']) === 'ClusterFirstWithHostNet' &&
        // Until hostNetwork is deleted, ClusterFirst is the DNS of the node.
        workload.spec['hostNetwork'] !== true &&
        !isHostProcess(workload),
      [...workload.path, 'dnsPolicy'],
      'dnsPolicy ClusterFirstWithHostNet is the same as ClusterFirst: the pod has a separate network',
    ),
})

export const dnsDefault = defineWorkloadRule({
  id: 'dns-policy-default',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Pods use the DNS servers of the cluster, or name their own.',
  remedy: 'Set dnsPolicy: ClusterFirst, or None with dnsConfig.nameservers.',
  see: kubeletDns,
  check: (workload, { node }) =>
    when(
      textAt(workload.spec, ['dnsPolicy']) === 'Default' &&
        !isHostProcess(workload) &&
        lacksNodeDns(workload, node),
      [...workload.path, 'dnsPolicy'],
      'dnsPolicy is Default and resolvConf of the kubelet is empty; the only DNS server of the pod is 127.0.0.1',
    ),
})

export const dnsSearches = defineWorkloadRule({
  id: 'dns-searches',
  severity: 'warning',
  harm: 'limits',
  summary: 'Pods add no DNS search domains.',
  remedy: 'Delete dnsConfig.searches, and use full names.',
  see: dns,
  check: ({ spec, path }) => {
    const searches = valueAt(spec, ['dnsConfig', 'searches'])
    return when(
      isList(searches) && searches.length > 0,
      [...path, 'dnsConfig', 'searches'],
      'dnsConfig.searches is set; a pod on Windows has one DNS suffix',
    )
  },
})

/** A ping of localhost, which Windows scripts use to wait. */
const selfPing = /\bping(?:\.exe)?\b[^&|;]*?(?:\blocalhost\b|\b127\.0\.0\.1\b|::1)/gi

function commandsWith(workload: Workload, word: RegExp) {
  return workload.containers.flatMap((container) =>
    commandsOf(container)
      .filter(({ words }) => word.test(words.join('\n').replace(selfPing, '')))
      .map(({ path }) => ({ title: container.title, path })),
  )
}

export const ping = defineWorkloadRule({
  id: 'ping-outside',
  severity: 'warning',
  harm: 'limits',
  summary: 'Containers do not test connections with ping.',
  remedy: 'Use TCP, for example Test-NetConnection -Port or curl.',
  see: `${networking}#limitations`,
  check: (workload) =>
    commandsWith(workload, /(?:^|[\s;&|"'\\/(])(?:ping(?:\.exe)?\s|Test-Connection\b)/im).map(
      ({ title, path }) => ({
        path,
        message: `${title} uses ping; ICMP works only within the network of the pods`,
      }),
    ),
})

export const nslookup = defineWorkloadRule({
  id: 'names-by-nslookup',
  severity: 'info',
  harm: 'limits',
  summary: 'Containers do not resolve names with nslookup.',
  remedy: 'Use Resolve-DNSName.',
  see: dns,
  check: (workload) =>
    commandsWith(workload, /(?:^|[\s;&|"'\\/(])nslookup(?:\.exe)?(?:\s|$)/im).map(
      ({ title, path }) => ({
        path,
        message: `${title} uses nslookup, which resolves names in another way than programs on Windows do`,
      }),
    ),
})

export const hostAliases = defineWorkloadRule({
  id: 'host-aliases-of-host-process',
  severity: 'warning',
  harm: 'limits',
  summary: 'A pod with HostProcess containers sets no hostAliases.',
  remedy: 'Use DNS names.',
  see: 'https://github.com/kubernetes/kubernetes/blob/v1.37.2/pkg/kubelet/kubelet_pods.go',
  check: (workload) =>
    when(
      isHostProcess(workload) && isSet(workload.spec['hostAliases']),
      [...workload.path, 'hostAliases'],
      'hostAliases has no effect: HostProcess containers read the hosts file of the node',
    ),
})

export const serviceFromNode = defineWorkloadRule({
  id: 'service-from-host-process',
  severity: 'info',
  harm: 'limits',
  summary: 'HostProcess containers need no Service whose pods are on the same node.',
  remedy: 'Use the address of a pod, or of the node.',
  see: `${networking}#networking`,
  check: (workload) =>
    when(
      isHostProcess(workload),
      [...workload.path, 'hostNetwork'],
      'HostProcess containers use the network of the node, which does not reach Service addresses of pods on the same node',
    ),
})

export const hostPort = defineWorkloadRule({
  id: 'host-port-on-overlay',
  severity: 'warning',
  harm: 'breaks',
  summary: 'Pods on an overlay network use no hostPort.',
  remedy: 'Use a Service of type NodePort.',
  see: 'https://github.com/containernetworking/plugins/blob/main/plugins/main/windows/win-overlay/win-overlay_windows.go',
  check: (workload, { node }) =>
    workload.containers.flatMap(({ spec, path, title }) =>
      itemsAt(spec, ['ports']).flatMap(({ item, path: at }) =>
        when(
          node?.spec.network.mode === 'overlay' &&
            !isHostProcess(workload) &&
            typeof item['hostPort'] === 'number',
          [...path, ...at, 'hostPort'],
          `${title}: hostPort ${JSON.stringify(item['hostPort'])} has no effect on an overlay network`,
        ),
      ),
    ),
})
