// A node whose flannel and kube-proxy run as HostProcess pods: the network comes after the join, and again after each boot.
import path from 'node:path'
import { loop, succeeded } from '../host/course.ts'
import { member } from '../host/days.ts'
import { trouble } from '../host/host.ts'
import { scenario } from '../host/stage.ts'

const conf = 'C:\\etc\\cni\\net.d\\10-flannel.conflist'
const store = 'C:\\var\\lib\\cni\\networks\\flannel.4096'

scenario('flannel as HostProcess pods', async (t, stage) => {
  const { host } = stage
  const drive = path.join(t.testdir({}), 'c')
  const has = async (what: string): Promise<boolean> => host.ps(`Test-Path -LiteralPath '${what}'`)
  const networks = async () =>
    host.ps(
      `@(& (Get-Module -Name host) { $script:Machine.Networks } | ForEach-Object Name) -join ' '`,
    )
  // Throws unless Join ends with 0.
  const none = 'Set-HostFact -Name DaemonSet -Value $false'
  await member(stage, 'test/golden/ws2022-flannel-overlay-pods/profile.yaml', drive, none)
  const pending = await host.run('Test')
  t.equal(pending.result.exitCode, 7)
  const said = Object.fromEntries(pending.result.health.map(({ id, evidence }) => [id, evidence]))
  t.match(said, {
    network: /^network pending: .* has not created the HNS network flannel\.4096$/,
    proxy: /kube-proxy waits for the HNS network flannel\.4096$/,
  })

  await host.ps('Set-HostFact -Name DaemonSet -Value $with.made; Start-Sleep -Seconds 60', {
    made: { Name: 'flannel.4096', Type: 'Overlay', Proxy: true, Flannel: true },
  })
  succeeded(await loop(host))
  const { result, code } = await host.run('Test')
  t.equal(trouble(result), '')
  t.equal(code, 0)

  // The pod does not run yet: the conf of the last boot would let pods start in a network that is gone.
  await host.ps('Set-HostFact -Name DaemonSet -Value $false')
  await host.restart()
  succeeded(await loop(host))
  t.notOk(await has(conf), 'the conf of the last boot is gone')
  await host.ps('Set-HostFact -Name DaemonSet -Value $with.made; Start-Sleep -Seconds 60', {
    made: { Name: 'flannel.4096', Type: 'Overlay', Proxy: true, Flannel: true },
  })
  t.match(await host.run('Test'), { code: 0 })
  t.ok(await has(conf))
  t.ok(await has(`${store}\\10.244.3.9`))

  t.equal(trouble((await host.run('Reset')).result), '')
  t.notMatch(await networks(), 'flannel')
  t.notOk(
    (await has(conf)) || (await has('C:\\run\\flannel\\subnet.env')),
    'the files of the pod are gone',
  )
  t.notOk(await has(`${store}\\10.244.3.9`), 'the source VIP is released')
})
