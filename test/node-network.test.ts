// The pod network as flanneld makes it: the network first, its address later, its file last.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { needs, renderBundle } from './host/bundle.ts'
import { bring, install, joined, succeeded, token } from './host/course.ts'
import { everyKind } from './host/every-kind.ts'
import { trouble } from './host/host.ts'
import { scenario } from './host/stage.ts'

const document = everyKind()

/** Seconds until the network has its management address, and from then until an interface has it. */
const late = (address: number, seconds: number): string =>
  `Set-HostFact -Name Network -Value @{ Address = ${address}; Interface = ${seconds} }`

scenario('a slow network is waited for', async (t, { host, machine }) => {
  for (const [address, seconds] of [
    [0.2, 0.1],
    [4.5, 44],
  ] as const) {
    const drive = await machine(document)
    await install(host)
    bring(drive)
    await host.ps(late(address, seconds))
    succeeded(await host.run('Join', { Token: token }))
    const kept = await host.ps(`Get-Content -LiteralPath 'C:\\run\\flannel\\subnet.env' -Raw`)
    t.match(kept, 'FLANNEL_SUBNET=10.244.3.1/24\n', `after ${address} and ${seconds} s`)
    t.match(await host.run('Test'), { code: 0 })
  }
})

scenario('a pod that has the address of the host endpoint', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  const address = 'C:\\var\\lib\\cni\\networks\\flannel.4096\\10.244.3.200'
  const taken = `Set-Content -LiteralPath '${address}' -Value 'a-pod'`
  await host.ps(taken)
  const held = await host.run('Install', { Phase: 'boot' })
  t.match(trouble(held.result), '10.244.3.200 belongs to a pod already')
  await host.ps(`${taken}; Add-HostDue -After 10 -Name leave -Subject ''
    & (Get-Module -Name host) { $script:Happening['leave'] = { Remove-Item -LiteralPath '${address}' } }`)
  succeeded(await host.run('Install', { Phase: 'boot' }))
})

scenario('a network that lacks something says what', async (t, { host, machine }) => {
  const drive = await machine(document)
  await install(host)
  bring(drive)
  await host.ps(late(1000, 0))
  const without = await host.run('Join', { Token: token })
  t.equal(without.result.exitCode, 1)
  t.match(
    trouble(without.result),
    'after 180 s the network flannel.4096 has no management address',
    'flanneld gives up after 5 s, and nssm starts it again',
  )
  await host.ps(late(1, 1))
  await host.ps('Restart-HostMachine')
  succeeded(await host.run('Join'))
})

scenario('the file of an earlier start is not believed', async (t, { host, machine }) => {
  // What was asked for by its address lies in the earlier subnet.
  const steps = document.steps.filter(({ id }) => id !== 'given-address')
  const drive = await machine({ ...document, steps })
  await joined(host, drive)
  await host.restart()
  await host.ps(`Set-HostFact -Name PodSubnet -Value '10.244.9.0/24'; ${late(2, 30)}`)
  succeeded(await host.run('Install', { Phase: 'boot' }))
  const kept = await host.ps(
    `(Get-ChildItem -LiteralPath 'C:\\var\\lib\\cni\\networks\\flannel.4096').Name`,
  )
  t.match(kept, ['10.244.9.2', '10.244.9.200', 'last_reserved_ip.0'])
  t.match(await host.run('Test'), { code: 0 })
  writeFileSync(path.join(drive, 'run/flannel/subnet.env'), 'FLANNEL_SUBNET=10.244.3.1/24\n')
  t.match(
    trouble((await host.run('Test')).result),
    'network Different: the network has the subnet 10.244.9.0/24, C:\\run\\flannel\\subnet.env says 10.244.3.0/24',
  )
})

/** What is written into net-conf.json, and the words with which flanneld ends. */
const refused: readonly (readonly [change: Readonly<Record<string, unknown>>, words: string])[] = [
  [{ VNI: 4095 }, 'VNI [4095] must be greater than or equal to 4096 on Windows'],
  [{ Port: 8472 }, 'Port [8472] is not supported on Windows'],
  [{ Type: 'udp' }, 'unknown backend type: udp'],
]

scenario('flanneld refuses what it cannot do', async (t, { host, machine }) => {
  const drive = await machine(document)
  await joined(host, drive)
  const file = path.join(drive, 'etc/kube-flannel/net-conf.json')
  const start = `$null = Set-HostFact -Name Events -Value @()
    try { Restart-Service -Name flanneld } catch { $null = $_ }; Start-Sleep -Seconds 5; (Get-WinEvent -FilterHashtable @{ LogName = 'System' } -MaxEvents 9).Message -join ' '`
  for (const [change, words] of refused) {
    const backend = { Type: 'vxlan', VNI: 4096, ...change }
    writeFileSync(file, JSON.stringify({ Network: '10.244.0.0/16', Backend: backend }))
    t.match(await host.ps(start), words)
  }
  writeFileSync(
    file,
    JSON.stringify({ Network: '10.9.0.0/16', Backend: { Type: 'vxlan', VNI: 4096 } }),
  )
  t.match(await host.ps(start), `doesn't contain "10.244.3.0/24" PodCIDR`)
})

scenario('a data disk that is gone after a start', async (t, { host, artifacts }) => {
  const drive = path.join(t.testdir({ disk: {} }), 'c')
  const flags = [String.raw`containerd.root=D:\images`, 'kubernetes.version=1.36'].flatMap(
    (one) => ['--set', one],
  )
  const bundle = path.join(drive, 'win-node')
  const node = renderBundle('ws2022-flannel-overlay', bundle, artifacts, flags)
  await host.fresh(drive, { Revision: 9999 })
  bring(drive, needs(node, 'filePresent', 'paths') as readonly string[])
  const attach = async () =>
    host.ps(
      `Set-HostFact -Name Volumes -Value @(@{ DeviceID = 'D:'; DriveType = 3; FileSystem = 'NTFS'; FreeSpace = 90GB })
      $null = New-PSDrive -Name D -PSProvider FileSystem -Root $with.disk -Scope Global`,
      { disk: path.join(drive, '../disk') },
    )
  await attach()
  t.teardown(async () => host.ps('Remove-PSDrive -Name D -Scope Global -ErrorAction Ignore'))
  await install(host)
  succeeded(await host.run('Join', { Token: token }))
  await host.ps(`Set-HostFact -Name Volumes -Value @(); Remove-PSDrive -Name D -Scope Global`)
  await host.restart()
  const service = '"$((Get-Service -Name containerd).Status)"'
  t.equal(await host.ps(service), 'Stopped', 'containerd cannot make its folder')
  const boot = await host.run('Install', { Phase: 'boot' })
  t.match(boot, { calls: [], writes: 0, result: { exitCode: 2, steps: [] } })
  t.match(trouble(boot.result), 'there is no drive D:; attach and format the disk first')
  await attach()
  await host.restart()
  succeeded(await host.run('Install', { Phase: 'boot' }))
  t.match(await host.run('Test'), { code: 0 })
})
