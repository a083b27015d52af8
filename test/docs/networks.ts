// docs/networks.md: the network plugins, generated from their tables and from the rules.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { checkWithoutUpgrades } from '../../src/check.ts'
import type { Cni } from '../../src/cni/plugin.ts'
import { cniNames, everyCni } from '../../src/cni/index.ts'
import { unsupportedModes, unsupportedPlugins } from '../../src/cni/unsupported.ts'
import { matrixNetworks } from '../../src/commands/matrix/networks.ts'
import { patchOfNetwork } from '../../src/support/networks.ts'
import { builtinNames } from '../../src/io/profiles/builtins.ts'
import { loadProfile } from '../../src/io/profiles.ts'
import { kubernetesMinors } from '../../src/matrix/kubernetes.ts'
import { tablesDate } from '../../src/matrix/tables-date.ts'
import { runsKubernetes, windowsReleases } from '../../src/matrix/windows.ts'
import type { Facts } from '../../src/model/facts.ts'
import type { Layer } from '../../src/model/layer.ts'
import { planOf } from '../../src/plan.ts'
import type { CniName } from '../../src/model/plugin-settings.ts'
import type { Rule } from '../../src/model/rule.ts'
import type { NetworkMode } from '../../src/model/spec.ts'
import { combinations } from '../../src/support/combinations.ts'
import { root } from '../tools/run.ts'
import { anchor, code, fence, page, prose, table } from './markdown.ts'

/** Whether a plugin applies NetworkPolicies to Windows pods, with the source. */
const policies: Readonly<Record<CniName, readonly [answer: string, see?: string]>> = {
  flannel: ['no', 'https://github.com/flannel-io/flannel#networking-details'],
  calico: [
    'yes',
    'https://docs.tigera.io/calico/latest/getting-started/kubernetes/windows-calico/limitations',
  ],
  antrea: ['yes', 'https://github.com/antrea-io/antrea/blob/main/docs/windows.md'],
  'win-bridge': ['no', 'https://www.cni.dev/plugins/current/main/win-bridge/'],
  eks: ['no', 'https://docs.aws.amazon.com/eks/latest/userguide/cni-network-policy.html'],
  none: ['depends on the plugin'],
}

/** Recorded answers of the plugin's own programs, in test/upstream/verdicts. */
const recorded: Readonly<
  Partial<Record<CniName, readonly (readonly [file: string, of: string])[]>>
> = {
  flannel: [
    ['flanneld', 'flanneld.exe, under Wine'],
    ['host-local', 'host-local.exe, under Wine'],
  ],
  antrea: [['antrea-agent-conf', 'the agent’s own reading of its file, under Wine']],
  calico: [['calico-installation', 'the operator’s own functions']],
  'win-bridge': [['host-local', 'host-local.exe, under Wine']],
}

/** What no real program has answered for. */
const notRecorded: Readonly<Record<CniName, string>> = {
  flannel: 'its CNI configuration',
  calico: 'its CNI configuration, which the operator writes',
  antrea: 'its CNI configuration, which its DaemonSet writes',
  'win-bridge': 'its CNI configuration',
  eks: 'its user data and the CNI configuration of its image',
  none: 'the plugin',
}

const choice = `flowchart TD
  start{"What runs the cluster?"} -->|EKS| eks["eks"]
  start -->|"AKS, GKE"| pools["their own pools, without winnode"]
  start -->|kubeadm or another installer| linux{"Does the cluster have a plugin for Windows?"}
  linux -->|"flannel, Calico, Antrea"| same["the same"]
  linux -->|"another DaemonSet"| none["none"]
  linux -->|"not yet"| policy{"Do Windows pods need NetworkPolicy?"}
  policy -->|yes| calico["calico"]
  policy -->|no| routes{"What routes pod CIDRs?"}
  routes -->|"routers or the cloud’s route table"| bridge["win-bridge"]
  routes -->|"nothing, all nodes in one subnet"| hostgw["flannel l2bridge"]
  routes -->|nothing| overlay["flannel overlay"]`

export function networksPage(): string {
  return page([
    '# Choose a network plugin',
    'All nodes of a cluster use one network plugin, so an existing cluster decides: `winnode init --from-cluster` reads it. `winnode matrix` shows which versions go with it. This page is generated from the plugins’ tables and from the rules.',
    fence('mermaid', choice),
    table(
      ['Plugin', 'Mode', 'Backend', 'Between nodes', 'NetworkPolicy', 'Windows', 'Profile'],
      everyCni.flatMap(modeRows),
    ),
    `Windows: with Kubernetes ${newest}, as of ${tablesDate}; in brackets, with warnings. No answer comes from a real HNS: [measure a Windows Server](first-real-run.md).`,
    ...everyCni.flatMap(section),
    '## Not supported',
    'Refused as `network.cni` or `network.mode`, and where `winnode init --from-cluster` finds one:',
    table(
      ['Name', 'It', 'Instead', 'Source'],
      [
        ...unsupportedPlugins.map((row) => [row.title, row] as const),
        ...Object.entries(unsupportedModes).map(([mode, row]) => [code(mode), row] as const),
      ].map(([name, { reason, instead, see }]) => [
        name,
        prose(reason),
        prose(instead),
        `<${see}>`,
      ]),
    ),
  ])
}

const newest = kubernetesMinors.at(-1)?.minor ?? ''

const releases = windowsReleases.filter(
  (one) => runsKubernetes(one) && tablesDate <= one.extendedEnd,
)

