// What Antrea needs on the machine: a driver that Windows loads, and open ports between nodes.
import type { Facts } from '../../model/facts.ts'
import { layout } from '../../model/layout.ts'
import { firewallRule, inPhase, type DraftStep, type Opening } from '../../model/plan.ts'
import type { PreflightRow } from '../../model/preflight.ts'

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

export const agentPort = 10_350

/** Its other ports are the controller's, on Linux, and memberlist's, which no feature on Windows uses. */
const agent: PluginOpening = {
  id: 'antrea',
  what: 'Antrea agent API',
  protocol: 'TCP',
  ports: String(agentPort),
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
    spec.network.antrea.ovsDriver === 'testSigned' && {
      kind: 'bootSetting',
      id: 'boot-test-signing',
      restart: 'maybe',
      name: 'testsigning',
      value: 'on',
    },
    ...openings.map((one) => firewallRule({ ...one, from: spec.host.firewall.networkFrom })),
  ])
}

/** Folders of Open vSwitch, and of the token that its init container copies: Antrea's settings cannot move them. */
export const paths = {
  openVSwitch: 'C:\\openvswitch',
  account: 'C:\\var\\run\\secrets\\kubernetes.io\\serviceaccount',
}

/** What its DaemonSet leaves, beside Open vSwitch. */
const leftFiles = {
  'antrea-conf': `${layout.cniConf}\\10-antrea.conflist`,
  'antrea-plugin': `${layout.cniBin}\\antrea.exe`,
  'antrea-host-local': `${layout.cniBin}\\host-local.exe`,
  'antrea-antctl': 'C:\\k\\antrea',
  'antrea-token': paths.account,
  'antrea-logs': 'C:\\var\\log\\antrea',
}

/**
 * Its HNS network does not survive a restart, and the bridge in the database of Open vSwitch does: the kubelet starts the
 * DaemonSet's pod after the database is away, and other pods wait for the conf, which the pod copies again: with the time of
 * the ConfigMap's volume, which is from before the last boot.
 * https://github.com/antrea-io/antrea/blob/v2.7.0/hack/windows/Prepare-AntreaAgent.ps1
 * https://github.com/antrea-io/antrea/blob/v2.7.0/build/charts/antrea-windows/conf/Install-WindowsCNI.ps1
 */
export const beforeKubelet = ({ spec: { network } }: Facts): readonly DraftStep[] =>
  inPhase('boot', [
    ...Object.entries(leftFiles).map(([id, path]) => ({
      kind: 'pluginFile' as const,
      id,
      path,
      eachBoot: false,
    })),
    {
      kind: 'openVSwitch',
      id: 'antrea-switch',
      network: network.name,
      folder: paths.openVSwitch,
      conf: leftFiles['antrea-conf'],
      nats: 'antrea-nat*',
      rules: 'Antrea: accept packets *',
      testSigned: network.antrea.ovsDriver === 'testSigned',
    },
  ])

/**
 * Secure Boot never loads a test-signed driver, even with test signing enabled. The agent refuses an adapter that belongs
 * to another network: https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/agent/agent_windows.go
 */
export function preflight({ spec: { network } }: Facts): readonly (PreflightRow | false)[] {
  return [
    network.antrea.ovsDriver === 'testSigned' && { id: 'secure-boot-off', kind: 'secureBootOff' },
    {
      id: 'physical-adapter',
      kind: 'physicalAdapter',
      phases: ['beforeJoin'],
      with: { network: network.name },
    },
  ]
}
