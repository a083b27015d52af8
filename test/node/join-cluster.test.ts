// What Join asks of the cluster before it acts: an API server that is late, another cluster, and one without proof.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bring, install, joins, ready, succeeded, token } from '../host/course.ts'
import { everyKind } from '../host/every-kind.ts'
import { checksOf } from '../host/bundle.ts'
import { differences, type Host, trouble } from '../host/host.ts'
import { scenario, scenarioOfAll, type Stage } from '../host/stage.ts'

scenarioOfAll('an API server that answers later', async (t, stage) => {
  const { host } = stage
  await ready(stage)
  await host.ps('Stop-HostApi -For 240')
  succeeded(await host.run('Join', { Token: token }))
  t.pass('kubeadm itself tries for five minutes')
  const { endpoint, ca } = await host.cluster()
  const asked = (change: string, undo: string) =>
    host.ps(
      `${change}
      try {
        & (Get-Module -Name WinNode.Loop) {
          Open-NodeRun -Path 'C:\\win-node'
          try { Invoke-NodeRequest -Way @{ Server = $args[0]; Ca = $args[1] } -Path '/version' } finally { Close-NodeRun }
        } "https://$($with.endpoint)" $with.ca
      } finally { ${undo} }`,
      { endpoint, ca },
    )
  // As a balancer does that has no server behind it.
  const mute = await asked(
    '[WinNodeHost.ApiServer]::Mute = $true',
    '[WinNodeHost.ApiServer]::Mute = $false',
  )
  t.match(mute, { Problem: 'Unable to connect to the server: EOF', Lasting: false }, 'again')
  for (const [code, Reason, Lasting] of [
    [403, 'Forbidden', true],
    [429, 'TooManyRequests', false],
    [503, 'ServiceUnavailable', false],
  ] as const) {
    const answer = await asked(
      `[WinNodeHost.ApiServer]::Answers = ${code}`,
      '[WinNodeHost.ApiServer]::Answers = 0',
    )
    t.match(answer, { Reason, Lasting })
  }
})

/** A bundle that also asks for the name, the connection and the clock of the API server, as rendered ones do. */
async function asks({ machine }: Stage, endpoint: (real: string) => string, host: Host) {
  const given = everyKind()
  await machine(given)
  const at = endpoint((await host.cluster()).endpoint)
  const checks = ['dns', 'apiServer', 'clockSkew'].map((kind) => ({
    ...{ id: kind, kind, phases: ['beforeJoin'], verdict: 'fail' },
    with: [
      { name: 'endpoint', value: at },
      { name: 'seconds', value: 300 },
    ],
  }))
  const drive = await machine({ ...given, preflight: [...checks, ...checksOf(given)] })
  await install(host)
  bring(drive)
}

/** What the check of the API server waits for. */
const later = {
  'nothing listens': 'Stop-HostApi -For 240',
  'a balancer without a server': `[WinNodeHost.ApiServer]::Deaf = $true
    Add-HostDue -After 240 -Name hears -Subject ''
    & (Get-Module -Name host) { $script:Happening['hears'] = { [WinNodeHost.ApiServer]::Deaf = $false } }`,
}

for (const [what, script] of Object.entries(later)) {
  scenarioOfAll(`an API server that answers later: ${what}`, async (t, stage) => {
    const { host } = stage
    await asks(stage, (real) => real, host)
    await host.ps(script)
    const tried = await host.run('Join', { Token: token, WhatIf: true })
    t.equal(tried.result.exitCode, 2, 'a dry run does not wait')
    const { talk } = await host.talk('Join', { Token: token })
    t.match(talk.join('\n'), /check +waiting +api-server/)
    t.match(talk.join('\n'), /The Node is Ready\.\n/)
  })
}

scenarioOfAll('an API server whose name has no address', async (t, stage) => {
  const { host } = stage
  await asks(stage, () => 'api.winnode.invalid:6443', host)
  const clock = () => host.ps<number>('& (Get-Module -Name host) { $script:Machine.Seconds }')
  const before = await clock()
  const { talk, code } = await host.talk('Join', { Token: token, TimeoutMinutes: 1 })
  t.equal(code, 2)
  t.match(talk.join('\n'), /check +waiting +dns +api\.winnode\.invalid: /)
  t.ok((await clock()) - before >= 60, 'names come up in their own time, too')
})

