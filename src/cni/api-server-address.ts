// Requires join.endpoint for plugins whose agents cannot use the API server's Service IP.
import { defineRule, when, type Rule } from '../model/rule.ts'
import type { CniName } from '../model/plugin-settings.ts'

export function needsApiServerAddress(
  cni: CniName,
  { title, see, why }: Readonly<Record<'title' | 'see' | 'why', string>>,
): Rule {
  return defineRule({
    id: `${cni}-needs-api-server-address`,
    severity: 'error',
    summary: `join.endpoint is set with ${title}.`,
    remedy:
      'Set join.endpoint, and join.caCertHashes if kubeadm joins the node; `kubeadm token create --print-join-command` prints both.',
    see,
    asks: ['join.endpoint', 'join.caCertHashes'],
    check: ({ spec: { network, join } }) =>
      when(network.cni === cni && join.endpoint === undefined, ['join', 'endpoint'], why),
  })
}
