// Refuses IPv6 CIDRs for plugins that give pods on Windows only IPv4 addresses.
import { defineRule, when, type Rule } from '../model/rule.ts'
import type { CniName } from '../model/plugin-settings.ts'

/** On an overlay network, the rule about overlay networks says it. */
export function ipv4Only(
  cni: CniName,
  { id, title, see, why }: Readonly<Record<'id' | 'title' | 'see' | 'why', string>>,
): Rule {
  return defineRule({
    id,
    severity: 'error',
    summary: `${title} is IPv4 single-stack.`,
    remedy: 'Remove the IPv6 CIDRs.',
    see,
    check: ({ spec: { network } }) =>
      (['podCIDRs', 'serviceCIDRs'] as const).flatMap((list) =>
        network[list].flatMap((cidr, at) =>
          when(
            network.cni === cni && network.mode !== 'overlay' && cidr.includes(':'),
            ['network', list, at],
            `${why} ${cidr}`,
          ),
        ),
      ),
  })
}
