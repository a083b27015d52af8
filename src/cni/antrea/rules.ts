// Antrea: what its driver, its DaemonSet and its agent ask of the node.
import type { Facts } from '../../model/facts.ts'
import { defineRule, when, type Rule } from '../../model/rule.ts'

const guide = 'https://github.com/antrea-io/antrea/blob/main/docs/windows.md'

const chosen = ({ spec }: Facts) => spec.network.cni === 'antrea'

const driverNotChosen = defineRule({
  id: 'antrea-driver-not-chosen',
  severity: 'error',
  summary: 'A profile with Antrea says how the Open vSwitch driver is signed.',
  remedy:
    'Set network.antrea.ovsDriver: signed for a driver of your own, testSigned for the one that Antrea publishes.',
  see: guide,
  check: (facts) =>
    when(
      chosen(facts) && facts.spec.network.antrea.ovsDriver === undefined,
      ['network', 'antrea', 'ovsDriver'],
      'Windows loads the driver below Antrea only if it trusts its signature, and network.antrea.ovsDriver does not say which it has',
    ),
})

const driverUnderSecureBoot = defineRule({
  id: 'antrea-driver-refused-by-secure-boot',
  severity: 'error',
  summary: 'A machine with Secure Boot has a signed driver.',
  remedy:
    'Bring a signed driver and set network.antrea.ovsDriver to signed, or turn Secure Boot off.',
  see: 'https://learn.microsoft.com/windows-hardware/drivers/install/the-testsigning-boot-configuration-option',
  check: ({ spec }) =>
    when(
      spec.network.antrea.ovsDriver === 'testSigned' && spec.machine.secureBoot === true,
      ['network', 'antrea', 'ovsDriver'],
      'Secure Boot keeps test signing off, so Windows refuses the driver',
    ),
})

const driverTestSigned = defineRule({
  id: 'antrea-driver-test-signed',
  severity: 'warning',
  harm: 'exposes',
  summary: 'Windows loads drivers that Microsoft signed.',
  remedy: 'Bring a signed driver and set network.antrea.ovsDriver to signed.',
  see: guide,
  check: ({ spec }) =>
    when(
      spec.network.antrea.ovsDriver === 'testSigned',
      ['network', 'antrea', 'ovsDriver'],
      'test signing lets Windows load any driver with a test signature, whoever made it',
    ),
})

const apiServerUnknown = defineRule({
  id: 'antrea-needs-api-server-address',
  severity: 'error',
  summary: 'A profile with Antrea names the API server.',
  remedy:
    'Set join.endpoint, and with kubeadm join.caCertHashes: kubeadm token create --print-join-command prints both.',
  see: guide,
  asks: ['join.endpoint', 'join.caCertHashes'],
  check: (facts) =>
    when(
      chosen(facts) && facts.spec.join.endpoint === undefined,
      ['join', 'endpoint'],
      'Antrea replaces kube-proxy, so its agent cannot use the API server’s Service IP; set the real endpoint',
    ),
})

const driverWithoutAntrea = defineRule({
  id: 'ovs-driver-without-antrea',
  severity: 'warning',
  harm: 'limits',
  summary: 'Only Antrea has an Open vSwitch driver.',
  remedy: 'Remove network.antrea.ovsDriver.',
  see: guide,
  check: (facts) =>
    when(
      !chosen(facts) && facts.spec.network.antrea.ovsDriver !== undefined,
      ['network', 'antrea', 'ovsDriver'],
      `${facts.spec.network.cni} uses no Open vSwitch`,
    ),
})

const features = ['Hyper-V', 'Hyper-V-PowerShell'] as const

const hyperVBits = defineRule({
  id: 'antrea-needs-hyper-v-features',
  severity: 'error',
  summary: 'A machine with Antrea has Hyper-V and its PowerShell module.',
  remedy:
    'Add Hyper-V and Hyper-V-PowerShell to host.features; where the processor cannot virtualise, enable them in the image with dism first.',
  see: guide,
  check: (facts) => {
    const installed = facts.spec.host.features.map((name) => name.toLowerCase())
    return features.flatMap((name) =>
      when(
        chosen(facts) && !installed.includes(name.toLowerCase()),
        ['host', 'features'],
        `Antrea’s agent works through the virtual switch of Hyper-V and needs the feature ${name}`,
      ),
    )
  },
})

const hostProcess = defineRule({
  id: 'antrea-needs-host-process',
  severity: 'error',
  summary: 'Antrea’s DaemonSet finds HostProcess pods and an image that containerd can import.',
  remedy: 'Use a newer Kubernetes and a newer containerd.',
  upgrades: ['kubelet', 'containerd'],
  see: guide,
  check: (facts) => {
    const { kubernetes, containerd } = facts.spec
    return [
      ...when(
        chosen(facts) && !facts.has('kubelet-host-process'),
        ['kubernetes', 'version'],
        `HostProcess pods are ready from 1.26 on, and the kubelet is ${kubernetes.version}`,
      ),
      ...when(
        chosen(facts) && !facts.has('containerd-imports-agent-image'),
        ['containerd', 'version'],
        `containerd ${containerd.version} cannot import Antrea’s image; 1.6.18 can`,
      ),
    ]
  },
})

const releaseUntested = defineRule({
  id: 'antrea-untested-on-windows-release',
  severity: 'warning',
  harm: 'ages',
  summary: 'Antrea is tested on the Windows release.',
  remedy: 'Use Windows Server 2022, or test this pair yourself.',
  see: guide,
  check: (facts) =>
    when(
      chosen(facts) && facts.windows.build > 20_348,
      ['windows', 'release'],
      `Antrea documents Windows Server 2019 and 2022, and this is ${facts.windows.name}`,
    ),
})

const startsAnew = defineRule({
  id: 'antrea-network-gone-after-restart',
  severity: 'info',
  harm: 'breaks',
  summary: 'Somebody clears what Antrea left before its agent starts again.',
  remedy:
    'Run Prepare-AntreaAgent.ps1 -RunOVSServices $false of the same release at each start, as its guide says.',
  see: guide,
  check: (facts) =>
    when(
      chosen(facts),
      ['network', 'cni'],
      'Antrea’s network does not survive a restart; it needs a physical adapter that no other switch has, and its stale bridge must go first',
    ),
})

const proxySettings = defineRule({
  id: 'kube-proxy-settings-unused',
  severity: 'error',
  summary: 'Where the plugin replaces kube-proxy, the profile does not set kube-proxy up.',
  remedy: 'Remove what stands below kubeProxy.',
  see: guide,
  check: (facts) => {
    const { featureGates, config } = facts.spec.kubeProxy
    const given = Object.keys(featureGates).length + Object.keys(config).length > 0
    return when(
      chosen(facts) && given,
      ['kubeProxy'],
      'kube-proxy must not run beside Antrea, and is not installed',
    )
  },
})

export const antreaRules: readonly Rule[] = [
  driverNotChosen,
  driverUnderSecureBoot,
  driverTestSigned,
  apiServerUnknown,
  driverWithoutAntrea,
  hyperVBits,
  hostProcess,
  releaseUntested,
  startsAnew,
  proxySettings,
]
