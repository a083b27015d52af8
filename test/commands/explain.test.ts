// winnode explain: every name that the tables have, what is said of each kind, and names that are mistyped.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { t } from 'tap'
import { scopeOf } from '../../src/commands/explain/scope.ts'
import { explanationsOf, subjectsOf } from '../../src/commands/explain/topics.ts'
import { wordRows } from '../../src/commands/explain/words.ts'
import { alerts } from '../../src/artifacts/addons/windows-exporter.ts'
import { exits } from '../../src/commands/exit.ts'
import { diagnoses } from '../../src/doctor/diagnoses.ts'
import { advisories } from '../../src/matrix/advisories.ts'
import { historyOf, removedIn, spanText } from '../../src/matrix/history.ts'
import { minorsWithTables } from '../../src/matrix/minors.ts'
import { fields } from '../../src/profile/catalogue.ts'
import { rules } from '../../src/rules/index.ts'
import { workloadRules } from '../../src/workloads/rules/index.ts'
import type { Explanation } from '../../src/present/explanation.ts'
import { cited } from '../doctor/cited.ts'
import { filesBelow } from '../tools/checked-in.ts'
import { newestMinor } from '../tools/minors.ts'
import { inProcess, root } from '../tools/run.ts'

const scope = scopeOf('1.36', root)

/** Its explanations; facts by name. */
async function explained(...argv: readonly string[]) {
  const { stdout, code } = await inProcess(['explain', ...argv, '--json'])
  t.equal(code, 0, argv.join(' '))
  const { explanations } = JSON.parse(stdout) as { readonly explanations: readonly Explanation[] }
  return explanations.map(({ kind, name, what, facts, see }) => ({
    ...{ kind, name, what, see },
    ...Object.fromEntries(facts.map((fact) => [fact.name, fact.text])),
  }))
}

t.test('every name has an explanation', async (t) => {
  const subjects = subjectsOf(scope)
  const names = new Set(subjects.map(({ name }) => name))
  t.equal(names.size, subjects.length, 'each once')
  const expected = [
    ...rules.map(({ id }) => id),
    ...workloadRules.map(({ id }) => id),
    ...fields.map((field) => field.path.join('.')),
    ...diagnoses.map(({ id }) => id),
    ...alerts.map(({ alert }) => alert),
    ...Object.values(exits).map(({ code }) => String(code)),
  ]
  t.strictSame(
    expected.filter((name) => !names.has(name)),
    [],
  )
  const mute = subjects.filter(({ name, note }) => {
    const all = explanationsOf(name, scope)
    const isWhole = ({ kind, what, facts, see }: Explanation) =>
      [kind, what, ...facts.flatMap((fact) => [fact.name, fact.text])].every(
        (text) => text !== '',
      ) && see.every((address) => address.startsWith('https://'))
    return note === '' || all.length === 0 || !all.every(isWhole)
  })
  t.strictSame(mute, [])
})

