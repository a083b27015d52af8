// What Antrea needs on the machine: a driver that Windows loads, and open ports between nodes.
import type { Facts } from '../../model/facts.ts'
import { firewallRule, inPhase, type DraftStep, type Opening } from '../../model/plan.ts'
import type { PreflightCheck } from '../../model/preflight.ts'

type PluginOpening = Omit<Opening, 'from'>

/**
 * Firewall rules, instead of disabling the firewall as Antrea's guide does.
 * https://github.com/antrea-io/antrea/blob/main/docs/network-requirements.md
 */
const tunnels: Readonly<Record<string, PluginOpening>> = {
  geneve: { id: 'geneve', what: 'Geneve between nodes', protocol: 'UDP', ports: '6081' },
  vxlan: { id: 'vxlan', what: 'VXLAN between nodes', protocol: 'UDP', ports: '4789' },
  stt: { id: 'stt', what: 'STT between nodes', protocol: 'TCP', ports: '7471' },
}

const agents: readonly PluginOpening[] = [
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
    ...openings.map((one) => firewallRule({ ...one, from: spec.host.firewall.networkFrom })),
  ])
}

/** Secure Boot never loads a test-signed driver, even with test signing enabled. */
export function preflight({ spec }: Facts): readonly PreflightCheck[] {
  if (spec.network.antrea.ovsDriver !== 'testSigned') return []
  return [
    { id: 'secure-boot-off', kind: 'secureBootOff', phases: ['any'], verdict: 'fail', with: {} },
  ]
}