/** What the cluster is like, the name of the difference, and the words. */
const differing: readonly (readonly [script: string, name: string, words: string])[] = [
  [
    `Set-HostConfigMap -Name kube-system/kubeadm-config -Data @{ ClusterConfiguration = "kubernetesVersion: v1.34.4\`nnetworking:\`n  dnsDomain: k8s.example\`n  podSubnet: 10.9.0.0/16\`n  serviceSubnet: 10.97.0.0/16" }`,
    'pods',
    'pods: the cluster: 10.9.0.0/16, the bundle: 10.244.0.0/16; change network.podCIDRs, or use -Accept pods',
  ],
  [
    '',
    'kubeadm',
    'kubeadm: the cluster: 1.34.4, the bundle: 1.36.0; change kubernetes.kubeadm, or use -Accept kubeadm',
  ],
  ['', 'services', 'services: the cluster: 10.97.0.0/16, the bundle: 10.96.0.0/12; change'],
  [
    '',
    'domain',
    'domain: the cluster: k8s.example, the bundle: cluster.local; change network.clusterDomain',
  ],
  [
    `Set-HostConfigMap -Name kube-system/kubelet-config -Data @{ kubelet = "clusterDNS:\`n- 169.254.20.10\`n- 10.96.0.53\`nclusterDomain: cluster.local\`nhealthzPort: 10348" }`,
    'dns',
    'dns: the cluster: 10.96.0.53, the bundle: 10.96.0.10; change network.clusterDNS',
  ],
  [
    '',
    'health',
    'health: the port at which kubeadm waits for the kubelet: 10348, the bundle: 10248; change healthzPort in the ConfigMap kubelet-config',
  ],
  [
    `Set-HostObject -Path /version -Value @{ gitVersion = 'v1.35.4' }`,
    'version',
    'version: the cluster: 1.35.4, the bundle: 1.36.0; change kubernetes.version',
  ],
  [
    `Set-HostNode -Name node-a -Ready $true -Address 192.0.2.77`,
    'name',
    'name: the cluster: a Ready Node node-a at 192.0.2.77 on node-a 4C4C4544-0042-3510-8050-B4C04F564433, the bundle: this machine at 192.0.2.10',
  ],
  [
    `Set-HostConfigMap -Name kube-public/cluster-info -Data @{ kubeconfig = Get-HostKubeconfig -Server https://lb.example.com:6443 }`,
    'endpoint',
    'endpoint: cluster-info: https://lb.example.com:6443, the bundle: https://127.0.0.1:',
  ],
  [
    `Add-HostLinuxNode -Name linux-a -Backend host-gw -Data null -Subnet 10.8.1.0/24; Add-HostLinuxNode -Name linux-b -Backend host-gw -Data '{"VNI":1,"VtepMAC":"00:15:5d:00:0a:01"}'`,
    'backend',
    'backend: the cluster: host-gw, the bundle: vxlan; change network.mode, or flannel in the cluster',
  ],
  ['', 'vni', 'vni: the cluster: 1, the bundle: 4096; change network.flannel.vni'],
  [
    '',
    'mac',
    'mac: the cluster: linux-b with the MAC address 00-15-5D-00-0A-01, the bundle: this machine with the same address; change the MAC address of one of the machines',
  ],
  ['', 'pods', 'pods: the cluster: nodes with pods in 10.8.1.0/24, the bundle: 10.244.0.0/16'],
  [
    `Set-HostObject -Path /api/v1/namespaces/kube-system/services/kube-dns -Value @{ metadata = @{ labels = @{ 'k8s-app' = 'kube-dns' } }; spec = @{ clusterIP = '10.96.0.99' } }`,
    'dns',
    'dns: the cluster: 10.96.0.99, the bundle: 10.96.0.10',
  ],
  [
    `Set-HostObject -Path /apis/networking.k8s.io/v1/servicecidrs/kubernetes -Value @{ spec = @{ cidrs = @('172.20.0.0/16') } }`,
    'services',
    'services: the cluster: 172.20.0.0/16, the bundle: 10.96.0.0/12',
  ],
]