t.test('each kind', async (t) => {
  const [rule] = rules.filter(({ id }) => id === 'windows-release-unsupported')
  const rows: readonly [what: string, found: readonly object[]][] = [
    [
      'windows-release-unsupported',
      [
        {
          kind: 'rule',
          what: rule?.summary,
          severity: 'error',
          fix: rule?.remedy,
          see: [rule?.see],
        },
      ],
    ],
    ['kubelet-port-open-to-all', [{ kind: 'rule', accept: /^ignore\.kubelet-port-open-to-all / }]],
    ['eks-needs-cluster-name', [{ 'needs your': 'network.eks.clusterName' }]],
    ['tab-indentation', [{ kind: 'finding', severity: 'error', fix: /spaces/ }]],
    ['ignored-too-long', [{ kind: 'finding', severity: 'warning' }]],
    [
      'WindowsNodeLoopStopped',
      [{ kind: 'alert', fires: /^winnode_run_timestamp_seconds|time\(\)/, for: '5m', fix: /logs/ }],
    ],
    ['winnode_healthy', [{ kind: 'list', WindowsNodeUnhealthy: /^Steps or health checks/ }]],
    ['field-edited', [{ kind: 'difference', 'found by': 'winnode drift' }]],
    ['linux-side-unknown', [{ kind: 'difference', 'found by': 'winnode drift' }]],
    [
      'kubelet.maxPods',
      [{ kind: 'field', default: '110', value: /whole number/, decides: 'kubelet maxPods' }],
    ],
    ['kubelet.labels.zone', [{ kind: 'field', name: 'kubelet.labels' }]],
    ['network.podCIDRs[0]', [{ kind: 'field', name: 'network.podCIDRs' }]],
    ['network.eks.clusterName', [{ kind: 'field', 'asked by': 'eks-needs-cluster-name' }]],
    ['kubeProxy', [{ kind: 'group of fields', fields: /config/ }]],
    [
      'failSwapOn',
      [
        {
          kind: 'kubelet field',
          [`in ${newestMinor}`]: /^bool, default true/,
          winnode: 'does not write it',
          'set by': 'kubelet.config.failSwapOn',
        },
      ],
    ],
    ['kubelet.config.failSwapOn', [{ kind: 'kubelet field', name: 'failSwapOn' }]],
    ['kubelet.failSwapOn', [{ kind: 'kubelet field', name: 'failSwapOn' }]],
    ['ghsa-742w-89gc-8m9c', [{ kind: 'advisory for containerd' }]],
    ['calico', [{ kind: 'list', 'calico-reads-one-pool': /^\S/ }]],
    [
      'ws2019',
      [
        {
          kind: 'Windows release',
          name: 'Windows Server 2019',
          what: /build 17763/,
          'security updates until': '2029-01-09',
          'Kubernetes >=1.35': /^unlisted: /,
        },
        { kind: 'list', 'windows-release-unlisted': /^\S/ },
      ],
    ],
    ['LTSC2022', [{ kind: 'Windows release', name: 'Windows Server 2022' }]],
    ['17763', [{ kind: 'Windows release', name: 'Windows Server 2019' }]],
    ['upgrade', [{ kind: 'list', 'calico-untested-with-kubernetes': /^\S/ }]],
    [
      'cgroupsPerQOS',
      [{ kind: 'kubelet field', winnode: 'writes false', why: /^Windows has no cgroups/ }],
    ],
    ['containerRuntimeEndpoint', [{ fixed: /pipe/, 'set by': undefined }]],
    ['winkernel.enableDSR', [{ kind: 'kube-proxy field', 'set by': 'network.dsr' }]],
    ['bindAddress', [{ kind: 'kube-proxy field' }]],
    [
      'conf_dir',
      [
        { kind: 'containerd key', format: /^2 / },
        { kind: 'containerd key', format: /^3 .* 4 / },
      ],
    ],
    ['cni.bin_dirs', [{ kind: 'containerd key', name: /bin_dirs\[\]$/ }]],
    ['criSocket', [{ kind: 'kubeadm key', winnode: /containerd/ }]],
    [
      'hostname-override',
      [
        { kind: 'kubelet flag', winnode: 'writes it', why: /^\S/ },
        { kind: 'kube-proxy flag', winnode: 'writes it' },
      ],
    ],
    [
      'log-file',
      [
        { kind: 'kubelet flag', 'removed in': '1.26', winnode: 'does not write it' },
        { kind: 'kube-proxy flag' },
        { kind: 'kubelet service: flag', name: '-log-file' },
        { kind: 'kube-proxy service: flag' },
        { kind: 'containerd service: flag', name: '--log-file' },
      ],
    ],
    ['source-vip', [{ kind: 'kube-proxy flag' }, { kind: 'step', 'set by': undefined }]],
    ['GOTRACEBACK', [{ kind: 'kubelet service: environment variable' }, {}, {}]],
    [
      'page-file',
      [{ kind: 'step', phase: 'image', reboot: 'may be required', 'set by': 'host.pageFileMiB' }],
    ],
    ['free-disk', [{ kind: 'preflight check', phase: 'image', 'if it fails': /^exit code 2; / }]],
    ['pending-restart', [{ phase: 'every phase but boot', 'if it fails': /^exit code 3010; / }]],
    ['windows-build', [{ phase: 'every phase' }]],
    ['sandbox-image', [{ kind: 'health check', what: 'containerd has the sandbox image.' }]],
    ['page-file-missing', [{ kind: 'diagnosis', confidence: 'likely', 'looks at': 'steps' }]],
    ['6', [{ kind: 'exit code', what: exits.incomplete.means }]],
  ]
  for (const [what, found] of rows) {
    const all = await explained(what)
    t.equal(all.length, found.length, what)
    t.match(all, found, what)
  }
})

