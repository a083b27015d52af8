// What kube-proxy reads: KubeProxyConfiguration for the Windows kernel, and its kubeconfig.
import { cniOf } from '../cni/index.ts'
import { kubeconfigFor, kubeconfigPath } from '../cni/kubeconfig.ts'
import { defineArtifact } from '../model/artifact.ts'
import type { Facts } from '../model/facts.ts'
import { mergeJson, type JsonObject } from '../model/json.ts'
import { layout } from '../model/layout.ts'
import type { Derivation } from '../model/step.ts'

export const kubeProxyConfig = defineArtifact({
  id: 'kube-proxy-config',
  plan: (facts) =>
    cniOf(facts.spec.network.cni).kubeProxy
      ? [
          {
            id: 'kube-proxy-config',
            path: 'files/kube-proxy/config.json',
            summary:
              'Services on this node; the node fills in its name, its address and the source VIP.',
            body: { kind: 'json', value: kubeProxyConfiguration(facts) },
            install: {
              path: `${layout.kubeProxy}\\config.json`,
              // Written at each start: kube-proxy ends when its file changes, so only if it differs.
              phase: 'boot',
              after: [
                'hns-network',
                ...(facts.spec.network.mode === 'overlay' ? ['source-vip'] : []),
              ],
              derive: derivations(facts),
            },
          },
        ]
      : [],
})

function kubeProxyConfiguration(facts: Facts): JsonObject {
  const { spec, windows } = facts
  const { network, kubeProxy } = spec
  const gates = {
    ...(facts.has('proxy-dsr-needs-gate') && network.dsr ? { WinDSR: true } : {}),
    ...kubeProxy.featureGates,
  }
  const ours = {
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    bindAddress: '',
    clientConnection: { kubeconfig: kubeconfigPath(kubeProxy.credentials, 'kube-proxy') },
    clusterCIDR: network.podCIDRs.join(','),
    ...(Object.keys(gates).length > 0 ? { featureGates: gates } : {}),
    hostnameOverride: '',
    metricsBindAddress: kubeProxy.metricsBindAddress,
    mode: 'kernelspace',
    winkernel: {
      enableDSR: network.dsr,
      // Exact: kube-proxy waits forever for a network that it does not find.
      networkName: network.name,
      ...(network.mode === 'overlay'
        ? { sourceVip: '' }
        : {
            rootHnsEndpointName: `${network.name}_ep`,
            forwardHealthCheckVip: windows.noHealthCheckVip === undefined,
          }),
    },
  }
  return mergeJson(ours, kubeProxy.config)
}

/** On overlay kube-proxy looks the host's MAC up by this address, so it must be the node's own. */
function derivations({ spec }: Facts): readonly Derivation[] {
  return [
    { pointer: '/bindAddress', value: [{ text: '', fact: 'nodeIP' }] },
    { pointer: '/hostnameOverride', value: [{ text: '', fact: 'nodeName' }] },
    ...(spec.network.mode === 'overlay'
      ? [{ pointer: '/winkernel/sourceVip', value: [{ text: '', fact: 'sourceVip' as const }] }]
      : []),
  ]
}

export const kubeProxyKubeconfig = defineArtifact({
  id: 'kube-proxy-kubeconfig',
  plan: ({ spec }) => {
    const { credentials } = spec.kubeProxy
    const { kubeProxy } = cniOf(spec.network.cni)
    if (!kubeProxy || credentials.kind === 'kubeconfig' || spec.join.endpoint === undefined)
      return []
    return [
      {
        id: 'kube-proxy-kubeconfig',
        path: 'files/kubernetes/kube-proxy.conf',
        summary: 'Where kube-proxy finds the API server and its own credentials; holds no secret.',
        body: { kind: 'json', value: kubeconfigFor(credentials, 'kube-proxy', spec.join.endpoint) },
        install: {
          path: kubeconfigPath(credentials, 'kube-proxy'),
          phase: 'beforeJoin',
          after: ['directory-kubernetes'],
        },
      },
    ]
  },
})