scenario('a cluster that is not the one of the bundle', async (t, stage) => {
  const { host } = stage
  await ready(stage)
  const before = await host.describe()
  await host.ps(differing.map(([script]) => script).join('\n'))
  const run = await host.run('Join', { Token: token })
  t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  for (const [, name, words] of differing) t.match(trouble(run.result), words, name)
  const names = [...new Set(differing.map(([, name]) => name))]
  for (const last of ['backend', 'endpoint']) {
    const Accept = names.filter((name) => name !== last).join(',')
    const tried = await host.run('Join', { Token: token, Accept, WhatIf: true })
    t.equal(tried.result.exitCode, 2, `all but ${last}`)
    t.equal(trouble(tried.result).match(/use -Accept/g)?.length, 1)
  }
  const all = await host.run('Join', { Token: token, Accept: names.join(','), WhatIf: true })
  t.equal(all.result.exitCode, 0)
  t.equal(JSON.stringify(all.result.preflight).split('; accepted').length - 1, differing.length)
  const logs = /winnode|state\.json/
  t.strictSame(differences(before, await host.describe(), logs), [], 'nothing was changed')
})

scenarioOfAll('a kubeadm that is too new for the cluster', async (t, stage) => {
  const { host } = stage
  await ready(stage)
  await host.ps(
    `Set-HostConfigMap -Name kube-system/kubeadm-config -Data @{ ClusterConfiguration = "kubernetesVersion: v1.34.4" }`,
  )
  const refused = await host.run('Join', { Token: token })
  t.match(refused, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  const run = await host.run('Join', { Token: token, Accept: 'kubeadm' })
  t.equal(run.result.exitCode, 1)
  t.match(
    trouble(run.result),
    'kubeadm: error execution phase preflight: unable to fetch the kubeadm-config ConfigMap: this version of kubeadm only supports deploying clusters with the control plane version >= 1.35.0. Current version: v1.34.4',
    'kubeadm says so, too',
  )
})

scenarioOfAll('a machine that has the name of another, or had it itself', async (t, stage) => {
  const { host } = stage
  await ready(stage)
  for (const other of ['-Id 11111111-2222-3333-4444-555555555555', '-Machine win-b']) {
    await host.ps(`Set-HostNode -Name node-a -Ready $true ${other}`)
    const run = await host.run('Join', { Token: token, WhatIf: true })
    t.match(trouble(run.result), 'name: the cluster: a Ready Node node-a at 192.0.2.10', other)
  }
  // The Node of this machine counts as Ready until the cluster misses its kubelet.
  await host.ps(`Set-HostNode -Name node-a -Ready $true; Add-HostDue -After 45 -Name miss -Subject ''
    & (Get-Module -Name host) { $script:Happening['miss'] = { Set-HostNode -Name node-a -Ready $false } }`)
  const { talk } = await host.talk('Join', { Token: token })
  t.match(talk.join('\n'), /again .*status "Ready" already exists/)
  t.match(talk.join('\n'), /The Node is Ready\.\n/)
})

scenario('what could not be asked stops nothing', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage, 'kubelet')
  await host.ps(`foreach ($name in 'public/configmaps/cluster-info', 'system/configmaps/kubeadm-config', 'system/configmaps/kubelet-config') {
      [WinNodeHost.ApiServer]::Remove("/api/v1/namespaces/kube-$name") }`)
  const conf = path.join(drive, 'etc/kubernetes/flannel.conf')
  writeFileSync(conf, readFileSync(conf, 'utf8').replace('token-of-flannel', 'old-token'))
  writeFileSync(path.join(drive, 'etc/kubernetes/kube-proxy.conf'), 'users: []\n')
  const refused = await host.run('Join', { WhatIf: true })
  t.match(
    trouble(refused.result),
    'flannel-account: the cluster: Unauthorized, the bundle: credentials that are unknown or expired; change C:\\etc\\kubernetes\\flannel.conf',
  )
  const said = refused.result.preflight.find(({ id }) => id === 'cluster')?.message ?? ''
  const who = [
    'endpoint: not compared: Error from server (NotFound): configmaps "cluster-info" not found; anonymous requests may read',
    'pods, services, domain, kubeadm: not compared: Error from server (NotFound): configmaps "kubeadm-config" not found; kubeadm tokens and nodes may read it: kubectl -n kube-system get configmap kubeadm-config',
    'dns, health: not compared: Error from server (NotFound)',
    "dns: not compared: C:\\etc\\kubernetes\\kube-proxy.conf: no server or no CA; kube-proxy's account may read it:",
    "services: not compared: C:\\etc\\kubernetes\\kube-proxy.conf: no server or no CA; kube-proxy's account may read it",
  ]
  for (const words of who) t.match(said, words)
  const run = await host.run('Join', { Accept: 'flannel-account', TimeoutMinutes: 2 })
  t.equal(run.result.preflight.find(({ id }) => id === 'cluster')?.passed, true)
  t.not(run.result.steps.length, 0)
})

