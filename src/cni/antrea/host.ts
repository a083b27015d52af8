// What Antrea needs on the machine: a driver that Windows loads, and open ports between nodes.
import type { Facts } from '../../model/facts.ts'
import { inPhase, type DraftStep } from '../../model/plan.ts'
import type { PreflightCheck } from '../../model/preflight.ts'

interface Opening {
  readonly id: string
  readonly what: string
  readonly protocol: 'TCP' | 'UDP'
  readonly ports: string
}

/**
 * Firewall rules, instead of disabling the firewall as Antrea's guide does.
 * https://github.com/antrea-io/antrea/blob/main/docs/network-requirements.md
 */
const tunnels: Readonly<Record<string, Opening>> = {
  geneve: { id: 'geneve', what: 'Geneve between nodes', protocol: 'UDP', ports: '6081' },
  vxlan: { id: 'vxlan', what: 'VXLAN between nodes', protocol: 'UDP', ports: '4789' },
  stt: { id: 'stt', what: 'STT between nodes', protocol: 'TCP', ports: '7471' },
}

const agents: readonly Opening[] = [
  { id: 'antrea', what: 'Antrea agents and controller', protocol: 'TCP', ports: '10349-10351' },
  { id: 'antrea-members', what: 'Antrea agents, memberlist', protocol: 'UDP', ports: '10351' },
]

export const stepFields = Object.fromEntries(
  [...Object.values(tunnels), ...agents].map(({ id }) => [
    `firewall-${id}`,
    { from: 'host.firewall.networkFrom' },
  ]),
)

export function hostSteps({ spec }: Facts): readonly DraftStep[] {
  const tunnel = tunnels[spec.network.backend]
  const openings = [...(tunnel ? [tunnel] : []), ...agents]
  return inPhase('image', [
    ...(spec.network.antrea.ovsDriver === 'testSigned'
      ? [
          {
            kind: 'bootSetting' as const,
            id: 'boot-test-signing',
            restart: 'maybe' as const,
            name: 'testsigning',
            value: 'on',
          },
        ]
      : []),
    ...openings.map(({ id, what, protocol, ports }) => ({
      kind: 'firewallRule' as const,
      id: `firewall-${id}`,
      name: `winnode-${id}`,
      displayName: `winnode: ${what}`,
      group: 'winnode',
      protocol,
      ports,
      from: spec.host.firewall.networkFrom,
    })),
  ])
}

/** Secure Boot never loads a test-signed driver, even with test signing enabled. */
export function preflight({ spec }: Facts): readonly PreflightCheck[] {
  if (spec.network.antrea.ovsDriver !== 'testSigned') return []
  return [
    { id: 'secure-boot-off', kind: 'secureBootOff', phases: ['any'], verdict: 'fail', with: {} },
  ]
}
