// What kube-proxy reads: KubeProxyConfiguration for the Windows kernel, and its kubeconfig.
import { cniOf } from '../cni/index.ts'
import { kubeProxyRuns } from '../cni/kube-proxy.ts'
import { kubeconfigFile } from '../cni/kubeconfig.ts'
import { derivationsOf, fileOf, settingsOf } from '../components/config-table.ts'
import { kubeProxy } from '../components/kube-proxy.ts'
import type { Artifact } from '../model/artifact.ts'
import { layout } from '../model/layout.ts'

const settings = settingsOf(kubeProxy.rows, kubeProxy.see, 'kubeProxy.config')

export const kubeProxyConfig: Artifact = (facts) => {
  if (kubeProxyRuns(facts.spec) !== 'service') return undefined
  const { network, sourceVip } = cniOf(facts.spec.network.cni).provides?.(facts.spec) ?? {}
  return {
    id: 'kube-proxy-config',
    path: 'files/kube-proxy/config.json',
    summary: 'Configuration of kube-proxy; the scripts add the node name, node IP and source VIP.',
    body: { kind: 'json', value: fileOf(kubeProxy, facts) },
    settings,
    merges: ['kubeProxy', 'config'],
    install: {
      path: `${layout.kubeProxy}\\config.json`,
      // Written at each start: kube-proxy ends when its file changes, so only if it differs.
      phase: 'boot',
      after: [network, sourceVip].flatMap((id) => id ?? []),
      derive: derivationsOf(kubeProxy.rows, facts),
    },
  }
}

export const kubeProxyKubeconfig: Artifact = ({ spec }) =>
  kubeProxyRuns(spec) === 'service'
    ? kubeconfigFile(
        'kube-proxy',
        'Where kube-proxy finds the API server and its own credentials; holds no secret.',
        spec.kubeProxy.credentials,
        spec.join,
      )
    : undefined