scenario('a server that cannot prove itself', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  const day = (text: string): string => `([datetime]'${text}')`
  const servers = [
    ['foreign', '2025-01-01', '2030-01-01', 'certificate signed by unknown authority'],
    ['other', '2025-01-01', '2030-01-01', 'certificate signed by unknown authority'],
    ['ca', '2025-01-01', '2025-02-01', 'is after 2025-02-01T00:00:00Z'],
    ['ca', '2029-01-01', '2030-01-01', 'is before 2029-01-01T00:00:00Z'],
  ] as const
  for (const [who, from, until, words] of servers) {
    await host.ps(`[WinNodeHost.ApiServer]::Serve('${who}', ${day(from)}, ${day(until)})`)
    const run = await host.run('Join', { Token: token })
    t.match(run, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
    t.match(trouble(run.result), words, who)
    t.match(trouble(run.result), 'tls: failed to verify certificate: x509: certificate')
  }
  t.notMatch(
    (await host.ps<readonly string[]>('[WinNodeHost.ApiServer]::Requests()')).join('\n'),
    'system:bootstrap',
    'and gets no token',
  )
  await host.ps('New-HostCluster')
  const file = path.join(drive, 'etc/kubernetes/discovery.conf')
  writeFileSync(file, readFileSync(file, 'utf8').replace('127.0.0.1', '127.0.0.2'))
  const other = await host.run('Join', { Token: token, TimeoutMinutes: 1 })
  t.equal(other.result.exitCode, 2, 'no program listens there')
})

scenarioOfAll('a server whose authority is one in between', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  const file = path.join(drive, 'etc/kubernetes/discovery.conf')
  const own = readFileSync(file, 'utf8')
  const serve = (who: string) =>
    host.ps(
      `[WinNodeHost.ApiServer]::Serve('${who}', [datetime]'2025-01-01', [datetime]'2030-01-01')`,
    )
  const tried = async () => (await host.run('Join', { Token: token, WhatIf: true })).result
  await serve('between')
  t.match(await tried(), { exitCode: 0 }, 'it sends its issuer')
  const pem = await host.ps<string>('[WinNodeHost.ApiServer]::BetweenPem')
  writeFileSync(
    file,
    own.replace(/(?<=certificate-authority-data: ).*/, Buffer.from(pem).toString('base64')),
  )
  t.match(await tried(), { exitCode: 0 }, 'as in Go, each authority that is given is trusted')
  writeFileSync(file, own)
  await serve('forged')
  const forged = await tried()
  t.equal(forged.exitCode, 2, 'what the authority signed may not sign itself')
  t.match(trouble(forged), 'x509: certificate signed by unknown authority')
})

scenarioOfAll('an API server that goes away while kubeadm asks', async (t, stage) => {
  const { host } = stage
  const drive = await ready(stage)
  await host.ps(`Add-HostDue -After 0.1 -Name gone -Subject ''
    & (Get-Module -Name host) { $script:Happening['gone'] = { Stop-HostApi -For 310 } }`)
  const { talk } = await host.talk('Join', { Token: token })
  t.match(talk.join('\n'), /again +joined +error execution .*target machine actively refused it/)
  t.match(talk.join('\n'), /The Node is Ready\.\n/)
  t.equal(joins(drive), 2)
})