t.test('every check that the scripts print has an explanation', async (t) => {
  const folder = path.join(root, 'templates/node/module')
  const named = filesBelow(folder).flatMap((file) => {
    const text = readFileSync(path.join(folder, file), 'utf8')
    const checks = text.matchAll(/(?:Add-NodePreflight -Id|@\{ Id =) '([a-z-]+)'/g)
    const symptoms = text.matchAll(/Id = '([a-z-]+)'; Service/g)
    return [
      ...Array.from(checks, ([, id = '']) => id),
      ...Array.from(symptoms, ([, id = '']) => `symptom-${id}`),
    ]
  })
  t.ok(named.length > 10, 'the scripts name checks')
  for (const id of named) {
    const kinds = explanationsOf(id, scope).map(({ kind }) => kind)
    t.ok(kinds.includes('preflight check'), id)
  }
})

t.test('a feature gate: each minor as its table has it', async (t) => {
  const minor = (name: string) =>
    JSON.parse(readFileSync(path.join(root, `src/matrix/minors/${name}.json`), 'utf8')) as {
      readonly gates: Readonly<Record<string, object>>
    }
  const [gate = {}] = await explained('SidecarContainers', '--kubernetes', '1.33')
  t.match(gate, {
    kind: 'feature gate',
    'in 1.33': 'GA, locked to on',
    '1.28': 'Alpha, off by default',
    '1.29 to 1.32': 'Beta, on by default',
    '1.33 to 1.36': 'GA, locked to on',
    'removed in': '1.37',
  })
  t.match(await explained('SidecarContainers', '--kubernetes', '1.37'), [
    { 'in 1.37': 'not available' },
  ])
  t.match(
    await explained('WindowsGracefulNodeShutdown'),
    [{ 'from 1.34': 'Beta, on by default' }],
    'one row, although it needs another gate only since 1.35',
  )
  t.match(minor('1.29').gates['SidecarContainers'], { stage: 'Beta', default: true, locked: false })
  t.match(minor('1.36').gates['SidecarContainers'], { stage: 'GA', default: true, locked: true })
  t.notOk('SidecarContainers' in minor('1.37').gates)
})

t.test('flags of a version', async (t) => {
  t.match(await explained('--pod-infra-container-image', '--kubernetes', '1.34'), [
    {
      kind: 'kubelet flag',
      'in 1.34': /deprecated: will be removed in/,
      winnode: 'does not write it',
    },
  ])
  t.match(await explained('node-ip', '--kubernetes', '1.27'), [{ 'in 1.27': /^unknown/ }])
  t.match(await explained('fail-swap-on'), [
    { [`in ${newestMinor}`]: /deprecated: set it in the configuration file$/ },
  ])
})

t.test('a history: minors that follow each other with equal rows', async (t) => {
  const rows = new Map([
    ['1.25', 'a'],
    ['1.26', 'a'],
    ['1.28', 'a'],
    ['1.29', 'b'],
  ])
  const history = historyOf((minor) => rows.get(minor))
  t.strictSame(history, [
    { from: '1.25', to: '1.26', row: 'a' },
    { from: '1.28', to: '1.28', row: 'a' },
    { from: '1.29', to: '1.29', row: 'b' },
  ])
  t.strictSame(history.map(spanText), ['to 1.26', '1.28', '1.29'])
  t.equal(removedIn(history), '1.30')
  const known = ['1.26', '1.28']
  t.strictSame(
    historyOf(() => 'a', known),
    [{ from: '1.26', to: '1.28', row: 'a' }],
  )
  const newest = minorsWithTables.at(-1) ?? ''
  t.equal(spanText({ from: '1.25', to: newest }), `1.25 to ${newest}`)
  t.equal(spanText({ from: '1.30', to: newest }), 'from 1.30')
  t.equal(removedIn(historyOf(() => 'a')), undefined)
})

t.test('names in another case, mistyped and unknown', async (t) => {
  t.match(await explained('failswapon'), [{ kind: 'kubelet field', name: 'failSwapOn' }])
  t.match(await explained('GHSA-742w-89gc-8m9c'), [{ name: 'CVE-2020-15157' }])
  const rows: readonly [name: string, guess: string][] = [
    ['calico-lacks-windows-relase', 'calico-lacks-windows-release'],
    ['kubelet.maxPod', 'kubelet.maxPods'],
    ['SidecarContainer', 'SidecarContainers'],
    ['failSwapOm', 'failSwapOn'],
    ['page-fil', 'page-file'],
    ['page-file-mising', 'page-file-missing'],
    // Without a name near enough, the words that a name shares.
    ['exitcods', 'exit-codes'],
    ['clok', 'clock'],
    ['plugns', 'plugins'],
    ['CVE-2023-3766', 'CVE-2023-3676'],
    ['GHSA-5j5w-g665-5m53', 'GHSA-5j5w-g665-5m35'],
    ['DisableHNSNetwrok', 'hns-network'],
    ['windows-unsuported-release', 'windows-release-unsupported'],
    ['tab-indentaton', 'tab-indentation'],
    ['unknwon-field', 'unknown-field'],
    ['field-editted', 'field-edited'],
    ['network.podCIDR', 'network.podCIDRs'],
    ['flannel.vni', 'network.flannel.vni'],
    ['firewall.kubeletFrom', 'host.firewall.kubeletFrom'],
    ['WindowsGracefulShutdown', 'WindowsGracefulNodeShutdown'],
    ['LogQuery', 'NodeLogQuery'],
    ['--hostname-overide', 'hostname-override'],
    ['fail-swapom', 'failSwapOn'],
    ['imageGCHighThresholdPercnt', 'imageGCHighThresholdPercent'],
    ['winkernel.enableDRS', 'winkernel.enableDSR'],
    ['criSockets', 'criSocket'],
    ['pagefle', 'page-file'],
    ['missing-hns-network', 'hns-network-missing'],
    ['clock-offf', 'clock-off'],
    ['calico-waits-hns', 'calico-waits-for-hns'],
  ]
  for (const [name, guess] of rows)
    t.match(await inProcess(['explain', name]), {
      code: 2,
      stderr: `error: unknown name: ${name.replace(/^--/, '')}\n  did you mean ${guess}?\n`,
    })
  const { stdout } = await inProcess(['explain', 'node-ip'])
  for (const spelled of ['--node-ip', '--NODE-IP', 'NODE-IP', '--node_ip'])
    t.match(await inProcess(['explain', spelled]), { code: 0, stdout }, spelled)
  t.match(await inProcess(['explain', 'no-such-thing-at-all']), {
    code: 2,
    stderr: 'error: unknown name: no-such-thing-at-all\n  see: winnode explain --help\n',
  })
  t.match(await inProcess(['explain']), {
    code: 2,
    stderr: /^error: missing subject: name of a .* line of a log\n/,
  })
  t.match(await inProcess(['explain', 'kubelet.maxPods', '--kubernets', '1.36']), {
    code: 2,
    stderr: /did you mean --kubernetes\?/,
  })
})

t.test('a message of a program is explained by the diagnosis that it is evidence of', async (t) => {
  const namesFor = (text: string) => explanationsOf(text, scope).map(({ name }) => name)
  for (const [id, { line }] of Object.entries(cited))
    t.ok(namesFor(line).includes(id), `${id}: ${line}`)
  for (const [message, id] of [
    ['NetworkPluginNotReady message: cni plugin not initialized', 'plugin-not-ready'],
    [
      'network: error while ProvisionEndpoint(0937_l2bridge,990998DF,0937): Element not found.',
      'hns-element-missing',
    ],
    [
      'Failed to create endpoint: hnsCall failed in Win32: Element not found. (0x490)',
      'hns-element-missing',
    ],
    // A part of what a check of the node reports.
    ['cordoned', 'node-cordoned'],
  ] as const)
    t.strictSame(namesFor(message), [id], message)
  for (const other of ['', 'all is well', 'Started kubelet', 'no-such-thing-at-all'])
    t.strictSame(namesFor(other), [], other)
  t.match(await inProcess(['explain', 'PLEG is not healthy']), {
    code: 0,
    stdout: /^diagnosis runtime-stalled\n/,
  })
})

t.test('words of a platform engineer give the names of their subject', async (t) => {
  const known = new Set(subjectsOf(scope).map(({ name }) => name))
  for (const [word, names] of wordRows) {
    t.strictSame(
      names.filter((name) => !known.has(name)),
      [],
      word,
    )
    t.equal(new Set(names).size, names.length, word)
  }
  const words = wordRows.map(([word]) => word)
  for (const group of ['exposure', 'defects', 'upgrade'])
    t.ok(words.includes(group), `${group}, the id of a group of findings`)
  t.equal(new Set(words).size, words.length, 'each word once')
  const rows: readonly (readonly [word: string, name: string])[] = [
    ['cni', 'network.cni'],
    ['plugins', 'network.cni'],
    ['runtime', 'containerd.version'],
    ['NotReady', 'plugin-not-ready'],
    ['DiskPressure', 'disk-full'],
    ['ImagePullBackOff', 'image-without-windows'],
    ['FailedCreatePodSandBox', 'plugin-not-ready'],
    ['VXLAN', 'network.backend'],
    ['dsr', 'network.dsr'],
    ['sandbox image', 'sandboxImage'],
    ['pause', 'sandboxImage'],
    ['cgroups', 'cgroupsPerQOS'],
    ['taint', 'kubelet.taints'],
    ['taints', 'kubelet.taints'],
    ['npipe', 'containerRuntimeEndpoint'],
    ['gmsa', 'cluster.gmsa'],
    ['HostProcess', 'kubeProxy.runsAs'],
    ['csr', 'kubelet.servingCertificateApprover'],
    ['token', 'join.tokenFile'],
    ['maxpods', 'kubelet.maxPods'],
    ['reserved', 'reserve.kube'],
    ['eviction', 'reserve.evictionHard'],
    ['proxy-mode', 'kube-proxy-mode-not-kernelspace'],
    ['winkernel', 'winkernel'],
    ['exit codes', 'exit-codes'],
    ['3010', 'node-waits'],
    ['10250', 'host.firewall.kubeletFrom'],
    ['port 10250', 'host.firewall.kubeletFrom'],
    ['dns', 'network.clusterDNS'],
    ['kubeadm', 'join.method'],
    ['nic', 'network.adapter'],
    ['Interfaces', 'network.adapter'],
    ['CA', 'join.ca'],
    ['kube-proxy', 'kubeProxy'],
    ['firewall', 'host.firewall'],
    ['mirrors', 'registry.mirrors'],
    ['credential provider', 'registry.credentialProvider'],
    ['hyper-v', 'isolation.hyperV'],
    ['pagefile', 'page-file'],
    ['hns', 'network.name'],
    ['overlay', 'network.mode'],
    ['l2bridge', 'network.mode'],
    ['vni', 'network.flannel.vni'],
    ['4789', 'network.flannel.port'],
    ['cve', 'version-has-advisory'],
    ['defender', 'host.defenderExclusions'],
    ['proxy', 'host.proxy'],
    ['labels', 'kubelet.labels'],
    ['image gc', 'imageGCHighThresholdPercent'],
    ['log rotation', 'containerLogMaxSize'],
    ['swap', 'host.pageFileMiB'],
    ['static pods', 'staticPodPath'],
    ['certificate rotation', 'rotateCertificates'],
    ['ntp', 'host.timeServers'],
  ]
  for (const [word, name] of rows) {
    const found = explanationsOf(word, scope)
    const names = found.flatMap((one) => [one.name, ...one.facts.map((fact) => fact.name)])
    t.ok(names.includes(name), `${word}: ${names.join(', ')}`)
  }
})

t.test('an advisory, of each component that it is about', async (t) => {
  t.match(await explained('cve-2023-3676'), [
    {
      kind: 'advisory for kubelet',
      name: 'CVE-2023-3676',
      severity: 'high',
      'fixed in': /1\.28\.1$/,
      see: ['https://github.com/kubernetes/kubernetes/issues/119339'],
    },
  ])
  const names = subjectsOf(scope).map(({ name }) => name)
  t.strictSame(
    advisories.filter(({ id }) => !names.includes(id)),
    [],
  )
})

t.test('text for people, one line each in a pipe', async (t) => {
  const { stdout } = await inProcess(['explain', 'kubelet.maxPods'])
  t.equal(
    stdout,
    `field kubelet.maxPods
  Maximum number of pods on the node. Each pod needs an address of the node’s pod CIDR, and adds 11 MiB to the default reservation.

  value           a whole number from 1 to 65535
  default         110
  a change needs  Install-WinNode.ps1; on joined nodes also Join-WinNode.ps1
  example         60
  decides         kubelet maxPods
`,
  )
})

t.test('validate names it once, for the gravest finding', async (t) => {
  const hint = (argv: readonly string[]) =>
    inProcess(['validate', ...argv, '--as-of', '2026-11-26']).then(({ stderr }) => stderr)
  const calico = 'more about a finding: winnode explain calico-needs-api-server-address\n'
  t.equal(await hint(['ws2022-calico']), calico)
  t.equal(await hint(['ws2022-calico', 'ws2022-antrea']), calico)
  t.equal(await hint(['ws2022-flannel-overlay']), '', 'notes are one line already')
  t.equal(await hint(['ws2022-calico', '--quiet']), '')
  t.equal(await hint(['ws2022-calico', '--format', 'lines']), '')
  t.equal(await hint(['ws2022-calico', '--json']), '')
})

t.test('a row of --facts is named with its file, or not at all', async (t) => {
  const row = {
    ...{ id: 'corp-storage', component: 'kubelet', range: '*', severity: 'error' },
    ...{ effect: 'it hangs', fixedIn: [], see: 'https://example.com/17', checked: '2026-11-27' },
  }
  const head = 'apiVersion: winnode/v1\n'
  const folder = t.testdir({
    'corp.facts.yaml': `${head}kind: Facts\nwhy: Tested.\ndefects: [${JSON.stringify(row)}]\n`,
    'node.yaml': `${head}kind: NodeProfile\nextends: ws2022-flannel-overlay\nfacts: ./corp.facts.yaml\n`,
  })
  const file = path.join(folder, 'corp.facts.yaml')
  const node = path.join(folder, 'node.yaml')
  for (const argv of [
    ['validate', 'ws2022-flannel-overlay', '--facts', file],
    ['validate', node],
    ['solve', 'ws2022-flannel-overlay', '--facts', file, '--set', 'kubernetes.version=1.36'],
  ]) {
    const { stderr } = await inProcess([...argv, '--as-of', '2026-11-26'])
    const [, named = ''] = / winnode explain corp-storage --facts (\S+)\n$/.exec(stderr) ?? []
    t.equal(path.resolve(named), file, `${argv.join(' ')}: ${stderr}`)
    t.match(await explained('corp-storage', '--facts', named), [
      { kind: 'rule', severity: 'error', 'added by': named, upgrade: undefined },
    ])
  }
  t.match(await inProcess(['explain', 'corp-storage']), { code: 2, stderr: /unknown name/ })
  const odd = path.join(folder, 'odd.facts.yaml')
  const text = { ...row, id: 'corp; rm -rf .' }
  writeFileSync(odd, `${head}kind: Facts\nwhy: Tested.\ndefects: [${JSON.stringify(text)}]\n`)
  t.match(
    await inProcess(['validate', 'ws2022-flannel-overlay', '--facts', odd]),
    { code: 2, stderr: /defects\[0\]\.id: not words with dashes/ },
    'an id is a word of a command',
  )
  t.match(await inProcess(['explain', 'corp-storag', '--facts', file]), {
    stderr: /did you mean corp-storage\?/,
  })
})
