// Antrea: what its driver, its DaemonSet and its agent need on the node.
import type { Facts } from '../../model/facts.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'
import { ipv4Only } from '../ipv4-only.ts'
import { needsApiServerAddress } from '../api-server-address.ts'

const guide = 'https://github.com/antrea-io/antrea/blob/main/docs/windows.md'

const chosen = ({ spec }: Facts) => spec.network.cni === 'antrea'

const driverNotChosen = defineRule({
  id: 'antrea-driver-not-chosen',
  severity: 'error',
  summary: 'network.antrea.ovsDriver is set with Antrea.',
  remedy:
    'Set network.antrea.ovsDriver: testSigned for Antrea’s published driver, signed for another driver with a trusted signature.',
  see: guide,
  check: (facts) =>
    when(
      chosen(facts) && facts.spec.network.antrea.ovsDriver === undefined,
      ['network', 'antrea', 'ovsDriver'],
      'network.antrea.ovsDriver is not set; Windows loads the Open vSwitch driver only with a trusted signature or in test mode',
    ),
})

const driverUnderSecureBoot = defineRule({
  id: 'antrea-driver-refused-by-secure-boot',
  severity: 'error',
  summary: 'With Secure Boot, the Open vSwitch driver is signed.',
  remedy:
    'Supply a signed driver and set network.antrea.ovsDriver to signed, or disable Secure Boot.',
  see: 'https://learn.microsoft.com/windows-hardware/drivers/install/the-testsigning-boot-configuration-option',
  check: ({ spec }) =>
    when(
      spec.network.antrea.ovsDriver === 'testSigned' && spec.machine.secureBoot === true,
      ['network', 'antrea', 'ovsDriver'],
      'Secure Boot does not allow test signing, so Windows rejects the driver',
    ),
})

const driverTestSigned = defineRule({
  id: 'antrea-driver-test-signed',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Test signing is disabled.',
  remedy: 'Supply a signed driver and set network.antrea.ovsDriver to signed.',
  see: guide,
  check: ({ spec }) =>
    when(
      spec.network.antrea.ovsDriver === 'testSigned',
      ['network', 'antrea', 'ovsDriver'],
      'with test signing, Windows loads any test-signed driver, from any publisher, and Antrea’s DaemonSet adds the test certificate to the root certificates of the machine',
    ),
})

const apiServerUnknown = needsApiServerAddress('antrea', {
  title: 'Antrea',
  see: guide,
  why: 'Antrea replaces kube-proxy, so its agent cannot use the API server’s Service IP; set the real endpoint',
})

/**
 * With an IPv6 pod CIDR of the Node, its agent stops.
 * https://github.com/antrea-io/antrea/blob/v2.7.0/pkg/agent/config/node_config.go
 */
const ipv4 = ipv4Only('antrea', {
  id: 'antrea-ipv4-only',
  title: 'Antrea on Windows',
  see: 'https://github.com/antrea-io/antrea/issues/5162',
  why: 'Antrea has no IPv6 on Windows, so pods cannot reach',
})

const features = ['Hyper-V', 'Hyper-V-PowerShell'] as const

const hyperVBits = defineRule({
  id: 'antrea-needs-hyper-v-features',
  severity: 'error',
  summary: 'The Windows features Hyper-V and Hyper-V-PowerShell are installed with Antrea.',
  remedy:
    'Add Hyper-V and Hyper-V-PowerShell to host.features; without processor virtualization, enable them in the image with dism first.',
  see: guide,
  check: (facts) => {
    const installed = facts.spec.host.features.map((name) => name.toLowerCase())
    return features.flatMap((name) =>
      when(
        chosen(facts) && !installed.includes(name.toLowerCase()),
        ['host', 'features'],
        `the Windows feature ${name} is not in host.features; Antrea’s agent needs the Hyper-V virtual switch`,
      ),
    )
  },
})

const hostProcess = defineRule({
  id: 'antrea-needs-host-process',
  severity: 'error',
  summary: 'kubelet and containerd support Antrea’s HostProcess DaemonSet.',
  remedy: 'Use a newer Kubernetes version and a newer containerd.',
  upgrades: ['kubelet', 'containerd'],
  see: guide,
  check: (facts) => {
    const { kubernetes, containerd } = facts.spec
    return [
      ...when(
        chosen(facts) && !facts.has('kubelet-host-process'),
        ['kubernetes', 'version'],
        `HostProcess pods need kubelet 1.26 or newer; the kubelet is ${kubernetes.version}`,
      ),
      ...when(
        chosen(facts) && !facts.has('containerd-imports-agent-image'),
        ['containerd', 'version'],
        `containerd ${containerd.version} cannot import Antrea’s image; 1.6.18 or newer can`,
      ),
    ]
  },
})

const releaseUntested = defineRule({
  id: 'antrea-untested-on-windows-release',
  untested: true,
  severity: 'warning',
  harm: 'ages',
  summary: 'Antrea documents the Windows release.',
  remedy: 'Use Windows Server 2022, or test this combination yourself.',
  see: guide,
  check: (facts) =>
    when(
      chosen(facts) && facts.windows.build > 20_348,
      ['windows', 'release'],
      `no release of Antrea names ${facts.windows.name}, only Windows Server 2019 and 2022`,
    ),
})

const notPlaced = defineRule({
  id: 'antrea-taint-not-tolerated',
  severity: 'error',
  summary: 'With Antrea, no taint of the node has the effect NoExecute.',
  remedy:
    'Use the effect NoSchedule, or set the taint with kubectl and add its toleration to antrea-agent-windows.',
  see: 'https://github.com/antrea-io/antrea/blob/v2.7.0/build/charts/antrea-windows/templates/daemonset.yaml',
  check: (facts) =>
    facts.spec.kubelet.taints.flatMap(({ key, effect }, at) =>
      when(
        chosen(facts) && effect === 'NoExecute',
        ['kubelet', 'taints', at, 'effect'],
        `Antrea’s DaemonSet tolerates every taint with NoSchedule, and not ${key} with NoExecute: the node never gets its network`,
      ),
    ),
})

const services = defineRule({
  id: 'antrea-network-gone-after-restart',
  severity: 'info',
  harm: 'breaks',
  summary: 'Leftovers of Antrea are removed before its agent restarts.',
  remedy:
    'With Open vSwitch as services, run Prepare-AntreaAgent.ps1 of the same Antrea release at each start, as in its guide.',
  see: guide,
  check: (facts) =>
    when(
      chosen(facts) && facts.spec.network.antrea.ovsDriver === 'signed',
      ['network', 'antrea', 'ovsDriver'],
      'the boot task removes what the last boot has left only where Antrea’s DaemonSet runs Open vSwitch; services start before the task',
    ),
})

export const antreaRules: readonly Rule[] = [
  driverNotChosen,
  driverUnderSecureBoot,
  driverTestSigned,
  apiServerUnknown,
  ipv4,
  hyperVBits,
  hostProcess,
  releaseUntested,
  notPlaced,
  services,
]