const networks = matrixNetworks(cniNames, root)

const cells = combinations(
  {
    windows: releases.map(({ id }) => id),
    kubernetes: [newest],
    containerd: [undefined],
    networks,
  },
  { today: tablesDate, allowNewer: false },
)

const tunnels: Readonly<Record<string, string>> = {
  vxlan: 'UDP between nodes',
  geneve: 'UDP between nodes',
  stt: 'TCP between nodes',
}

function headingOf({ id, title }: Cni): string {
  return id === 'none' ? 'Other plugins' : title
}

function modeRows(cni: Cni): readonly (readonly string[])[] {
  const { id, title, modes } = cni
  const rows = Object.entries(modes).flatMap(([mode, row]) => [
    { mode, ...row },
    ...Object.entries(row.others ?? {}).map(([backend, other]) => ({
      mode,
      ...row,
      ...other,
      backend,
    })),
  ])
  return rows.map(({ mode, backend, asks }) => [
    `[${title}](${anchor(headingOf(cni))})`,
    code(mode),
    backend === '' ? '' : code(backend),
    [tunnels[backend], asks].filter((words) => words !== undefined).join('; '),
    policies[id][0],
    cells
      .filter((cell) => cell.cni === id && cell.mode === mode && cell.backend === backend)
      .filter((cell) => cell.verdict !== 'no')
      .map((cell) => (cell.verdict === 'ok' ? cell.windows : `(${cell.windows})`))
      .join(', '),
    profilesOf(id, mode, backend),
  ])
}

/** The built-in profiles by plugin and mode. */
const builtins = builtinNames(root).flatMap((name) => {
  const { layers } = loadProfile({ profile: name, root, cwd: root })
  const { cni, mode, backend } = judged(layers, name).facts.spec.network
  return name === 'base' ? [] : [{ name, cni, mode, backend }]
})

function judged(layers: readonly Layer[], name: string) {
  return checkWithoutUpgrades(layers, name, { today: tablesDate, allowNewer: false })
}

function profilesOf(id: CniName, mode: string, backend: string): string {
  return builtins
    .filter((one) => one.cni === id && one.mode === mode && one.backend === backend)
    .map(({ name }) => code(name))
    .join(', ')
}

function section(cni: Cni): readonly string[] {
  const { id, see, rules } = cni
  const shown = networks
    .filter((network) => network.cni === id && network.backend === cni.modes[network.mode]?.backend)
    .map((network) => {
      const { mode, layers } = network
      const layer = { name: mode, patch: patchOfNetwork(network), place: () => undefined }
      return { mode, ...judged([...layers, layer], id) }
    })
  const files = shown.flatMap(({ facts, decisions }) => planOf(facts, decisions).files)
  const [policy, source] = policies[id]
  const refusals = rules.filter(({ severity }) => severity === 'error')
  return [
    `## ${headingOf(cni)}`,
    [
      `- ${code(`network.cni: ${id}`)}; its documentation: <${see}>`,
      ...shown.map(({ mode, facts }) => `- ${code(mode)}: ${networkOf(cni, mode, facts)}`),
      `- kube-proxy: ${kubeProxyOf(cni)}`,
      `- NetworkPolicy: ${policy}${source === undefined ? '' : ` (<${source}>)`}`,
      `- for the cluster: ${filesFor(files.map((file) => file.path))}`,
      `- recorded answers of real programs: ${recordedOf(id)}`,
    ].join('\n'),
    ...(refusals.length === 0 ? [] : ['Requirements:', refusals.map(ruleLine).join('\n')]),
  ]
}

function ruleLine({ id, summary }: Rule): string {
  return `- [${id}](rules.md${anchor(id)}): ${prose(summary)}`
}

function networkOf({ modes }: Cni, mode: NetworkMode, { spec }: Facts): string {
  const { hnsType, reserved } = modes[mode] ?? {}
  const { name } = spec.network
  return [
    `HNS network ${name ? `${code(name)} ` : ''}of type ${hnsType}`,
    ...(reserved ? [`${reserved} addresses of each node are not for pods`] : []),
  ].join('; ')
}

function kubeProxyOf({ kubeProxy, image }: Cni): string {
  if (kubeProxy === 'service')
    return 'a Windows service, which the bundle installs, or with `kubeProxy.runsAs: hostProcess` a DaemonSet in `cluster/`'
  if (kubeProxy === 'asked')
    return 'separate, unless the plugin replaces it; with `kubeProxy.runsAs: hostProcess` and `network.name` a DaemonSet in `cluster/`'
  if (kubeProxy === 'daemonSet') return 'a DaemonSet with HostProcess pods, in `cluster/`'
  if (image) return `part of ${image.name}`
  return 'not part of the bundle: the plugin replaces it'
}

/** Files below cluster/, without those that every bundle has. */
function filesFor(paths: readonly string[]): string {
  const own = [...new Set(paths)].filter(
    (file) => file.startsWith('cluster/') && !file.endsWith('README.md'),
  )
  return own.length === 0 ? 'text in its README' : own.map(code).join(', ')
}

function recordedOf(id: CniName): string {
  const files = recorded[id] ?? []
  const counts = files.map(([file, of]) => {
    const { cases } = JSON.parse(
      readFileSync(path.join(root, `test/upstream/verdicts/${file}.json`), 'utf8'),
    )
    return `${cases.length} of ${of}`
  })
  return [...counts, `none for ${notRecorded[id]}`].join(', ')
}
