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

/** Its other ports are the controller's, on Linux, and memberlist's, which no feature on Windows uses. */
const agent: PluginOpening = {
  id: 'antrea',
  what: 'Antrea agent API',
  protocol: 'TCP',
  ports: '10350',
}

export const stepFields = {
  'firewall-antrea': { from: 'host.firewall.networkFrom' },
  ...Object.fromEntries(
    Object.values(tunnels).map(({ id }) => [
      `firewall-${id}`,
      { from: 'host.firewall.networkFrom', ports: 'network.antrea.tunnelPort' },
    ]),
  ),
}

export function hostSteps({ spec }: Facts): readonly DraftStep[] {
  const { backend, antrea } = spec.network
  const tunnel = tunnels[backend]
  const openings = [
    ...(tunnel ? [{ ...tunnel, ports: String(antrea.tunnelPort ?? tunnel.ports) }] : []),
    agent,
  ]
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
