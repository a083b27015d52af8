// What the kubelet reads: KubeletConfiguration, whole, with values that Windows can keep.
import { derivationsOf, fileOf, settingsOf } from '../components/config-table.ts'
import { kubelet } from '../components/kubelet.ts'
import type { Artifact } from '../model/artifact.ts'
import { layout } from '../model/layout.ts'

const settings = settingsOf(kubelet.rows, kubelet.see, 'kubelet.config')

export const kubeletConfig: Artifact = (facts) => {
  const derive = derivationsOf(kubelet.rows, facts)
  return {
    id: 'kubelet-config',
    path: 'files/kubelet/config.json',
    summary: 'The complete configuration of the kubelet, used with every join method.',
    body: { kind: 'json', value: fileOf(kubelet, facts) },
    settings,
    merges: ['kubelet', 'config'],
    install: {
      path: layout.kubeletConfig,
      after: ['directory-kubelet'],
      // An image serves many machines, so what only one of them knows waits for the join.
      ...(derive.length > 0 ? { phase: 'beforeJoin', derive } : { phase: 'image' }),
    },
  }
}
