// Feature gates of the kubelet and kube-proxy.
import { kubelet } from '../../components/kubelet.ts'
import { kubeProxy } from '../../components/kube-proxy.ts'
import { fileOf } from '../../components/config-table.ts'
import { gateIn, gatesOf } from '../../matrix/feature-gates.ts'
import { historyOf, removedIn, spanText } from '../../matrix/history.ts'
import { minorsWithTables } from '../../matrix/minors.ts'
import type { Gate } from '../../model/config-rows.ts'
import { valueAt } from '../../model/json.ts'
import { factsOf, unique, type Topic } from './topic.ts'

const see = 'https://kubernetes.io/docs/reference/command-line-tools-reference/feature-gates/'

const names = () => unique(minorsWithTables.flatMap((minor) => gatesOf('kubelet', minor)))

export const gateTopic: Topic = {
  subjects: ({ version }) =>
    names().map((name) => ({ name, note: `feature gate, ${stateText(gateIn(name, version))}` })),
  explain: (name, { version, example }) => {
    const newest = minorsWithTables.flatMap((minor) => gateIn(name, minor) ?? []).at(-1)
    if (!newest) return []
    const history = historyOf((minor) => {
      const gate = gateIn(name, minor)
      return gate && stateText(gate)
    })
    const { facts } = example()
    const written = [kubelet, kubeProxy].flatMap((program) => {
      const value = valueAt(fileOf(program, facts), ['featureGates', name])
      return value === undefined ? [] : [`${JSON.stringify(value)} for ${program.name}`]
    })
    return [
      {
        kind: 'feature gate',
        name,
        what: `A gate of ${newest.only ? 'the kubelet' : 'the kubelet and kube-proxy'}, as their Windows builds register it.`,
        facts: [
          ...factsOf({ [`in ${version}`]: stateText(gateIn(name, version)) }),
          ...history.map((span) => ({ name: spanText(span), text: span.row })),
          ...factsOf({
            'removed in': removedIn(history),
            needs: newest.needs?.join(', '),
            winnode: written.length > 0 ? `sets ${written.join(', ')}` : 'leaves the default',
            'set by': newest.only
              ? `kubelet.featureGates.${name}`
              : `kubelet.featureGates.${name}, kubeProxy.featureGates.${name}`,
          }),
        ],
        see: [see],
      },
    ]
  },
}

/** `Beta, on by default`. */
function stateText(gate: Gate | undefined): string {
  if (!gate) return 'not available'
  const value = gate.default ? 'on' : 'off'
  return `${gate.stage}, ${gate.locked ? `locked to ${value}` : `${value} by default`}`
}
