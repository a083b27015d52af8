// The commands of cluster/prepare.sh for flannel on Linux: its current settings, the required ones, and the change.
import type { Json } from '../../model/json.ts'
import type { NodeSpec } from '../../model/spec.ts'
import type { Preparation } from '../plugin.ts'
import { linuxSide } from './linux-side.ts'

export function prepare(spec: NodeSpec): Preparation {
  const backend = linuxSide(spec).flatMap(({ key, expected, byDefault }) =>
    byDefault === undefined
      ? []
      : [{ name: String(key.at(-1)), wanted: text(expected), byDefault: text(byDefault) }],
  )
  const fields = [
    { name: 'Network', wanted: spec.network.podCIDRs[0] ?? '', byDefault: '' },
    ...backend,
  ]
  return {
    commands,
    variables,
    parts: [{ template: 'cni/flannel/prepare.sh.hbs', view: { fields } }],
  }
}

const commands = [
  {
    name: 'compare-flannel',
    about: 'compare flannel in the cluster with this bundle; change nothing',
  },
  {
    name: 'edit-flannel',
    about: 'edit a copy of its net-conf.json; change nothing in the cluster',
  },
  {
    name: 'change-flannel',
    about: 'write the copy, and restart flanneld on Linux: read README.md first',
  },
  {
    name: 'revert-flannel',
    about: 'write the file from before the first change, and restart flanneld',
  },
]

const variables = [
  { name: 'FLANNEL_NAMESPACE', about: 'namespace of flannel (default: kube-flannel)' },
  { name: 'FLANNEL_CONFIGMAP', about: 'ConfigMap with net-conf.json (default: kube-flannel-cfg)' },
  { name: 'FLANNEL_DAEMONSET', about: 'DaemonSet of flanneld (default: kube-flannel-ds)' },
  { name: 'FLANNEL_PODS', about: 'label of its pods (default: app=flannel)' },
]

/** As text, because a shell compares text. */
const text = (value: Json) =>
  typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value)
